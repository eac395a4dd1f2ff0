#!/bin/bash
# `make dev`: runs wrangler dev with live reload, the Worker for jobs and the cron trigger, and rebuilds the app when
# its sources change. PORT, STATE, STORE and INDEX come from make. PROVIDER=on also starts the provider of provider.mjs.
set -euo pipefail
origin=http://localhost:$PORT
node tools/server/hello.mjs "$origin" &
node tools/server/cron.mjs "$origin" & beside=$!
node www/build.mjs --watch & beside="$beside $!"
provider=()
if [ -n "${PROVIDER:-}" ]; then
  secret=a-secret-for-one-machine
  node tools/server/provider.mjs "$origin" $secret & beside="$beside $!"
  registered='{"issuer":"http://localhost:9090","name":"an identity provider","client_id":"edgechart","secret":"IDP_SECRET"}'
  provider=(--var "IDENTITY_PROVIDERS:[$registered]" --var "IDP_SECRET:$secret")
fi
trap 'kill $beside 2> /dev/null' EXIT
jobs=$(node tools/server/jobs-settings.mjs "$STATE" "ORIGIN=$origin" "STORE=$STORE" "INDEX=$INDEX")
wrangler dev --config wrangler.toml --config "$jobs" --config reading/wrangler.toml --port "$PORT" --persist-to "$STATE" --var "ORIGIN:$origin" \
  --var "STORE:$STORE" --var "INDEX:$INDEX" "${provider[@]}" --show-interactive-dev-session=false
