# A bucket for dumps that lie apart from the server: versioned, locked against deletion for a while, and gone after it.

resource "aws_s3_bucket" "backups" {
  bucket              = var.backup_bucket_name
  object_lock_enabled = true
  tags                = local.tags
}

resource "aws_s3_bucket_versioning" "backups" {
  bucket = aws_s3_bucket.backups.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_object_lock_configuration" "backups" {
  bucket = aws_s3_bucket_versioning.backups.bucket

  rule {
    default_retention {
      mode = var.backup_lock_mode
      days = var.backup_lock_days
    }
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "backups" {
  bucket = aws_s3_bucket.backups.id

  rule {
    bucket_key_enabled = true

    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = aws_kms_key.data.arn
    }
  }
}

resource "aws_s3_bucket_public_access_block" "backups" {
  bucket                  = aws_s3_bucket.backups.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_lifecycle_configuration" "backups" {
  bucket = aws_s3_bucket_versioning.backups.bucket

  rule {
    id     = "forget"
    status = "Enabled"

    filter {}

    expiration {
      days = var.backup_keep_days
    }

    # What was deleted or overwritten goes once its lock is over.
    noncurrent_version_expiration {
      noncurrent_days = var.backup_lock_days
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 2
    }
  }
}

data "aws_iam_policy_document" "backups_tls" {
  statement {
    sid       = "OnlyOverTls"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.backups.arn, "${aws_s3_bucket.backups.arn}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_s3_bucket_policy" "backups" {
  bucket = aws_s3_bucket.backups.id
  policy = data.aws_iam_policy_document.backups_tls.json
}

# For whoever writes dumps: adds, and can neither read nor delete what is there.
data "aws_iam_policy_document" "backup_writer" {
  statement {
    sid       = "AddDumps"
    actions   = ["s3:PutObject", "s3:AbortMultipartUpload"]
    resources = ["${aws_s3_bucket.backups.arn}/*"]
  }

  statement {
    sid       = "EncryptDumps"
    actions   = ["kms:GenerateDataKey", "kms:Decrypt"]
    resources = [aws_kms_key.data.arn]
  }
}

resource "aws_iam_policy" "backup_writer" {
  name        = "${var.name}-backup-writer"
  description = "Adds dumps to ${var.backup_bucket_name}"
  policy      = data.aws_iam_policy_document.backup_writer.json
  tags        = local.tags
}
