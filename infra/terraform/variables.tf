variable "name" {
  description = "Begins the name of everything that is made; lower case, such as tempera-prod."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,30}[a-z0-9]$", var.name))
    error_message = "name has 3 to 32 characters: lower-case letters, digits and hyphens, a letter first."
  }
}

variable "tags" {
  description = "Tags of everything that is made."
  type        = map(string)
  default     = {}
}

# ── Network ──

variable "vpc_id" {
  description = "The VPC of the cluster that runs the API and the worker."
  type        = string

  validation {
    condition     = can(regex("^vpc-[0-9a-f]{8,17}$", var.vpc_id))
    error_message = "vpc_id reads like vpc-0123456789abcdef0."
  }
}

variable "database_subnet_ids" {
  description = "Private subnets of that VPC in two availability zones at least; the database lives there."
  type        = list(string)

  validation {
    condition     = length(distinct(var.database_subnet_ids)) >= 2 && alltrue([for id in var.database_subnet_ids : can(regex("^subnet-[0-9a-f]{8,17}$", id))])
    error_message = "database_subnet_ids names two different subnets at least, each like subnet-0123456789abcdef0."
  }
}

variable "client_security_group_ids" {
  description = "Security groups of the pods or nodes that may reach the database, by a name of your own for each."
  type        = map(string)

  validation {
    condition     = length(var.client_security_group_ids) > 0 && alltrue([for id in values(var.client_security_group_ids) : can(regex("^sg-[0-9a-f]{8,17}$", id))])
    error_message = "client_security_group_ids names one security group at least, each like sg-0123456789abcdef0."
  }
}

# ── Database ──

variable "postgres_version" {
  description = "Version of Postgres: 18.6 or a later 18, 17.11 or a later 17. The programs refuse an older one."
  type        = string
  default     = "18.6"

  validation {
    condition = can(regex("^1[78]\\.[0-9]{1,2}$", var.postgres_version)) && (
      startswith(var.postgres_version, "18.") ? try(tonumber(split(".", var.postgres_version)[1]), 0) >= 6 : try(tonumber(split(".", var.postgres_version)[1]), 0) >= 11
    )
    error_message = "postgres_version is 18.6 or a later 18, or 17.11 or a later 17, with its minor number."
  }
}

variable "database_name" {
  description = "Name of the database."
  type        = string
  default     = "tempera"

  validation {
    condition     = can(regex("^[a-z][a-z0-9_]{0,62}$", var.database_name))
    error_message = "database_name has lower-case letters, digits and underscores, a letter first, 63 characters at most."
  }
}

variable "instance_class" {
  description = "Size of the database server; docs/operations.md says what is enough."
  type        = string
  default     = "db.m7g.large"

  validation {
    condition     = can(regex("^db\\.[a-z0-9]+\\.[a-z0-9]+$", var.instance_class))
    error_message = "instance_class reads like db.m7g.large."
  }
}

variable "storage_gb" {
  description = "Storage at the beginning, in GB."
  type        = number
  default     = 100

  validation {
    condition     = var.storage_gb >= 20 && var.storage_gb <= 65536 && floor(var.storage_gb) == var.storage_gb
    error_message = "storage_gb is a whole number from 20 to 65536."
  }
}

variable "max_storage_gb" {
  description = "To how many GB the storage may grow by itself."
  type        = number
  default     = 500

  validation {
    condition     = var.max_storage_gb > var.storage_gb && var.max_storage_gb <= 65536
    error_message = "max_storage_gb is above storage_gb, and 65536 at most."
  }
}

variable "multi_az" {
  description = "Whether a standby in another availability zone takes over."
  type        = bool
  default     = true
}

variable "snapshot_days" {
  description = "How long the server's own backups are kept; any second of that time can be restored."
  type        = number
  default     = 14

  validation {
    condition     = var.snapshot_days >= 1 && var.snapshot_days <= 35 && floor(var.snapshot_days) == var.snapshot_days
    error_message = "snapshot_days is a whole number from 1 to 35."
  }
}

variable "deletion_protection" {
  description = "Whether the database can only be destroyed after this was switched off."
  type        = bool
  default     = true
}

variable "logins_version" {
  description = "Raise it by one to give every login a new password; run the migrate job with bootstrap afterwards."
  type        = number
  default     = 1

  validation {
    condition     = var.logins_version >= 1 && floor(var.logins_version) == var.logins_version
    error_message = "logins_version is a whole number from 1."
  }
}

# ── Backups ──

variable "backup_bucket_name" {
  description = "Name of the bucket for dumps; unique in the world."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", var.backup_bucket_name))
    error_message = "backup_bucket_name has 3 to 63 characters: lower-case letters, digits, dots and hyphens."
  }
}

variable "backup_lock_mode" {
  description = "GOVERNANCE: an administrator may lift the lock. COMPLIANCE: nobody may, and neither may you."
  type        = string
  default     = "GOVERNANCE"

  validation {
    condition     = contains(["GOVERNANCE", "COMPLIANCE"], var.backup_lock_mode)
    error_message = "backup_lock_mode is GOVERNANCE or COMPLIANCE."
  }
}

variable "backup_lock_days" {
  description = "How long a dump can be neither changed nor deleted."
  type        = number
  default     = 14

  validation {
    condition     = var.backup_lock_days >= 1 && var.backup_lock_days <= 3650 && floor(var.backup_lock_days) == var.backup_lock_days
    error_message = "backup_lock_days is a whole number from 1 to 3650."
  }
}

variable "backup_keep_days" {
  description = "After how many days a dump is deleted. What a person had erased lives on in dumps for that long."
  type        = number
  default     = 35

  validation {
    condition     = var.backup_keep_days > var.backup_lock_days && var.backup_keep_days <= 3650
    error_message = "backup_keep_days is above backup_lock_days, and 3650 at most."
  }
}

# ── What the chart is told ──

variable "kubernetes_secret_name" {
  description = "Name of the Secret in the cluster that will hold the connection URLs."
  type        = string
  default     = "tempera-database"

  validation {
    condition     = can(regex("^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$", var.kubernetes_secret_name))
    error_message = "kubernetes_secret_name is the name of a Secret: lower-case letters, digits, dots and hyphens."
  }
}
