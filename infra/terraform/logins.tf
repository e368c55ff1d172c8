# One login for each door. The passwords are made here and go into Secrets Manager alone: they are in no state and in no
# plan. Roles and passwords in the database itself are made by the migrate job (migrate.bootstrap in the chart).

locals {
  logins = {
    app      = "mem_app"
    text     = "mem_text"
    operator = "mem_operator"
    worker   = "mem_worker"
    migrator = "mem_migrator"
  }

  # Where the chart mounts the authority of the server's certificate (database.ca).
  tls_query = "sslmode=verify-full&sslrootcert=/run/tempera/postgres/ca.pem"
}

ephemeral "random_password" "login" {
  for_each = local.logins
  length   = 40
  # Part of a URL: nothing in it needs to be written in another way.
  special = false
}

resource "aws_secretsmanager_secret" "database" {
  name        = "${var.name}/database"
  description = "Connection URLs of ${var.name}, one for each login"
  kms_key_id  = aws_kms_key.data.arn
  tags        = local.tags
}

resource "aws_secretsmanager_secret_version" "database" {
  secret_id = aws_secretsmanager_secret.database.id
  secret_string_wo = jsonencode({
    for login, role in local.logins :
    "DATABASE_${upper(login)}_URL" => "postgresql://${role}:${ephemeral.random_password.login[login].result}@${aws_db_instance.this.address}:${aws_db_instance.this.port}/${var.database_name}?${local.tls_query}"
  })
  secret_string_wo_version = var.logins_version
}
