# edgechart: make dev · make test · make load · make serve · make bench · make deploy · make release
# Each command installs what it needs, may be repeated, and says what it does. Variables of the command line are in the
# environment of what it runs. tools/admin.mjs administers servers.

SHELL := /bin/bash
# A shell whose input is a socket reads the settings of interactive shells, unless it is told not to.
.SHELLFLAGS := --norc -eu -o pipefail -c
.DEFAULT_GOAL := help
# cargo and node use all cores by themselves. Steps that may run beside each other are for tools/checks.
.NOTPARALLEL:

PORT  ?= 8787
DATA  ?= sample
STATE ?= .wrangler/state
# The set of search parameters of the local server and its records. A deployment says it in its configuration.
INDEX ?= r4
DEFINITIONS ?= ../shared/definitions
ifneq ($(filter-out d1 kv,$(STORE)),)
$(error STORE is d1 or kv, not $(STORE))
endif

# `dev` builds fast, `release` is what is tested, measured and deployed. A load takes the command line that is there,
# unless a profile is named.
ifeq ($(PROFILE),)
made := $(if $(filter load,$(MAKECMDGOALS)),$(shell cat build/native-profile 2> /dev/null))
PROFILE := $(if $(filter dev load,$(MAKECMDGOALS)),dev,release)
endif
ifeq ($(filter $(PROFILE),dev release),)
$(error PROFILE is dev or release, not $(PROFILE))
endif
fast := $(filter dev,$(PROFILE))
# Cargo's profile for the command line. The tests need it fast enough, and soon.
NATIVE_PROFILE ?= $(if $(filter test trials,$(MAKECMDGOALS)),tests,$(or $(made),$(if $(fast),dev,cli)))
# What `make dev` starts asks for the same.
export PROFILE NATIVE_PROFILE
# On a terminal, cargo shows its progress.
QUIET := $(if $(MAKE_TERMERR),,--quiet)

export PATH := $(CURDIR)/node_modules/.bin:$(or $(CARGO_HOME),$(HOME)/.cargo)/bin:$(PATH)
# Local runs need nothing from outside.
export WRANGLER_SEND_METRICS := false
export CLOUDFLARE_CF_FETCH_ENABLED := false
export CI := 1

# Where cargo builds: in the clone, or where CARGO_TARGET_DIR says.
TARGETS := $(or $(CARGO_TARGET_DIR),target)
NATIVE := build/edgechart
# The tools in Rust, a workspace of their own.
of_tools := --locked --manifest-path tools/Cargo.toml --target-dir $(TARGETS)/tools
TOOLS := $(TARGETS)/tools/debug
BINDGEN := $(TOOLS)/bindgen
TEST_RUNNER := $(TOOLS)/test-runner
say = @printf '\033[1m· %s\033[0m\n' "$(1)"
# The same, with how long it takes on two cores where that file or folder is not there yet.
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

