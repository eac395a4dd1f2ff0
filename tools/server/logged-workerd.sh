#!/usr/bin/env bash
# Runs workerd, WORKERD, with its log at the end of the file WORKERD_LOG, if one is named. The writer of the log has none
# of the other pipes, by which miniflare sees that workerd has ended.
if [ -n "${WORKERD_LOG:-}" ]; then
  exec > >(exec node "$(dirname "$0")/log.mjs" "$WORKERD_LOG" 2> /dev/null 3>&- 4>&- 5>&-)
fi
exec "$WORKERD" "$@"
