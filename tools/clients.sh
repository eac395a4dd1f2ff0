#!/bin/bash
# `make clients`: installs third-party FHIR clients for the tests, besides those in package.json. A test is skipped if
# Python is missing or its package cannot be fetched. npm's fhirclient is fetched without its dependencies.
set -euo pipefail
clients='fhirclient==4.4.0 fhirpy==2.3.1 smart-fetch==1.0.3'
fhirclient=2.6.3

python=.wrangler/python
if ! cmp -s "$python/clients" <(echo "$clients"); then
  echo '· installing FHIR clients for Python'
  rm -rf "$python"
  # shellcheck disable=SC2086
  python3 -m venv "$python" && "$python/bin/python3" -m pip install --quiet --disable-pip-version-check $clients \
    && echo "$clients" > "$python/clients" \
    || { rm -rf "$python"; echo '· they cannot be had here: their tests are skipped'; }
fi
if ! grep -qs "\"version\": \"$fhirclient\"" .wrangler/npm-fhirclient/package/package.json; then
  echo '· fetching fhirclient of npm'
  rm -rf .wrangler/npm-fhirclient
  mkdir -p .wrangler/npm-fhirclient
  (cd .wrangler/npm-fhirclient && npm pack --silent "fhirclient@$fhirclient" > /dev/null && tar -xzf ./*.tgz) \
    || echo '· it cannot be had here: its test is skipped'
fi
links=.wrangler/npm-links
if ! grep -qs '"version": "1.1.0"' $links/node_modules/kill-the-clipboard/package.json; then
  echo '· fetching kill-the-clipboard of npm'
  npm install --silent --no-audit --no-fund --prefix $links kill-the-clipboard@1.1.0 > /dev/null \
    || echo '· it cannot be had here: its test is skipped'
fi
