#!/bin/sh
# Runs workerd, WORKERD, with its log in the file WORKERD_LOG, if one is named.
[ -z "$WORKERD_LOG" ] || exec > "$WORKERD_LOG"
exec "$WORKERD" "$@"
