#!/usr/bin/env bash
# Runs workerd (WORKERD) and appends its log to the file WORKERD_LOG, if set.
if [ -n "${WORKERD_LOG:-}" ]; then exec >> "$WORKERD_LOG"; fi
exec "$WORKERD" "$@"
