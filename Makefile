# edgechart: make dev · make test · make load · make serve · make bench · make deploy · make release
# Each command installs what it needs, may be repeated, and says what it does.

SHELL := /bin/bash
# A shell whose input is a socket reads the settings of interactive shells, unless it is told not to.
.SHELLFLAGS := --norc -eu -o pipefail -c
.DEFAULT_GOAL := help
# cargo and node use all cores by themselves. Steps that may run beside each other are for tools/checks.
.NOTPARALLEL:

# What an operator gives is text: neither make nor the shell reads anything in it. Shells have a USER of their own, and
# some an ENV, so that of these two only the command line's count.
GIVEN := ACCESS ACTION APPS ATTACHMENT_BASE_URL BUILT CLIENT DATA DEFINITIONS DRY_RUN EXCEPT FHIR_BASE INDEX JOBS \
  JURISDICTION KEYS LOCATION LOG NAME ONLY PATIENTS PORT PROVIDER QUERIES SEARCH SECONDS SECRET_FILE SEED SETS SHARD \
  SINCE STATE STEP STORE TARGET TRIALS USERS VERSION
as_text = $(if $(filter $(2),$(origin $(1))),$(eval override $(1) := $$(value $(1))))
$(foreach name,$(GIVEN),$(call as_text,$(name),command environment))
$(foreach name,ENV USER,$(call as_text,$(name),command))
# A text as one word of the shell.
quoted = '$(subst ','\'',$(1))'
# The words of a text, each as one of the shell.
quoted_words = $(foreach word,$(1),$(call quoted,$(word)))

PORT  ?= 8787
STORE ?= d1
DATA  ?= sample
APPS  ?=
USERS ?=
ACCESS ?=
STEP  ?=
STATE ?= .wrangler/state
# The deployment that TARGET=remote and `make deploy` are about.
ifeq ($(origin ENV),override)
ifneq ($(words $(ENV)) $(filter staging production,$(ENV)),1 $(ENV))
$(error ENV is staging or production, not $(ENV))
endif
else
ENV := $(if $(filter staging production,$(ENV)),$(ENV),staging)
endif
ifneq ($(words $(STORE)) $(filter d1 kv,$(STORE)),1 $(STORE))
$(error STORE is d1 or kv, not $(STORE))
endif
remote := $(filter remote,$(TARGET))
# The set of search parameters: of the records and of the local server. A deployment says it in its configuration.
INDEX ?= $(if $(remote)$(filter deploy release,$(MAKECMDGOALS)),,r4)
by_index = $(if $(INDEX),--index $(call quoted,$(INDEX)))
DEFINITIONS ?= ../shared/definitions

PYTHON_CLIENTS := fhirclient==4.4.0 fhirpy==2.3.1 smart-fetch==1.0.3
NPM_FHIRCLIENT := 2.6.3

# `dev` builds fast, `release` is what is tested, measured and deployed. What `make dev` starts asks for the same with it.
DEVELOPMENT := dev group load reindex shard register user access disable enable keys audit replay
ifneq ($(and $(filter-out remote,$(TARGET)),$(filter $(DEVELOPMENT),$(MAKECMDGOALS))),)
$(error TARGET is remote, or nothing for the local server, not $(TARGET))
endif
# A profile that is named is built. Else what administers takes the command line that is there.
named := $(filter-out undefined,$(origin PROFILE))
PROFILE ?= $(if $(filter $(DEVELOPMENT),$(MAKECMDGOALS)),dev,release)
ifeq ($(filter $(PROFILE),dev release),)
$(error PROFILE is dev or release, not $(PROFILE))
endif
export PROFILE
fast := $(filter dev,$(PROFILE))
# Cargo's profile for the command line. The tests need it fast enough, and soon.
made := $(if $(named),,$(if $(filter-out dev,$(filter $(DEVELOPMENT),$(MAKECMDGOALS))),$(shell cat build/native-profile 2> /dev/null)))
NATIVE_PROFILE ?= $(if $(filter test,$(MAKECMDGOALS)),tests,$(or $(made),$(if $(fast),dev,cli)))
export NATIVE_PROFILE
# On a terminal, cargo shows its progress.
QUIET := $(if $(MAKE_TERMERR),,--quiet)

