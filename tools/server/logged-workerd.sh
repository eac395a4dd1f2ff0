#!/usr/bin/env bash
# Runs workerd (WORKERD) and appends its log to the file WORKERD_LOG, if set. The log writer does not inherit the other
# pipes, since miniflare detects by their end that workerd has exited.
if [ -n "${WORKERD_LOG:-}" ]; then
  exec > >(exec node "$(dirname "$0")/log.mjs" "$WORKERD_LOG" 2> /dev/null 3>&- 4>&- 5>&-)
fi
exec "$WORKERD" "$@"
