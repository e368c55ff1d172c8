#!/bin/sh
# Makes the namespace once the frontend answers; workflow histories are kept seven days.
set -eu

attempts=0
until temporal operator cluster health >/dev/null 2>&1; do
  attempts=$((attempts + 1))
  [ "$attempts" -lt 60 ] || { echo "Temporal at $TEMPORAL_ADDRESS did not become healthy within 2 minutes." >&2; exit 1; }
  sleep 2
done

temporal operator namespace describe -n "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create -n "$TEMPORAL_NAMESPACE" --retention 168h
