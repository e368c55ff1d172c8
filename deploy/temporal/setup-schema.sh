#!/bin/sh
# Makes or updates the two schemas of the workflow engine. Safe to run again: `create` and `setup-schema` are skipped
# where the version table already exists, `update-schema` applies only what is missing.
set -eu

schemas=/etc/temporal/schema/postgresql/v12

prepare() { # database, folder of versioned schema files
  temporal-sql-tool --db "$1" create
  temporal-sql-tool --db "$1" setup-schema -v 0.0 || echo "$1: schema is there already"
  temporal-sql-tool --db "$1" update-schema -d "$schemas/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
