#!/bin/bash
# `make fuzz`: fuzzes every parser for SECONDS each. Needs a nightly Rust.
set -euo pipefail
seconds=$(printenv SECONDS || echo 10)
cargo +nightly --version > /dev/null 2>&1 \
  || { echo '· no nightly Rust is here (rustup toolchain install nightly): nothing is fuzzed'; exit 0; }
cp Cargo.lock fuzz/Cargo.lock
cargo fuzz --version > /dev/null 2>&1 || { echo '· installing cargo-fuzz'; cargo install cargo-fuzz --locked --quiet; }
for target in $(cargo +nightly fuzz list); do
  printf '%-10s ' "$target"
  mkdir -p "fuzz/corpus/$target"
  cargo +nightly fuzz run "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- -max_total_time="$seconds" \
    > fuzz/last.log 2>&1 || { tail -n 40 fuzz/last.log; exit 1; }
  grep '^Done' fuzz/last.log
done
