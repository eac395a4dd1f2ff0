#!/bin/bash
# `make deny`: checks licences, bans and sources, and also advisories if their database can be fetched.
set -euo pipefail
cargo deny --version > /dev/null 2>&1 || { echo '· cargo-deny is not here: cargo install --locked cargo-deny'; exit 1; }
for manifest in Cargo.toml tools/Cargo.toml; do
  cargo deny --log-level error --manifest-path $manifest check bans licenses sources
done
if cargo deny fetch db > /dev/null 2>&1; then
  cargo deny --log-level error check --disable-fetch advisories
else
  echo '· the database of advisories cannot be had here: advisories are not checked'
fi
