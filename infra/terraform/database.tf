locals {
  tags  = merge(var.tags, { Application = "tempera-team" })
  major = split(".", var.postgres_version)[0]
}

resource "aws_kms_key" "data" {
  description             = "${var.name}: database, secrets and backups"
  enable_key_rotation     = true
  deletion_window_in_days = 30
  tags                    = local.tags
}

resource "aws_kms_alias" "data" {
  name          = "alias/${var.name}"
  target_key_id = aws_kms_key.data.key_id
}

data "aws_subnet" "database" {
  for_each = toset(var.database_subnet_ids)
  id       = each.value
}

resource "aws_db_subnet_group" "this" {
  name       = var.name
  subnet_ids = var.database_subnet_ids
  tags       = local.tags
}

resource "aws_security_group" "database" {
  name        = "${var.name}-database"
  description = "Postgres of ${var.name}: reached by the clients that are named, reaches nothing"
  vpc_id      = var.vpc_id
  tags        = local.tags
}

resource "aws_vpc_security_group_ingress_rule" "clients" {
  for_each                     = var.client_security_group_ids
  security_group_id            = aws_security_group.database.id
  referenced_security_group_id = each.value
  description                  = each.key
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
  tags                         = local.tags
}

resource "aws_db_parameter_group" "this" {
  name_prefix = "${var.name}-"
  family      = "postgres${local.major}"
  description = "TLS alone, and no contents in the server's log"
  tags        = local.tags

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }

  # Parameters of statements are texts of memories.
  parameter {
    name  = "log_parameter_max_length"
    value = "0"
  }

  parameter {
    name  = "log_parameter_max_length_on_error"
    value = "0"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_db_instance" "this" {
  identifier     = var.name
  engine         = "postgres"
  engine_version = var.postgres_version
  instance_class = var.instance_class
  db_name        = var.database_name
  port           = 5432

  # The server keeps and rotates its master's password itself; only the bootstrap needs it.
  username                      = "postgres"
  manage_master_user_password   = true
  master_user_secret_kms_key_id = aws_kms_key.data.key_id

  storage_type          = "gp3"
  allocated_storage     = var.storage_gb
  max_allocated_storage = var.max_storage_gb
  storage_encrypted     = true
  kms_key_id            = aws_kms_key.data.arn

  db_subnet_group_name   = aws_db_subnet_group.this.name
  vpc_security_group_ids = [aws_security_group.database.id]
  publicly_accessible    = false
  multi_az               = var.multi_az

  parameter_group_name         = aws_db_parameter_group.this.name
  auto_minor_version_upgrade   = true
  allow_major_version_upgrade  = false
  performance_insights_enabled = true
  # Its statements are kept under our key too.
  performance_insights_kms_key_id = aws_kms_key.data.arn

  backup_retention_period   = var.snapshot_days
  copy_tags_to_snapshot     = true
  delete_automated_backups  = false
  deletion_protection       = var.deletion_protection
  skip_final_snapshot       = false
  final_snapshot_identifier = "${var.name}-final"
  tags                      = local.tags

  lifecycle {
    # Minor versions come by themselves; a plan must not take them back.
    ignore_changes = [engine_version]
  }
}