# Where documents are served, as the configuration says: a load completes relative attachment addresses with it.
VARIABLES := $(if $(remote),env\.$(ENV)\.vars,vars)
DOCUMENTS := $(shell sed -nE '/^\[$(VARIABLES)\]/,/^\[\[/s/^ATTACHMENT_BASE_URL *= *"([^"]*)".*/\1/p' wrangler.toml)
ifneq ($(DOCUMENTS),)
export ATTACHMENT_BASE_URL ?= $(DOCUMENTS)
endif
ORIGIN    := http://localhost:$(PORT)
local     := $(call quoted,$(ORIGIN))
CARGO_BIN := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin
export PATH := $(CURDIR)/node_modules/.bin:$(CARGO_BIN):$(PATH)
# Local runs need nothing from outside.
export WRANGLER_SEND_METRICS := false
export CLOUDFLARE_CF_FETCH_ENABLED := false
export CI := 1

# What Rust's wasm32-unknown-unknown and wasm-bindgen emit, and workerd has.
WASM_FEATURES := --enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int --enable-bulk-memory \
  --enable-multivalue --enable-reference-types --enable-exception-handling

# With TARGET=remote, the settings with the ids of the account. WRANGLER is another one in tests alone.
WRANGLER ?= wrangler
export WRANGLER
CONFIG := wrangler.$(ENV).toml
AT := --config $(CONFIG) --env $(ENV)
KEYS ?= $(if $(remote),.secrets.$(ENV),.dev.vars)
keys_file := $(call quoted,$(KEYS))

# Where cargo builds: in the clone, or where CARGO_TARGET_DIR says.
TARGETS := $(or $(CARGO_TARGET_DIR),target)
NATIVE := build/edgechart
# The tools in Rust, a workspace of their own.
of_tools := --locked --manifest-path tools/Cargo.toml --target-dir $(TARGETS)/tools
TOOLS := $(TARGETS)/tools/debug
BINDGEN := $(TOOLS)/bindgen
TEST_RUNNER := $(TOOLS)/test-runner
say = @printf '\033[1m· %s\033[0m\n' $(call quoted,$(1))
# The same, with how long it takes on two cores where that file or folder is not there yet.
say_first = $(call say,$(1)$(if $(wildcard $(2)),, (the first time: $(3))))

.PHONY: help
help: ## Lists the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# ---- tools ----------------------------------------------------------------------------------------------------------

node_modules/.package-lock.json: package.json package-lock.json
	$(call say_first,installing the npm packages,node_modules,about a minute)
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: tools bindgen
tools: node_modules/.package-lock.json
	@rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown

