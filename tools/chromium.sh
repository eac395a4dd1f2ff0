#!/bin/bash
# `make chromium`: installs a headless Chromium from Debian for the tests of the app. On other systems, set
# CHROMIUM=/path/to/chromium.
set -euo pipefail
[ -z "${CHROMIUM:-}" ] || exit 0
command -v chromium-headless-shell > /dev/null && exit 0
echo '· installing chromium-headless-shell'
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends chromium-headless-shell > /dev/null
