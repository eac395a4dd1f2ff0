#!/usr/bin/env bash
# Times the first `make dev` until the server answers, with a fresh clone, empty caches of cargo and npm, and no tools
# but Rust, Node, make and a C compiler. The wasm target of the installed Rust is used if it is there.
#
#   tools/first-run.sh [REVISION] [make's words …]      tools/first-run.sh HEAD PROFILE=release
set -euo pipefail
revision=${1:-HEAD}
shift || true
here=$(git rev-parse --show-toplevel)
place=$(mktemp -d)
port=$((20000 + RANDOM % 20000))
group=
finish() {
  if [ -n "$group" ]; then kill -- "-$group" 2> /dev/null || true; fi
  rm -rf "$place"
}
trap finish EXIT

# cargo and rustc are rustup's. A separate CARGO_HOME hides other programs that were installed with cargo.
mkdir -p "$place/bin" "$place/cargo"
rustup=$(command -v rustup)
for name in cargo rustc rustdoc rustup; do ln -s "$rustup" "$place/bin/$name"; done
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=$place/cargo npm_config_cache=$place/npm
PATH=$place/bin:$(tr : '\n' <<< "$PATH" | grep -v '/\.cargo/bin$' | paste -sd:)
export PATH

git clone --quiet "$here" "$place/clone"
cd "$place/clone"
git -c advice.detachedHead=false checkout --quiet "$revision"
echo "make dev $* at $(git log -1 --format='%h %s')"
start=$(date +%s)
set -m
: > "$place/log"
make dev PORT="$port" "$@" > "$place/log" 2>&1 &
group=$!
set +m
until grep -q 'the FHIR base' "$place/log"; do
  if ! kill -0 "$group" 2> /dev/null; then tail -n 40 "$place/log"; exit 1; fi
  sleep 1
done
wall=$(($(date +%s) - start))
grep '·' "$place/log" || true
kill -- "-$group" 2> /dev/null || true
wait "$group" 2> /dev/null || true
group=
printf '%d min %d s until it said hello\n' $((wall / 60)) $((wall % 60))
# In a pipe, `times` would report another shell. Its second line has the times of the child processes.
times > "$place/times"
echo "processor time, user and system: $(tail -n 1 "$place/times")"
