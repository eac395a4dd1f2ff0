#!/bin/bash
# `make clients`: installs third-party FHIR clients for the tests, besides those in package.json. A test is skipped if
# Python is missing or its package cannot be fetched. npm's fhirclient and ext-apps are fetched without their
# dependencies.
set -euo pipefail
clients='fhirclient==4.4.0 fhirpy==2.3.1 smart-fetch==1.0.3'
fhirclient=2.6.3
apps=2.0.4

python=.wrangler/python
if ! cmp -s "$python/clients" <(echo "$clients"); then
  echo '· installing FHIR clients for Python'
  rm -rf "$python"
  # shellcheck disable=SC2086
  python3 -m venv "$python" && "$python/bin/python3" -m pip install --quiet --disable-pip-version-check $clients \
    && echo "$clients" > "$python/clients" \
    || { rm -rf "$python"; echo '· they cannot be had here: their tests are skipped'; }
fi
# fetch NAME VERSION: fetches a package of npm without its dependencies, into .wrangler/npm-NAME.
fetch() {
  local folder=.wrangler/npm-${1##*/}
  grep -qs "\"version\": \"$2\"" "$folder/package/package.json" && return
  echo "· fetching $1 of npm"
  rm -rf "$folder"
  mkdir -p "$folder"
  (cd "$folder" && npm pack --silent "$1@$2" > /dev/null && tar -xzf ./*.tgz) \
    || echo '· it cannot be had here: its test is skipped'
}
fetch fhirclient "$fhirclient"
fetch @modelcontextprotocol/ext-apps "$apps"
links=.wrangler/npm-links
if ! grep -qs '"version": "1.1.0"' $links/node_modules/kill-the-clipboard/package.json; then
  echo '· fetching kill-the-clipboard of npm'
  npm install --silent --no-audit --no-fund --prefix $links kill-the-clipboard@1.1.0 > /dev/null \
    || echo '· it cannot be had here: its test is skipped'
fi
