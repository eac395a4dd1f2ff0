# edgechart: make dev · make test · make load · make serve · make bench · make deploy · make release
# Each command installs what it needs, may be repeated, and prints what it does. Command-line variables are passed to
# the programs in the environment. tools/admin.mjs administers servers.

SHELL := /bin/bash
# Without --norc, bash reads ~/.bashrc if its standard input is a socket.
.SHELLFLAGS := --norc -eu -o pipefail -c
.DEFAULT_GOAL := help
# cargo and node use all cores by themselves. tools/checks runs independent steps in parallel.
.NOTPARALLEL:

PORT  ?= 8787
DATA  ?= sample
STATE ?= .wrangler/state
# The set of search parameters of the local server and its records. A deployment sets it in its configuration.
INDEX ?= r4
DEFINITIONS ?= ../shared/definitions
ifneq ($(filter-out d1 kv,$(STORE)),)
$(error STORE is d1 or kv, not $(STORE))
endif

# `dev` builds fast; `release` is tested, measured and deployed. A load uses the command line that is already built,
# unless PROFILE is set.
ifeq ($(PROFILE),)
made := $(if $(filter load,$(MAKECMDGOALS)),$(shell cat build/native-profile 2> /dev/null))
PROFILE := $(if $(filter dev load,$(MAKECMDGOALS)),dev,release)
endif
ifeq ($(filter $(PROFILE),dev release),)
$(error PROFILE is dev or release, not $(PROFILE))
endif
fast := $(filter dev,$(PROFILE))
# Cargo's profile for the command line. `tests` is a compromise between build time and speed.
NATIVE_PROFILE ?= $(if $(filter test trials,$(MAKECMDGOALS)),tests,$(or $(made),$(if $(fast),dev,cli)))
# The programs that `make dev` starts use the same profiles.
export PROFILE NATIVE_PROFILE
# On a terminal, cargo shows its progress.
QUIET := $(if $(MAKE_TERMERR),,--quiet)

export PATH := $(CURDIR)/node_modules/.bin:$(or $(CARGO_HOME),$(HOME)/.cargo)/bin:$(PATH)
# Local runs do not use the network.
export WRANGLER_SEND_METRICS := false
export CLOUDFLARE_CF_FETCH_ENABLED := false
export CI := 1

# The target directory of cargo.
TARGETS := $(or $(CARGO_TARGET_DIR),target)
NATIVE := build/edgechart
# The tools in Rust are a separate workspace.
of_tools := --locked --manifest-path tools/Cargo.toml --target-dir $(TARGETS)/tools
TOOLS := $(TARGETS)/tools/debug
BINDGEN := $(TOOLS)/bindgen
TEST_RUNNER := $(TOOLS)/test-runner
say = @printf '\033[1m· %s\033[0m\n' "$(1)"
# Like `say`, and adds the duration on two cores if a file or folder does not exist yet.
say_first = $(call say,$(1)$(if $(wildcard $(2)),, (the first time: $(3))))

.PHONY: help tools bindgen chromium clients always worker browser app native wasm secrets database namespace data load \
  port dev serve definitions test lint lint-rust lint-tools lint-web doc unit-examples unit-app msrv sizes deny \
  trials agree kills second-reading fuzz bench deploy release
help: ## Lists the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# ---- tools ----
node_modules/.package-lock.json: package.json package-lock.json
	$(call say_first,installing the npm packages,node_modules,about a minute)
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

tools: node_modules/.package-lock.json
	@rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown

