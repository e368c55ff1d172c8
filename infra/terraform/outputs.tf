output "database_address" {
  description = "Host of the database, for the superuser's URL of the bootstrap."
  value       = aws_db_instance.this.address
}

output "master_secret_arn" {
  description = "The secret in which the server keeps its master's password; only the bootstrap needs it."
  value       = aws_db_instance.this.master_user_secret[0].secret_arn
}

output "logins_secret_arn" {
  description = "The secret with the connection URLs of all logins, under the names that the chart expects."
  value       = aws_secretsmanager_secret.database.arn
}

output "backup_bucket" {
  description = "Where dumps go."
  value       = aws_s3_bucket.backups.bucket
}

output "backup_writer_policy_arn" {
  description = "Gives whoever writes dumps what they need, and no more."
  value       = aws_iam_policy.backup_writer.arn
}

output "kms_key_arn" {
  description = "The key of database, secrets and backups."
  value       = aws_kms_key.data.arn
}

output "chart_values" {
  description = "Values for the chart: terraform output -raw chart_values > database-values.yaml"
  value = yamlencode({
    database = {
      existingSecret = var.kubernetes_secret_name
      ca             = { existingConfigMap = "postgres-ca", key = "ca.pem" }
    }
    networkPolicy = {
      postgres = {
        to   = [for subnet in data.aws_subnet.database : { ipBlock = { cidr = subnet.cidr_block } }]
        port = aws_db_instance.this.port
      }
    }
  })
}
