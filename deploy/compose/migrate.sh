#!/bin/sh
# The migrate job: schema first, then the signing keys if their file is named and not there, then, on a new instance, the
# operator's code. In a cluster the keys are a Secret that was made before, and no file is named.
set -eu

node /app/dist/prisma/migrate.js
[ -z "${SIGNING_KEYS_FILE:-}" ] || [ -e "$SIGNING_KEYS_FILE" ] || node /app/apps/api/dist/keys-cli.js --out "$SIGNING_KEYS_FILE"
# Prints a one-time code only while the instance has no operator yet.
node /app/dist/prisma/operator-code.js --first-only