# `bindgen` generates the JavaScript around wasm, and `test-runner` runs wasm tests. Both use wasm-bindgen's library.
bindgen: $(BINDGEN)
BINDGEN_SOURCES := tools/Cargo.toml tools/Cargo.lock tools/bindgen/Cargo.toml $(wildcard tools/bindgen/src/*.rs)
$(BINDGEN) $(TEST_RUNNER): $(BINDGEN_SOURCES)
	$(call say_first,building the $(notdir $@) for wasm,$@,a minute)
	@cargo build $(of_tools) $(QUIET) --package bindgen --bin $(notdir $@) $(if $(findstring runner,$@),--features test-runner)
	@touch $@

# ---- builds ----
SOURCES := $(shell find src -type f) $(wildcard migrations/*.sql) Cargo.toml Cargo.lock

# These files change with the profile or the index, so that their dependents are rebuilt.
build/profile: noted = $(PROFILE)
build/native-profile: noted = $(NATIVE_PROFILE)
build/offered: noted = $(INDEX)
build/profile build/native-profile build/offered: always
	@mkdir -p build; [ "$$(cat $@ 2> /dev/null)" = "$(noted)" ] || echo "$(noted)" > $@

wasm_of = $(TARGETS)/wasm32-unknown-unknown/$(if $(fast),debug,$(1))/$(if $(filter browser,$(1)),browser,edge).wasm
worker: build/index_bg.wasm build/reading.js
build/reading.js: $(shell find reading -name '*.ts') package-lock.json | tools
	@esbuild reading/worker.ts --bundle --format=esm --target=es2023 --minify --legal-comments=none --log-level=warning --outfile=$@
build/index_bg.wasm: $(SOURCES) $(BINDGEN) tools/wasm.sh build/profile | tools
	$(call say_first,building the Worker: $(PROFILE),$(call wasm_of,release),$(if $(fast),a minute,two to three minutes))
	@TARGETS=$(TARGETS) QUIET=$(QUIET) tools/wasm.sh worker

browser: www/pkg/edgechart_bg.wasm
www/pkg/edgechart_bg.wasm: $(SOURCES) $(BINDGEN) tools/wasm.sh build/profile | tools
	$(call say_first,building the browser module: $(PROFILE),$(call wasm_of,browser),$(if $(fast),half a minute,two minutes))
	@TARGETS=$(TARGETS) QUIET=$(QUIET) tools/wasm.sh browser

APP_SOURCES := $(shell find www/src www/public reading -type f) src/api/pages/theme.css www/index.html www/build.mjs www/guides.mjs www/examples.json www/example-records.ndjson www/tsconfig.json www/tsconfig.test.json $(wildcard sample/*.ndjson) $(wildcard docs/*.md)
# tools/deploy.mjs and tools/release.mjs write openapi.json for their own settings.
app: www/dist/index.html $(if $(filter deploy release,$(MAKECMDGOALS)),,www/dist/openapi.json) ## Builds the app into www/dist, and prints the size of its first page
www/dist/index.html: $(APP_SOURCES) wrangler.toml $(NATIVE) www/pkg/edgechart_bg.wasm | tools
	$(call say,building the app)
	@tsc -p reading && tsc -p www && tsc -p www/tsconfig.test.json
	@node www/build.mjs
www/dist/openapi.json: www/dist/index.html build/offered
	@$(NATIVE) openapi --index "$(INDEX)" $(if $(shell grep '^TRUSTED_ISSUERS' wrangler.toml),--edge-only) > $@

wasm: tools $(TEST_RUNNER)
	@CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=$(abspath $(TEST_RUNNER)) \
	  cargo test --target wasm32-unknown-unknown --package edgechart-browser --test browser_face

native: $(NATIVE)
NATIVE_BUILT := $(TARGETS)/$(subst dev,debug,$(NATIVE_PROFILE))/edgechart
NATIVE_TIME := $(if $(filter dev,$(NATIVE_PROFILE)),a minute,two to three minutes)
# With the profile `tests`, the test programs are built too, at build/tests/.
# The Worker builds for wasm only.
NATIVE_MEMBERS := --workspace --exclude edgechart-edge
WASM_MEMBERS := --package edgechart-edge --package edgechart-browser --target wasm32-unknown-unknown
CARGO_TEST := --profile tests $(NATIVE_MEMBERS)
for_tests := $(filter tests,$(NATIVE_PROFILE))
$(NATIVE): $(SOURCES) $(if $(for_tests),$(shell find tests -name '*.rs')) build/native-profile | tools
	$(call say_first,building the command line: $(NATIVE_PROFILE),$(NATIVE_BUILT),$(NATIVE_TIME))
	@$(if $(for_tests),node tools/checks/programs.mjs $(CARGO_TEST),\
	cargo build --profile $(NATIVE_PROFILE) --bin edgechart $(QUIET))
	@cp $(NATIVE_BUILT) $@.new && mv $@.new $@

# ---- data and servers ----
# Runs the command line on the databases of the local server.
admin = STATE="$(STATE)" STORE="$(STORE)" INDEX="$(INDEX)" PORT="$(PORT)" node tools/admin.mjs

secrets: native
	@umask 077; $(NATIVE) keys --into .dev.vars
database: native
	@node tools/server/database.mjs "$(STATE)"
namespace: | tools
	@$(if $(filter kv,$(STORE)),[ -e "$(STATE)/v3/kv" ] || { echo '· making the local KV namespace'; \
	  wrangler kv key put --binding CHARTS --local --persist-to "$(STATE)" _/made now > /dev/null; })

load: $(if $(TARGET),native tools,database namespace) ## Loads DATA="path …" into the local store (TARGET=remote: sends it to ENV=staging|production, as CLIENT= with KEY= or SECRET_FILE=)
	$(call say,loading $(DATA))
	@$(if $(filter-out remote,$(TARGET)),echo '· TARGET is remote or nothing'; exit 1)
	@$(if $(and $(TARGET),$(filter file,$(origin DATA))),echo '· set DATA to the files to send to the deployment'; exit 1)
	@$(if $(TARGET),node tools/admin.mjs "$(or $(ENV),staging)" load $(DATA) $(if $(CLIENT),--client "$(CLIENT)") \
	  $(if $(KEY),--key "$(KEY)") $(if $(SECRET_FILE),--secret-file "$(SECRET_FILE)"),$(admin) local load $(DATA))

# The server starts even if some records had faults (exit status 3).
data: database namespace secrets
	@$(admin) local sandbox > /dev/null
	@$(if $(APPS),$(admin) local register "$(APPS)")
	$(call say,loading $(DATA))
	@$(admin) local load $(DATA) | tail -n 5 || [ $$? = 3 ]

# Checks the port before anything is built, and before the data of a running server is changed.
port: | tools
	@node tools/server/port.mjs "$(PORT)"

dev: port worker app data ## Builds fast, loads the sample, serves on http://localhost:8787 with live reload and jobs (PROFILE=release: optimized)
	@PORT=$(PORT) STATE="$(STATE)" STORE=$(or $(STORE),d1) INDEX="$(INDEX)" tools/server/dev.sh

serve: port worker app data ## Serves the release build on workerd without wrangler, for tests and measurements
	@node tools/server/serve.mjs --port $(PORT) --state "$(STATE)" --store $(or $(STORE),d1) --index "$(INDEX)"

definitions: ## Generates the tables of types and search parameters from DEFINITIONS=folder
	@node tools/definitions.mjs "$(DEFINITIONS)"

# ---- checks ----
# `msrv` checks the oldest Rust that Cargo.toml promises: rustup run 1.91 make msrv
test: tools build/profile build/native-profile ## Runs all checks (ONLY="lint edge/http …": only these areas or steps, and what they need)
	@node tools/checks/run.mjs $(ONLY)

lint: lint-rust lint-tools lint-web ## Checks formatting and lints
lint-rust: tools
	$(call say,lints of Rust)
	@cargo fmt --all --check
	@cargo clippy --quiet $(NATIVE_MEMBERS) --all-targets -- -D warnings
	@cargo clippy --quiet $(WASM_MEMBERS) -- -D warnings
	@# rustfmt does not wrap comments.
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' --include=*.rs src | grep -E '^[^:]+:[0-9]+: *//'

lint-tools:
	@cargo fmt --check --all --manifest-path tools/Cargo.toml
	@cargo clippy --quiet $(of_tools) --workspace --all-targets -- -D warnings

lint-web: node_modules/.package-lock.json
	$(call say,lints of TypeScript and JavaScript)
	@biome ci --error-on-warnings
	@# Biome wraps neither comments nor strings. URLs and messages of a catalogue may be longer.
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' --include=*.ts --include=*.css --include=*.mjs --include=*.js \
	  www/src reading www/build.mjs audit src/edge tests tools/checks \
	  | grep -vE "url\('|^(www/src|reading)/language/es/"

doc: tools
	@RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps --lib $(NATIVE_MEMBERS)
	@RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps --lib $(WASM_MEMBERS)

unit-examples: tools
	@cargo test $(CARGO_TEST) --doc
unit-app: node_modules/.package-lock.json
	@node --test --test-reporter=spec 'www/src/**/*.test.ts'
	@node --test --test-reporter=spec --experimental-test-isolation=none 'reading/**/*.test.ts' # without global state
sizes:
	@node tools/sizes.mjs

msrv: tools
	$(call say,the members with $(shell rustc --version))
	@cargo check --quiet --locked $(NATIVE_MEMBERS)
	@cargo check --quiet --locked $(WASM_MEMBERS)

trials: native browser ## Compares random grants and requests with the evaluator of the tests: TRIALS=100000
	@TRIALS=$(or $(TRIALS),100000) node --test --test-reporter=spec tests/oracle/trials.test.mjs tests/browser/tools.test.mjs

# Tests the browser module, or the Worker with STORE=d1 or STORE=kv.
agree: native browser $(if $(STORE),worker) ## Compares generated searches with the evaluator of the tests: QUERIES=20000
	@QUERIES=$(or $(QUERIES),20000) node --test --test-reporter=spec tests/browser/queries.test.mjs

kills: worker native app ## Kills processes at random while they load, export, move and answer: KILLS=1000 SEED=1
	@node tests/edge/random-kills.mjs

second-reading: worker native app chromium ## Compares charts of public records, or of made-up ones, with a second reading: PATIENTS=100 or INPUTS=400, SEED=1
	@node tests/app/second-reading/run.mjs

deny: ## Checks the Rust packages against deny.toml (needs cargo-deny)
fuzz: ## Fuzzes every parser for SECONDS=10 each (needs a nightly Rust)
# `chromium` and `clients` install what the tests use.
deny fuzz chromium clients:
	@tools/$@.sh

# ---- measures and deployment ----
bench: worker browser app native chromium ## Runs all benchmarks, and prints tables
	@for bench in tools/bench/*.mjs; do node $$bench; echo; done

deploy: worker app native ## Creates what ENV=staging|production lacks, and deploys (DRY_RUN=1: prints all commands, changes nothing)
	@# The budgets apply to release builds.
	@$(if $(fast),,node tools/sizes.mjs)
	@DRY_RUN="$(DRY_RUN)" node tools/deploy.mjs deploy $(or $(ENV),staging)

release: worker app native ## Builds an archive of Worker, app and command line that runs without Rust: docs/release.md
	@node tools/release.mjs