# What makes JavaScript around wasm, and what runs tests that are wasm: wasm-bindgen's library in a program of our own.
bindgen: $(BINDGEN)
BINDGEN_SOURCES := tools/Cargo.toml tools/Cargo.lock tools/bindgen/Cargo.toml $(wildcard tools/bindgen/src/*.rs)
$(BINDGEN) $(TEST_RUNNER): $(BINDGEN_SOURCES)
	$(call say_first,building the $(notdir $@) for wasm,$@,a minute)
	@cargo build $(of_tools) $(QUIET) --package bindgen --bin $(notdir $@) $(if $(findstring runner,$@),--features test-runner)
	@touch $@

# ---- builds ----
SOURCES := $(shell find src -type f) $(wildcard migrations/*.sql) Cargo.toml Cargo.lock

# Another profile builds anew what stands in the same place.
build/profile: noted = $(PROFILE)
build/native-profile: noted = $(NATIVE_PROFILE)
build/offered: noted = $(INDEX)
build/profile build/native-profile build/offered: always
	@mkdir -p build; [ "$$(cat $@ 2> /dev/null)" = "$(noted)" ] || echo "$(noted)" > $@

wasm_of = $(TARGETS)/wasm32-unknown-unknown/$(if $(fast),debug,$(1))/$(if $(filter browser,$(1)),browser,edge).wasm
worker: build/index_bg.wasm
build/index_bg.wasm: $(SOURCES) $(BINDGEN) tools/wasm.sh build/profile | tools
	$(call say_first,building the Worker: $(PROFILE),$(call wasm_of,release),$(if $(fast),a minute,two to three minutes))
	@TARGETS=$(TARGETS) QUIET=$(QUIET) tools/wasm.sh worker

browser: www/pkg/edgechart_bg.wasm
www/pkg/edgechart_bg.wasm: $(SOURCES) $(BINDGEN) tools/wasm.sh build/profile | tools
	$(call say_first,building the browser module: $(PROFILE),$(call wasm_of,browser),$(if $(fast),half a minute,two minutes))
	@TARGETS=$(TARGETS) QUIET=$(QUIET) tools/wasm.sh browser

APP_SOURCES := $(shell find www/src www/public reading -type f) src/api/pages/theme.css www/index.html www/build.mjs www/guides.mjs www/examples.json www/tsconfig.json www/tsconfig.test.json $(wildcard sample/*.ndjson) $(wildcard docs/*.md)
# A deployment and a release describe what their own settings offer: tools/deploy.mjs, tools/release.mjs.
app: www/dist/index.html $(if $(filter deploy release,$(MAKECMDGOALS)),,www/dist/openapi.json) ## Builds the app into www/dist, and prints what its first page weighs
www/dist/index.html: $(APP_SOURCES) wrangler.toml $(NATIVE) www/pkg/edgechart_bg.wasm | tools
	$(call say,building the app)
	@tsc -p reading && tsc -p www && tsc -p www/tsconfig.test.json
	@node www/build.mjs
www/dist/openapi.json: www/dist/index.html build/offered
	@$(NATIVE) openapi --index $(INDEX) $(if $(shell grep '^TRUSTED_ISSUERS' wrangler.toml),--edge-only) > $@

wasm: tools $(TEST_RUNNER)
	@CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=$(abspath $(TEST_RUNNER)) \
	  cargo test --target wasm32-unknown-unknown --package edgechart-browser --test browser_face

native: $(NATIVE)
NATIVE_BUILT := $(TARGETS)/$(subst dev,debug,$(NATIVE_PROFILE))/edgechart
NATIVE_TIME := $(if $(filter dev,$(NATIVE_PROFILE)),a minute,two to three minutes)
# With the profile of the tests, their programs come with it, at build/tests/.
# The Worker is for wasm alone.
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
# The command line, on the databases of the local server.
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
	@$(if $(and $(TARGET),$(filter file,$(origin DATA))),echo '· DATA says what is sent to a deployment'; exit 1)
	@$(if $(TARGET),node tools/admin.mjs "$(or $(ENV),staging)" load $(DATA) $(if $(CLIENT),--client "$(CLIENT)") \
	  $(if $(KEY),--key "$(KEY)") $(if $(SECRET_FILE),--secret-file "$(SECRET_FILE)"),$(admin) local load $(DATA))

# The server starts with what was taken, also where there were faults.
data: database namespace secrets
	@$(admin) local sandbox > /dev/null
	@$(if $(APPS),$(admin) local register "$(APPS)")
	$(call say,loading $(DATA))
	@$(admin) local load $(DATA) | tail -n 5 || [ $$? = 3 ]

# Said before anything is built, and before the data of a server that runs is touched.
port: | tools
	@node tools/server/port.mjs "$(PORT)"

dev: port worker app data ## Builds fast, loads the sample, serves on http://localhost:8787 with live reload, jobs beside it (PROFILE=release: the real one)
	@PORT=$(PORT) STATE="$(STATE)" STORE=$(or $(STORE),d1) INDEX=$(INDEX) tools/server/dev.sh

serve: port worker app data ## The same on workerd alone: the one to test and to measure against
	@node tools/server/serve.mjs --port $(PORT) --state "$(STATE)" --store $(or $(STORE),d1) --index $(INDEX)

definitions: ## Works out the tables of types and search parameters from DEFINITIONS=folder
	@node tools/definitions.mjs "$(DEFINITIONS)"

# ---- checks ----
# `msrv` is for the oldest Rust that Cargo.toml promises: rustup run 1.91 make msrv
test: tools build/profile build/native-profile ## Everything that is checked (ONLY="lint edge/http …": only these areas or steps, and what they need)
	@node tools/checks/run.mjs $(ONLY)

lint: lint-rust lint-tools lint-web ## Formatting and lints
lint-rust: tools
	$(call say,lints of Rust)
	@cargo fmt --all --check
	@cargo clippy --quiet $(NATIVE_MEMBERS) --all-targets -- -D warnings
	@cargo clippy --quiet $(WASM_MEMBERS) -- -D warnings
	@# rustfmt breaks no comments.
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' --include=*.rs src | grep -E '^[^:]+:[0-9]+: *//'

lint-tools:
	@cargo fmt --check --all --manifest-path tools/Cargo.toml
	@cargo clippy --quiet $(of_tools) --workspace --all-targets -- -D warnings

lint-web: node_modules/.package-lock.json
	$(call say,lints of TypeScript and JavaScript)
	@biome ci --error-on-warnings
	@# Biome breaks neither comments nor texts. An address is as long as it is, and so is a message of a catalogue.
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' --include=*.ts --include=*.css --include=*.mjs --include=*.js \
	  www/src reading www/build.mjs audit src/edge tests tools/checks \
	  | grep -vE "url\('|^(www/src|reading)/language/es/"

doc: tools
	@RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps --lib $(NATIVE_MEMBERS)
	@RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps --lib $(WASM_MEMBERS)

unit-examples: tools
	@cargo test $(CARGO_TEST) --doc
unit-app: node_modules/.package-lock.json
	@node --test --test-reporter=spec 'www/src/**/*.test.ts' 'reading/**/*.test.ts'
sizes:
	@node tools/sizes.mjs

msrv: tools
	$(call say,the members with $(shell rustc --version))
	@cargo check --quiet --locked $(NATIVE_MEMBERS)
	@cargo check --quiet --locked $(WASM_MEMBERS)

trials: native ## Random grants and requests, judged by the evaluator of the tests: TRIALS=100000
	@TRIALS=$(or $(TRIALS),100000) node --test --test-reporter=spec tests/oracle/trials.test.mjs

# The browser module answers, or with STORE=d1 or STORE=kv the Worker.
agree: native browser $(if $(STORE),worker) ## Generated searches, judged by the evaluator of the tests: QUERIES=20000
	@QUERIES=$(or $(QUERIES),20000) node --test --test-reporter=spec tests/browser/queries.test.mjs

kills: worker native app ## Ends processes at random moments while they load, export, move and answer: KILLS=1000 SEED=1
	@node tests/edge/random-kills.mjs

second-reading: worker native app chromium ## Charts of public records, compared with a second reading of their files: PATIENTS=100 SEED=1
	@node tests/app/second-reading/run.mjs

deny: ## Holds the packages of Rust to deny.toml (needs cargo-deny)
fuzz: ## Odd bytes at every parser, for SECONDS=10 each (needs a nightly Rust)
# The other two are for the tests: a browser, and clients by others.
deny fuzz chromium clients:
	@tools/$@.sh

# ---- measures and deployment ----
bench: worker browser app native chromium ## Measures, side by side, and prints tables
	@for bench in tools/bench/*.mjs; do node $$bench; echo; done

deploy: worker app native ## Makes what ENV=staging|production lacks, and deploys (DRY_RUN=1: prints all commands, changes nothing)
	@# The budgets are for release builds.
	@$(if $(fast),,node tools/sizes.mjs)
	@DRY_RUN="$(DRY_RUN)" node tools/deploy.mjs deploy $(or $(ENV),staging)

release: worker app native ## Builds an archive of Worker, app and command line that runs without Rust: docs/release.md
	@node tools/release.mjs
