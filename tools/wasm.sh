#!/bin/bash
# Builds the module of the Worker (build/index.js and build/rehearsal.js) or that of browsers (www/pkg). PROFILE is dev,
# or release for an optimized build. TARGETS is the target directory of cargo.
#   tools/wasm.sh worker
set -euo pipefail
target=wasm32-unknown-unknown
features=(--enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int --enable-bulk-memory
  --enable-multivalue --enable-reference-types --enable-exception-handling)
case $1 in
  worker) member=edge profile=worker into=build/module name=index level=-O3 ;;
  browser) member=browser profile=browser into=www/pkg name=edgechart level='-Os --converge' ;;
esac
optimized=()
folder=debug
if [ "$PROFILE" = release ]; then
  optimized=(--profile "$profile")
  folder=$profile
fi
cargo rustc "${optimized[@]}" --package edgechart-$member --lib --crate-type cdylib --target $target ${QUIET:-}
"$TARGETS/tools/debug/bindgen" "$1" "$TARGETS/$target/$folder/$member.wasm" $into $name
module=$into/${name}_bg.wasm
if [ "$PROFILE" = release ]; then
  # No valid address is below 1,024. Functions of more than 20 instructions that are called once are not inlined, and
  # the instances of a generic are placed together, since gzip then compresses better (docs/performance.md). The
  # browser module is optimized until it gets no smaller. The features are those that Rust and wasm-bindgen emit and
  # workerd supports.
  wasm-opt "${features[@]}" --low-memory-unused $level -ocimfs 20 -g $module -o $module
  wasm-opt "${features[@]}" --reorder-functions-by-name --strip-debug --strip-producers $module -o $module
fi
touch $module
if [ "$1" = worker ]; then
  (cd build/module && esbuild --bundle --minify --format=esm --external:*.wasm --external:./rehearsal.js \
    --outfile=../index.js --log-level=warning --log-override:duplicate-object-key=silent < ../../src/edge/entry.js)
  if [ "$PROFILE" = release ]; then
    esbuild --bundle --minify --format=esm --external:cloudflare:* --outfile=build/rehearsal.js --log-level=warning \
      src/edge/rehearsal.js
  else
    echo 'export const rehearsal = () => {};' > build/rehearsal.js
  fi
  cp $module build/index_bg.wasm
fi
