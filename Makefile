# edgechart: make dev · make test · make load · make serve · make bench · make deploy
# Each command installs what it needs, may be repeated, and says what it does.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PORT  ?= 8787
STORE ?= d1
DATA  ?= sample
APPS  ?=
STATE ?= .wrangler/state

WASM_BINDGEN := 0.2.130
WORKER_BUILD := 0.8.7

ORIGIN    := http://localhost:$(PORT)
CARGO_BIN := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export PATH := $(CURDIR)/node_modules/.bin:$(CARGO_BIN):$(PATH)
# worker-build uses these, and else would fetch its own.
export WASM_BINDGEN_BIN := wasm-bindgen
export WASM_OPT_BIN := $(CURDIR)/node_modules/.bin/wasm-opt
export ESBUILD_BIN := $(CURDIR)/node_modules/.bin/esbuild
# Local runs need nothing from outside.
export WRANGLER_SEND_METRICS := false
export CLOUDFLARE_CF_FETCH_ENABLED := false
export CI := 1

# What Rust's wasm32-unknown-unknown and wasm-bindgen emit, and workerd has.
WASM_FEATURES := --enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int --enable-bulk-memory \
  --enable-multivalue --enable-reference-types --enable-exception-handling

# What a visitor may have to fetch of it.
BROWSER_KIB := 270

NATIVE := target/cli/edgechart
say = @printf '\033[1m· %s\033[0m\n' "$(1)"

.PHONY: help
help: ## Lists the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# ---- tools ----------------------------------------------------------------------------------------------------------

node_modules/.package-lock.json: package.json package-lock.json
	$(call say,installing the npm packages)
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: tools
tools: node_modules/.package-lock.json
	@rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
	@wasm-bindgen --version 2>/dev/null | grep -qx 'wasm-bindgen $(WASM_BINDGEN)' || { \
	  echo '· installing wasm-bindgen-cli $(WASM_BINDGEN) (some minutes, once)'; \
	  cargo install wasm-bindgen-cli --version $(WASM_BINDGEN) --no-default-features --quiet; }
	@cargo install --list | grep -q '^worker-build v$(WORKER_BUILD):' || { \
	  echo '· installing worker-build $(WORKER_BUILD) (some minutes, once)'; \
	  cargo install worker-build --version $(WORKER_BUILD) --quiet; }

# A browser for the tests of the app. Debian's own; elsewhere: CHROMIUM=/path/to/one
.PHONY: chromium
chromium:
	@[ -n "$${CHROMIUM:-}" ] || command -v chromium > /dev/null || { \
	  echo '· installing chromium'; sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$sudo apt-get update -qq && $$sudo apt-get install -y -qq --no-install-recommends chromium > /dev/null; }

# ---- builds ---------------------------------------------------------------------------------------------------------

.PHONY: worker browser app native
worker: tools
	$(call say,building the Worker)
	@worker-build --release --features edge > build.log 2>&1 || { cat build.log; exit 1; }
	@wasm-opt $(WASM_FEATURES) --strip-debug --strip-producers build/index_bg.wasm -o build/index_bg.wasm

browser: tools
	$(call say,building the browser module)
	@cargo build --profile browser --lib --target wasm32-unknown-unknown --features browser --quiet
	@wasm-bindgen --target web --out-dir www/pkg --remove-name-section target/wasm32-unknown-unknown/browser/edgechart.wasm
	@wasm-opt $(WASM_FEATURES) -Os --strip-debug --strip-producers www/pkg/edgechart_bg.wasm -o www/pkg/edgechart_bg.wasm
	@bytes=$$(gzip -9 -c www/pkg/edgechart_bg.wasm | wc -c); \
	  echo "· the browser module: $$((bytes / 1024)) KiB gzip'd, of at most $(BROWSER_KIB)"; [ $$bytes -le $$(($(BROWSER_KIB) * 1024)) ]

app: browser ## Builds the app into www/dist, and prints what its first page weighs
	$(call say,building the app)
	@tsc -p www
	@node www/build.mjs

native: tools
	$(call say,building the command line)
	@cargo build --profile cli --features cli --bin edgechart --quiet

# ---- data -----------------------------------------------------------------------------------------------------------

# The SQLite file in which local D1 keeps the database.
db = $(filter-out %/metadata.sqlite,$(wildcard $(STATE)/v3/d1/miniflare-D1DatabaseObject/*.sqlite))
DB = $$(ls $(STATE)/v3/d1/miniflare-D1DatabaseObject/*.sqlite | grep -v /metadata.sqlite)

.PHONY: secrets database data load
.dev.vars: | native
	$(call say,making keys for this machine (.dev.vars))
	@umask 077; $(NATIVE) keys > $@.new && mv $@.new $@

database: native
	@stamp="$(STATE)/migrations.$$(cat migrations/*.sql | cksum | cut -d' ' -f1)"; [ -e "$$stamp" ] || { \
	  echo '· making the local database'; mkdir -p "$(STATE)"; \
	  wrangler d1 migrations apply DB --local --persist-to "$(STATE)" > "$(STATE)/migrations.log" 2>&1 \
	    || { cat "$(STATE)/migrations.log"; exit 1; }; touch "$$stamp"; }

load: database ## Loads DATA="path …" into the local store (TARGET=remote: into the real one)
ifeq ($(TARGET),remote)
	$(call say,writing $(DATA) as SQL for the remote database)
	@rm -rf .wrangler/remote/sql; $(NATIVE) load $(DATA) --db .wrangler/remote/mirror.sqlite --sql .wrangler/remote/sql
	@for file in .wrangler/remote/sql/*.sql; do [ -e "$$file" ] || continue; \
	  echo "· sending $$file"; wrangler d1 execute DB --remote --yes --file "$$file"; done
else
	$(call say,loading $(DATA))
	@FHIR_BASE=$(ORIGIN)/fhir/r4 $(NATIVE) load $(DATA) --db "$(DB)"
endif

data: database .dev.vars
	@$(NATIVE) sandbox --db "$(DB)" > /dev/null
	@$(if $(APPS),$(NATIVE) register $(APPS) --db "$(DB)")
	$(call say,loading $(DATA))
	@FHIR_BASE=$(ORIGIN)/fhir/r4 $(NATIVE) load $(DATA) --db "$(DB)" | tail -n 5

# ---- servers --------------------------------------------------------------------------------------------------------

.PHONY: dev serve
dev: worker app data ## Builds, loads the sample, and serves on http://localhost:8787 with live reload
	@node tests/server/hello.mjs $(ORIGIN) &
	@node www/build.mjs --watch & trap "kill $$! 2> /dev/null" EXIT; \
	wrangler dev --port $(PORT) --persist-to "$(STATE)" --var ORIGIN:$(ORIGIN) --show-interactive-dev-session=false

serve: worker app data ## The same on workerd alone: the one to test and to measure against
	@node tests/server/serve.mjs --port $(PORT) --state "$(STATE)"

# ---- the app's tests ------------------------------------------------------------------------------------------------

.PHONY: browse
browse: chromium worker app native .dev.vars ## Tests the app in a browser, against the Worker
	@node --test --test-concurrency=1 --test-reporter=spec 'tests/app/*.test.mjs'
