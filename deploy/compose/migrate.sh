#!/bin/sh
# The migrate job: schema first, then the signing keys if there are none, then, on a new instance, the operator's code.
set -eu

node /app/dist/prisma/migrate.js
[ -e "$SIGNING_KEYS_FILE" ] || node /app/apps/api/dist/keys-cli.js --out "$SIGNING_KEYS_FILE"
# Prints a one-time code only while the instance has no operator yet.
node /app/dist/prisma/operator-code.js --first-only
