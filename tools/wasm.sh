#!/bin/bash
# Builds the module of the Worker, build/index.js, or that of browsers, www/pkg. PROFILE: dev, or release, which is
# optimized. TARGETS: where cargo builds.
#   tools/wasm.sh worker
set -euo pipefail
target=wasm32-unknown-unknown
features=(--enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int --enable-bulk-memory
  --enable-multivalue --enable-reference-types --enable-exception-handling)
# What is called once is not inlined into the module of browsers if it has more than 20 instructions: gzip makes it 8 %
# smaller (docs/performance.md).
case $1 in
  worker) member=edge profile=worker into=build/module name=index options=(-O3) ;;
  browser) member=browser profile=browser into=www/pkg name=edgechart options=(-Oz --converge -ocimfs 20) ;;
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
  # No valid address is below 1,024. Functions stand in the order of their names, so that what a generic was compiled to
  # is in one place, which gzip makes smaller. The features are those that Rust and wasm-bindgen emit, and workerd has.
  wasm-opt "${features[@]}" --low-memory-unused "${options[@]}" -g $module -o $module
  wasm-opt "${features[@]}" --reorder-functions-by-name --strip-debug --strip-producers $module -o $module
fi
touch $module
if [ "$1" = worker ]; then
  (cd build/module && esbuild --bundle --minify --format=esm --external:*.wasm --outfile=../index.js \
    --log-level=warning --log-override:duplicate-object-key=silent < ../../src/edge/entry.js)
  cp $module build/index_bg.wasm
fi