# What makes JavaScript around wasm, and what runs tests that are wasm: wasm-bindgen's library in a program of our own.
bindgen: $(BINDGEN)
BINDGEN_SOURCES := tools/Cargo.toml tools/Cargo.lock tools/bindgen/Cargo.toml $(wildcard tools/bindgen/src/*.rs)
$(BINDGEN): $(BINDGEN_SOURCES)
	$(call say_first,building the tool for wasm,$@,half a minute)
	@cargo build $(of_tools) $(QUIET) --package bindgen --bin bindgen
	@touch $@

$(TEST_RUNNER): $(BINDGEN_SOURCES)
	$(call say_first,building the runner of wasm tests,$@,a minute)
	@cargo build $(of_tools) $(QUIET) --package bindgen --features test-runner --bin test-runner
	@touch $@

# A browser for the tests of the app: Chromium without windows, from Debian. Elsewhere: CHROMIUM=/path/to/one
.PHONY: chromium
chromium:
	@[ -n "$${CHROMIUM:-}" ] || command -v chromium-headless-shell > /dev/null || { \
	  echo '· installing chromium-headless-shell'; sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$sudo apt-get update -qq \
	    && $$sudo apt-get install -y -qq --no-install-recommends chromium-headless-shell > /dev/null; }

# ---- builds ---------------------------------------------------------------------------------------------------------

SOURCES := $(shell find src -type f) $(wildcard migrations/*.sql) Cargo.toml Cargo.lock

.PHONY: worker browser app native
# Another profile builds anew what stands in the same place.
.PHONY: always
build/profile build/native-profile build/offered: always
	@mkdir -p build; [ "$$(cat $@ 2> /dev/null)" = $(noted_in_$(notdir $@)) ] || echo $(noted_in_$(notdir $@)) > $@
noted_in_profile = $(PROFILE)
noted_in_native-profile = $(NATIVE_PROFILE)
noted_in_offered = $(call quoted,$(or $(INDEX),us-core))

WASM_TARGET := $(TARGETS)/wasm32-unknown-unknown
wasm_profile = $(if $(fast),,--profile $(1))
wasm_of = $(WASM_TARGET)/$(if $(fast),debug,$(1))/edgechart.wasm
# Optimizes module $(2) as $(1) says, into $(3). No valid address is below 1,024. Functions stand in the order of their
# names, so that what a generic was compiled to is in one place, which gzip makes smaller (docs/performance.md).
define wasm_opt
wasm-opt $(WASM_FEATURES) --low-memory-unused $(1) -g $(2) -o $(3)
@wasm-opt $(WASM_FEATURES) --reorder-functions-by-name --strip-debug --strip-producers $(3) -o $(3)
endef

# What a call costs in wasm is little, and what is inlined is in the bundle again at each place: with the compiler's own
# threshold the Worker has 144 KiB more (docs/performance.md).
INLINING := -C llvm-args=-inline-threshold=50

worker: build/index_bg.wasm
build/index_bg.wasm: $(SOURCES) $(BINDGEN) build/profile | tools
	$(call say_first,building the Worker: $(PROFILE),$(call wasm_of,release),$(if $(fast),a minute,two to three minutes))
	@$(if $(fast),,CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$(INLINING)") \
	  cargo build $(call wasm_profile,release) --lib --target wasm32-unknown-unknown --features edge $(QUIET)
	@$(BINDGEN) worker $(call wasm_of,release) build/module index
	@cd build/module && esbuild --bundle --minify --format=esm --external:*.wasm --outfile=../index.js \
	  --log-level=warning --log-override:duplicate-object-key=silent < $(CURDIR)/src/edge/entry.js
	@$(if $(fast),cp build/module/index_bg.wasm $@,$(call wasm_opt,-O3,build/module/index_bg.wasm,$@))

# What is called once is not inlined if it has more than 20 instructions: gzip makes the module 8 % smaller.
browser: www/pkg/edgechart_bg.wasm
www/pkg/edgechart_bg.wasm: $(SOURCES) $(BINDGEN) build/profile | tools
	$(call say_first,building the browser module: $(PROFILE),$(call wasm_of,browser),$(if $(fast),half a minute,two minutes))
	@cargo build $(call wasm_profile,browser) --lib --target wasm32-unknown-unknown --features browser $(QUIET)
	@$(BINDGEN) browser $(call wasm_of,browser) www/pkg edgechart
	@$(if $(fast),touch $@,$(call wasm_opt,-Oz --converge -ocimfs 20,$@,$@))

APP_SOURCES := $(shell find www/src www/public -type f) src/api/pages/theme.css www/index.html www/build.mjs www/guides.mjs www/examples.json www/tsconfig.json www/tsconfig.test.json $(wildcard sample/*.ndjson) $(wildcard docs/*.md)
# A deployment and a release describe what their own settings offer: tools/deploy.mjs, tools/release.mjs.
app: www/dist/index.html $(if $(filter deploy release,$(MAKECMDGOALS)),,www/dist/openapi.json) ## Builds the app into www/dist, and prints what its first page weighs
www/dist/index.html: $(APP_SOURCES) wrangler.toml $(NATIVE) www/pkg/edgechart_bg.wasm | tools
	$(call say,building the app)
	@tsc -p www && tsc -p www/tsconfig.test.json
	@node www/build.mjs
www/dist/openapi.json: www/dist/index.html build/offered
	@$(NATIVE) openapi $(by_index) $(if $(shell grep '^TRUSTED_ISSUERS' wrangler.toml),--edge-only) > $@

.PHONY: wasm
wasm: tools $(TEST_RUNNER)
	$(call say,the browser module as a page sees it: in Node)
	@CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=$(abspath $(TEST_RUNNER)) \
	  cargo test --target wasm32-unknown-unknown --features browser --test browser_face

native: $(NATIVE)
NATIVE_BUILT := $(TARGETS)/$(subst dev,debug,$(NATIVE_PROFILE))/edgechart
NATIVE_TIME := $(if $(filter dev,$(NATIVE_PROFILE)),a minute,two to three minutes)
# With the profile of the tests, their programs come with it, at build/tests/.
CARGO_TEST := --profile tests --features cli
for_tests := $(filter tests,$(NATIVE_PROFILE))
$(NATIVE): $(SOURCES) $(if $(for_tests),$(shell find tests -name '*.rs')) build/native-profile | tools
	$(call say_first,building the command line: $(NATIVE_PROFILE),$(NATIVE_BUILT),$(NATIVE_TIME))
	@$(if $(for_tests),node tools/checks/programs.mjs $(CARGO_TEST),\
	cargo build --profile $(NATIVE_PROFILE) --features cli --bin edgechart $(QUIET))
	@cp $(NATIVE_BUILT) $@.new && mv $@.new $@

# ---- data -----------------------------------------------------------------------------------------------------------

# The SQLite files in which local D1 keeps the databases of wrangler.toml.
state := $(call quoted,$(STATE))
files_of = $$(node tools/server/d1-files.mjs $(state) $(1))
DB = $(call files_of,DB)
AUTH_DB = $(call files_of,AUTH_DB)
with_shards = SHARDS="$(call files_of,SHARDS)" AUTH_DB_FILE="$(AUTH_DB)"

# Where the shelves go, if they are wanted: the folder in which local KV keeps its values.
KV = $(if $(filter kv,$(STORE)),--kv $(state)/v3/kv)

# Where long documents go: the folder in which local R2 keeps the objects of the bucket of files.
bucket_of_files = $(shell sed -nE '/^\[\[$(1)r2_buckets\]\]/{n;/"FILES"/{n;s/.*"([^"]*)"/\1/p}}' wrangler.toml)
FILES = --files $(state)/v3/r2/$(call bucket_of_files,)

.PHONY: secrets database namespace data group load reindex shard
secrets: native
	@umask 077; $(NATIVE) keys --into .dev.vars

database: native
	@node tools/server/database.mjs $(state)

namespace: | tools
	@$(if $(filter kv,$(STORE)),[ -e $(state)/v3/kv ] || { echo '· making the local KV namespace'; \
	  wrangler kv key put --binding CHARTS --local --persist-to $(state) _/made now > /dev/null; })

# The files of DATA, as words of the shell.
data = $(foreach path,$(DATA),$(foreach file,$(or $(wildcard $(path)),$(path)),$(call quoted,$(file))))
# A remote load keeps a mirror of each deployment, which nobody else on this machine may read.
MIRROR := .wrangler/remote/$(ENV)
mirror := --db $(MIRROR)/mirror.sqlite
on_mirror = umask 077; SHARDS="$$(node tools/server/d1-files.mjs $(MIRROR) MIRRORS $(ENV))"
# The mirror lacks what jobs have stored: the command line writes no SQL for a deployment that has jobs.
as_sql = --sql $(MIRROR)/sql --jobs "$$jobs"
jobs_of_records := SELECT count(*) AS jobs FROM job WHERE kind = 'ingest'
count_jobs = rm -rf $(MIRROR)/sql; echo '· asking $(ENV) whether it takes its records by /ingest'; \
  jobs=$$($(WRANGLER) d1 execute AUTH_DB --remote --yes --json $(AT) --command "$(jobs_of_records)" \
  | node -p 'JSON.parse(fs.readFileSync(0, "utf8"))[0].results[0].jobs')
# Sends the files of a folder: those of each further shard to it, the others to DB, and last those of AUTH_DB.
send_sql = for file in $(1)/SHARD_*/*.sql $(1)/*.sql $(1)/AUTH_DB/*.sql; do [ -e "$$file" ] || continue; \
  case "$$file" in */SHARD_*|*/AUTH_DB/*) database=$$(basename "$$(dirname "$$file")");; *) database=DB;; esac; \
  echo "· sending $$file"; $(WRANGLER) d1 execute "$$database" --remote --yes $(AT) --file "$$file"; done
# Sends the blocks of documents that were not sent before.
send_files = [ ! -e $(MIRROR)/files/put.json ] || { echo '· sending documents'; \
  $(WRANGLER) r2 bulk put $(call bucket_of_files,env\.$(ENV)\.) --remote $(AT) --filename $(MIRROR)/files/put.json \
  $(if $(JURISDICTION),--jurisdiction $(call quoted,$(JURISDICTION))); \
  find $(MIRROR)/files/new -type f -exec mv {} $(MIRROR)/files/sent/ \;; rm $(MIRROR)/files/put.json; }
send_kv = for file in $(MIRROR)/kv/*.json; do [ -e "$$file" ] || continue; echo "· sending $$file"; \
  case "$$file" in *-put.json) what="put";; *) what="delete --force";; esac; \
  $(WRANGLER) kv bulk $$what --binding CHARTS --remote $(AT) "$$file"; rm "$$file"; done
load: $(if $(remote),$(CONFIG) native,database namespace) ## Loads DATA="path …" into the local store (TARGET=remote: into the real one)
ifneq ($(remote),)
ifneq ($(CLIENT),)
	$(call say,sending $(DATA) to /ingest of $(ENV): as the client $(CLIENT))
	@$(NATIVE) load $(data) --to "$$(node tools/deploy.mjs origin $(ENV))" --client $(call quoted,$(CLIENT)) \
	  $(if $(SECRET_FILE),--secret-file $(call quoted,$(SECRET_FILE)))
else
	$(call say,writing $(DATA) for the $(STORE) of $(ENV): as files of SQL (fastest for a first load))
	@# What was taken is sent, also where there were faults.
	@$(count_jobs); $(on_mirror) FHIR_BASE=$${FHIR_BASE:-$$(node tools/deploy.mjs origin $(ENV))/fhir/r4} \
	  $(NATIVE) load $(data) $(mirror) $(by_index) --files $(MIRROR)/files $(if $(filter kv,$(STORE)),--kv $(MIRROR)/kv,$(as_sql)) \
	  || { [ $$? = 3 ] && touch $(MIRROR)/faults; }
	@# What the records refer to is there before them.
	@$(send_files)
	@$(call send_sql,$(MIRROR)/sql)
	@$(send_kv)
	@! rm $(MIRROR)/faults 2> /dev/null || { echo '· not all of it could be taken: see above'; exit 3; }
endif
else
	$(call say,loading $(DATA))
	@$(with_shards) FHIR_BASE=$(local)/fhir/r4 $(NATIVE) load $(data) --db "$(DB)" $(by_index) $(FILES) $(KV)
endif

# A server must know the new map before what has moved is deleted where it was.
LEARNED := 15
needed = $(if $(remote),$(CONFIG),database) native
ACTION ?= status
shard: $(needed) ## Shows the charts of each database, or moves some: ACTION=add, ACTION="move --buckets 0-1023 --to 2"
ifneq ($(and $(remote),$(filter-out status,$(ACTION))),)
	@$(count_jobs); $(on_mirror) $(NATIVE) shard $(call quoted_words,$(ACTION)) $(mirror) $(as_sql) --wait 0
	@$(call send_sql,$(MIRROR)/sql/1-move)
	@echo '· waiting $(LEARNED) s for isolates that use the map of before'; sleep $(LEARNED)
	@$(call send_sql,$(MIRROR)/sql/2-delete)
else
	@$(if $(remote),$(on_mirror),$(with_shards)) \
	  $(NATIVE) shard $(call quoted_words,$(ACTION)) $(if $(remote),$(mirror),--db "$(DB)")
endif

group: database native ## Makes a Group NAME=… of the patients of a SEARCH='Patient?gender=female', in the local store
	@$(if $(remote),echo '· of the local store alone: build/edgechart group --out writes one for a load elsewhere'; exit 1)
	@$(if $(and $(NAME),$(SEARCH)),$(with_shards) FHIR_BASE=$(local)/fhir/r4 $(NATIVE) group $(call quoted,$(NAME)) $(call quoted,$(SEARCH)) --db "$(DB)",\
	echo '· which Group? NAME=Women SEARCH=Patient?gender=female'; exit 1)

reindex: $(needed) ## Indexes the stored records by the search parameters of this version, at once
ifneq ($(remote),)
	@$(count_jobs); $(on_mirror) $(NATIVE) reindex $(mirror) $(by_index) $(if $(filter kv,$(STORE)),--kv $(MIRROR)/kv,$(as_sql))
	@$(call send_sql,$(MIRROR)/sql)
	@$(send_kv)
else
	@$(with_shards) $(NATIVE) reindex --db "$(DB)" $(by_index) $(KV)
endif

.PHONY: definitions additions
definitions: ## Works out the tables of types and search parameters from DEFINITIONS=folder
	@node tools/definitions.mjs $(call quoted,$(DEFINITIONS))
additions: native ## Prints what US Core VERSION=8.0.0 in DEFINITIONS adds to what is served
	@node tools/definitions.mjs $(call quoted,$(DEFINITIONS)) --additions $(call quoted,$(or $(VERSION),8.0.0))

# ---- clients, users and keys ----------------------------------------------------------------------------------------

# Looks up the ids of databases and namespaces, and makes none.
wrangler.%.toml: wrangler.toml jobs/wrangler.toml | tools
	@node tools/deploy.mjs config $*

# A folder that nobody else can read. It is removed at the end, also after a failure.
private = umask 077; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT
# Runs a command on the database of the authorization server, here or in the account. D1 knows a file by its digest, and
# the first line makes it another one each time.
define administer
	@$(if $(remote),$(private); \
	  { echo "-- $$(date -u +%FT%TZ) $$folder"; $(NATIVE) $(1) --sql; } > "$$folder/statements.sql"; \
	  echo '· sending to $(ENV): $(firstword $(1))'; \
	  $(WRANGLER) d1 execute AUTH_DB --remote --yes $(AT) --file "$$folder/statements.sql",$(NATIVE) $(1) --db "$(AUTH_DB)")
endef
user = $(if $(filter override,$(origin USER)),$(call quoted,$(USER)))

.PHONY: register user access disable enable keys audit replay
register: $(needed) ## Registers the clients of APPS=file (TARGET=remote: in the deployment ENV=staging|production)
	@[ -n $(call quoted,$(APPS)) ] || { echo '· which clients? make register APPS=apps.json'; exit 1; }
	$(call administer,register $(call quoted,$(APPS)))

user: $(needed) ## Registers the users of USERS=file, with their passwords and access lists
	@[ -n $(call quoted,$(USERS)) ] || { echo '· which users? make user USERS=users.json'; exit 1; }
	$(call administer,user $(call quoted,$(USERS)) --keys $(keys_file))

access: $(needed) ## Changes whom users may see by ACCESS=file, or shows whom USER=… may see
ifneq ($(user),)
	@$(if $(remote),$(WRANGLER) d1 execute AUTH_DB --remote --yes $(AT) \
	  --command "$$($(NATIVE) access --user $(user) --sql)",$(NATIVE) access --user $(user) --db "$(AUTH_DB)")
else
	@[ -n $(call quoted,$(ACCESS)) ] || { echo '· whose? make access ACCESS=changes.json, or USER=…'; exit 1; }
	$(call administer,access $(call quoted,$(ACCESS)))
endif

replay: $(needed) ## Has the jobs since SINCE=2026-11-24T06:00:00Z done again after a restore, apart from EXCEPT="client …"
	@[ -n $(call quoted,$(SINCE)) ] || { echo '· since when? make replay SINCE=2026-11-24T06:00:00Z'; exit 1; }
	$(call administer,replay --since $(call quoted,$(SINCE)) $(foreach client,$(EXCEPT),--except $(call quoted,$(client))))

# The emergency stop. It goes to D1 as a query, which is quicker than a file.
holder = $(if $(CLIENT),client $(call quoted,$(CLIENT)),$(if $(user),user $(user)))
define switch
	@[ -n '$(if $(holder),one)' ] || { echo '· whom? make $@ CLIENT=… or USER=… (TARGET=remote)'; exit 1; }
	@$(if $(remote),sql=$$($(NATIVE) $@ --sql -- $(holder)); printf '· sending to $(ENV):\n%s\n' "$$sql"; \
	  said=$$($(WRANGLER) d1 execute AUTH_DB --remote --yes --json $(AT) --command "$$sql") \
    || { printf '%s\n' "$$said"; exit 1; }; printf '%s\n' "$$said"; \
	  ! grep -Eq '"outcome": *"unknown"' <<< "$$said" || { echo '· there is none of this name'; exit 1; },\
	$(NATIVE) $@ --db "$(AUTH_DB)" -- $(holder))
endef

disable: $(needed) ## Refuses CLIENT=… or USER=… and ends what they hold (TARGET=remote: in the real database)
	$(switch)
enable: $(needed) ## Takes CLIENT=… or USER=… again
	$(switch)

keys: native ## Rotates the signing keys: STEP=next, five minutes later STEP=swap, an hour later STEP=end
	@[ -n $(call quoted,$(STEP)) ] || { echo '· which step? make $@ STEP=next, STEP=swap or STEP=end'; exit 1; }
	@$(private); $(NATIVE) keys --into $(keys_file) --rotate $(call quoted,$(STEP)) --json \
	  $(if $(remote),--production) > "$$folder/secrets.json"; \
	$(if $(remote),echo '· sending the keys to $(ENV)'; \
	  $(WRANGLER) secret bulk "$$folder/secrets.json" --env $(ENV),echo '· restart the server to use them')

audit: native ## Prints the audit log as FHIR AuditEvents: of the local server (TARGET=remote: as it comes)
	@$(if $(remote),$(WRANGLER) tail --env $(ENV) --format json \
	  | $(NATIVE) audit - --origin "$$(node tools/deploy.mjs origin $(ENV))",\
	$(if $(LOG),$(NATIVE) audit $(call quoted,$(LOG)) --origin $(local),for file in $(state)/workerd.log.1 $(state)/workerd.log; do \
	  [ ! -e "$$file" ] || cat "$$file"; done | $(NATIVE) audit - --origin $(local)))

# ---- a local server's data ------------------------------------------------------------------------------------------

# The server starts with what was taken, also where there were faults.
data: database namespace secrets
	@$(NATIVE) sandbox --db "$(AUTH_DB)" --origin $(local) > /dev/null
	@$(if $(APPS),$(NATIVE) register $(call quoted,$(APPS)) --db "$(AUTH_DB)")
	$(call say,loading $(DATA))
	@$(with_shards) FHIR_BASE=$(local)/fhir/r4 $(NATIVE) load $(data) --db "$(DB)" $(by_index) $(FILES) $(KV) | tail -n 5 || [ $$? = 3 ]

# ---- servers --------------------------------------------------------------------------------------------------------

# The identity provider of tools/server/provider.mjs, as a configuration of the server.
of_provider = --var 'IDENTITY_PROVIDERS:[{"issuer":"http://localhost:9090","name":"an identity provider","client_id":"edgechart","secret":"IDP_SECRET"}]' \
  --var IDP_SECRET:a-secret-for-one-machine

.PHONY: dev serve port
# Said before anything is built, and before the data of a server that runs is touched.
port: | tools
	@node tools/server/port.mjs $(call quoted,$(PORT))

dev: port worker app data ## Builds fast, loads the sample, serves on http://localhost:8787 with live reload, jobs beside it (PROFILE=release: the real one)
	@node tools/server/hello.mjs $(local) &
	@node tools/server/cron.mjs $(local) & cron=$$!; node www/build.mjs --watch & beside="$$cron $$!"; trap 'kill $$beside 2> /dev/null' EXIT; \
	$(if $(PROVIDER),node tools/server/provider.mjs $(local) a-secret-for-one-machine & beside="$$beside $$!"; )\
	jobs="$$(node tools/server/jobs-settings.mjs $(state) ORIGIN=$(local) STORE=$(STORE) INDEX=$(call quoted,$(INDEX)))"; \
	wrangler dev --config wrangler.toml --config "$$jobs" --port $(call quoted,$(PORT)) --persist-to $(state) --var ORIGIN:$(local) --var STORE:$(STORE) --var INDEX:$(call quoted,$(INDEX)) $(if $(PROVIDER),$(of_provider)) \
	  --show-interactive-dev-session=false

serve: port worker app data ## The same on workerd alone: the one to test and to measure against
	@node tools/server/serve.mjs --port $(call quoted,$(PORT)) --state $(state) --store $(STORE) --index $(call quoted,$(INDEX))

# ---- checks ---------------------------------------------------------------------------------------------------------

WASM := --target wasm32-unknown-unknown --lib

# `msrv` is for the oldest Rust that Cargo.toml promises: rustup run 1.91 make msrv
.PHONY: test lint lint-rust lint-tools lint-web doc unit-examples unit-app msrv sizes deny clients trials agree fuzz
test: tools build/profile build/native-profile ## Everything that is checked (ONLY="lint edge/http …": only these areas or steps, and what they need)
	@BUILT=$(call quoted,$(BUILT)) $(if $(SHARD),SHARD=$(call quoted,$(SHARD))) \
	  $(if $(JOBS),JOBS=$(call quoted,$(JOBS))) node tools/checks/run.mjs $(call quoted_words,$(ONLY))

lint: lint-rust lint-tools lint-web ## Formatting and lints
lint-rust: tools
	$(call say,lints of Rust)
	@cargo fmt --check
	@cargo clippy --quiet -- -D warnings
	@cargo clippy --quiet --features cli --all-targets -- -D warnings
	@# Their builds prove that each needs nothing of the other.
	@cargo clippy --quiet --features edge,browser $(WASM) -- -D warnings
	@# rustfmt breaks no comments.
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' --include=*.rs src | grep -E '^[^:]+:[0-9]+: *//'

lint-tools:
	@cargo fmt --check --all --manifest-path tools/Cargo.toml
	@cargo clippy --quiet $(of_tools) --workspace --all-targets -- -D warnings

lint-web: tools
	$(call say,lints of TypeScript and JavaScript)
	@biome ci --error-on-warnings
	@# Biome breaks neither comments nor texts. An address is as long as it is, and so is a message of a catalogue.
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' --include=*.ts --include=*.css --include=*.mjs --include=*.js \
	  www/src www/build.mjs audit src/edge tests tools/checks \
	  | grep -vE "url\('|^www/src/language/es/"

doc: tools
	$(call say,documentation)
	@RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps --lib --features cli
	@RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps --lib --features edge,browser --target wasm32-unknown-unknown

unit-examples: tools
	@cargo test $(CARGO_TEST) --doc

unit-app: tools
	@node --test --test-reporter=spec 'www/src/**/*.test.ts'

sizes:
	@node tools/sizes.mjs

msrv: tools
	$(call say,the features with $(shell rustc --version))
	@cargo check --quiet --locked
	@cargo check --quiet --locked --features cli --bins
	@cargo check --quiet --locked --features edge $(WASM)
	@cargo check --quiet --locked --features browser $(WASM)


# Licences, bans, sources; and advisories, where their database can be had.
deny: ## Holds the packages of Rust to deny.toml (needs cargo-deny)
	@cargo deny --version > /dev/null 2>&1 || { echo '· cargo-deny is not here: cargo install --locked cargo-deny'; exit 1; }
	@for manifest in Cargo.toml tools/Cargo.toml; do \
	  cargo deny --log-level error --manifest-path $$manifest check bans licenses sources; done
	@if cargo deny fetch db > /dev/null 2>&1; then cargo deny --log-level error check --disable-fetch advisories; \
	else echo '· the database of advisories cannot be had here: advisories are not checked'; fi

# Clients of the tests, by others, besides those in package.json. A test is skipped where there is no Python, or no way to
# its package. Of npm's fhirclient, only the file that a page loads is fetched: what it needs is in it.
PYTHON := .wrangler/python/bin/python3
clients:
	@cmp -s .wrangler/python/clients <(echo '$(PYTHON_CLIENTS)') || { \
	  echo '· installing FHIR clients for Python'; rm -rf .wrangler/python; python3 -m venv .wrangler/python \
	    && $(PYTHON) -m pip install --quiet --disable-pip-version-check $(PYTHON_CLIENTS) \
	    && echo '$(PYTHON_CLIENTS)' > .wrangler/python/clients \
	    || { rm -rf .wrangler/python; echo '· they cannot be had here: their tests are skipped'; }; }
	@grep -qs '"version": "$(NPM_FHIRCLIENT)"' .wrangler/npm-fhirclient/package/package.json || { \
	  echo '· fetching fhirclient of npm'; rm -rf .wrangler/npm-fhirclient; mkdir -p .wrangler/npm-fhirclient; \
	  { cd .wrangler/npm-fhirclient && npm pack --silent fhirclient@$(NPM_FHIRCLIENT) > /dev/null && tar -xzf *.tgz; } \
	    || echo '· it cannot be had here: its test is skipped'; }

TRIALS ?= 100000
trials: ## Random grants and requests, judged by a second reading: TRIALS=100000
	$(call say,$(TRIALS) trials)
	@TRIALS=$(call quoted,$(TRIALS)) cargo test --profile cli --features cli --test integration trials:: -- --nocapture

QUERIES ?= 20000
# The browser module answers, or with STORE=d1 or STORE=kv the Worker.
agree: native browser $(if $(filter-out file,$(origin STORE)),worker) ## Generated searches, judged by the evaluator of the tests: QUERIES=20000
	$(call say,$(QUERIES) searches)
	@QUERIES=$(call quoted,$(QUERIES)) $(if $(SEED),SEED=$(call quoted,$(SEED))) \
	  $(if $(filter-out file,$(origin STORE)),STORE=$(STORE)) \
	  node --test --test-reporter=spec tests/browser/queries.test.mjs

.PHONY: second-reading
# Charts of whole public sets in Chromium: PATIENTS= of each set that has more, chosen by SEED=, after the first FROM=;
# SETS= words in their names; FOLDER= a folder of other files; PLACES=no reads the summaries of charts alone.
second-reading: worker native app chromium ## Charts of public records, compared with a second reading of their files: PATIENTS=100 SEED=1
	@$(foreach name,PATIENTS FROM SEED SETS FOLDER PLACES,$(if $($(name)),$(name)=$(call quoted,$($(name))))) \
	  node tests/app/second-reading/run.mjs

fuzz: ## Odd bytes at every parser, for SECONDS=10 each (needs a nightly Rust)
	@if cargo +nightly --version > /dev/null 2>&1; then \
	  cp Cargo.lock fuzz/Cargo.lock; \
	  cargo fuzz --version > /dev/null 2>&1 || { echo '· installing cargo-fuzz'; cargo install cargo-fuzz --locked --quiet; }; \
	  for target in $$(cargo +nightly fuzz list); do \
	    printf '%-10s ' "$$target"; mkdir -p "fuzz/corpus/$$target"; \
	    cargo +nightly fuzz run "$$target" "fuzz/corpus/$$target" "fuzz/seeds/$$target" -- -max_total_time=$(call quoted,$(or $(SECONDS),10)) \
	      > fuzz/last.log 2>&1 || { tail -n 40 fuzz/last.log; exit 1; }; \
	    grep '^Done' fuzz/last.log; \
	  done; \
	else echo '· no nightly Rust is here (rustup toolchain install nightly): nothing is fuzzed'; fi

# ---- measures and deployment ----------------------------------------------------------------------------------------

.PHONY: bench deploy release
bench: worker browser app native chromium ## Measures, side by side, and prints tables
	@for bench in tools/bench/*.mjs; do node $$bench; echo; done

deploy: worker app native ## Makes what ENV=staging|production lacks, and deploys (DRY_RUN=1: prints all commands, changes nothing)
	@# The budgets are for release builds.
	@$(if $(fast),,node tools/sizes.mjs)
	@DRY_RUN=$(call quoted,$(DRY_RUN)) node tools/deploy.mjs deploy $(ENV)

release: worker app native ## Builds an archive of Worker, app and command line that runs without Rust: docs/release.md
	@node tools/release.mjs
