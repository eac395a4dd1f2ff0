-- The database of the authorization server: clients, users and what they hold, and the jobs. docs/storage.md describes
-- the tables. Whatever could be used is stored as its hash. Times are seconds since 1970, of jobs and exports
-- microseconds.

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  registration TEXT NOT NULL   -- JSON; see src/oauth/client.rs
) WITHOUT ROWID;

CREATE TABLE users (
  name TEXT PRIMARY KEY,
  password TEXT,               -- stretched; see src/oauth/password.rs
  fhir_user TEXT,              -- Type/id
  disabled INTEGER NOT NULL DEFAULT 0,
  sandbox INTEGER NOT NULL DEFAULT 0 -- 1: with a published password; production does not know the user
) WITHOUT ROWID;

-- The patients whom a user may see.
CREATE TABLE access (
  user TEXT NOT NULL,
  patient TEXT NOT NULL,       -- an id, or * for all
  PRIMARY KEY (user, patient)
) WITHOUT ROWID;

-- Users who are signed in, each in one browser.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,         -- the hash of the cookie
  user TEXT NOT NULL,
  since INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, -- moves with use
  prompted INTEGER NOT NULL DEFAULT 1 -- 0: an identity provider may have signed the user in without asking
) WITHOUT ROWID;

-- Authorization requests that were found good, until they are answered.
CREATE TABLE pending_authorizations (
  id TEXT PRIMARY KEY,         -- the hash of what the forms carry
  visit TEXT NOT NULL,         -- the hash of the cookie of the browser that it is for
  request TEXT NOT NULL,       -- JSON; see src/oauth/authorize
  user TEXT,                   -- who signed in for it
  patient TEXT,                -- who was picked for it
  encounter TEXT,              -- which was picked for it; empty: none of them
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX pending_authorizations_by_end ON pending_authorizations (expires_at);

-- The context that an EHR hands to an app that it launches.
CREATE TABLE launches (
  id TEXT PRIMARY KEY,         -- the hash of the handle
  client TEXT NOT NULL,
  user TEXT NOT NULL,
  patient TEXT,
  encounter TEXT,              -- the id of the encounter that is open
  intent TEXT,                 -- what the app is to do, as the EHR says
  banner INTEGER NOT NULL DEFAULT 0, -- 1: the EHR shows who the patient is
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX launches_by_end ON launches (expires_at);

-- Each authorization that was given. Its tokens end when it is revoked.
CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  subject TEXT,
  scope TEXT NOT NULL DEFAULT '',
  patient TEXT,
  encounter TEXT,
  intent TEXT,
  banner INTEGER NOT NULL DEFAULT 0,
  fhir_user TEXT,
  session TEXT,                      -- in which it was given
  online INTEGER NOT NULL DEFAULT 0, -- 1: it ends with that session
  created_at INTEGER NOT NULL,
  used_at INTEGER,                   -- when the client last got a token by it
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) WITHOUT ROWID;
CREATE INDEX grants_of_subject ON grants (subject, client);
CREATE INDEX grants_by_end ON grants (expires_at);

-- Codes and refresh tokens: each is exchanged once. All refresh tokens of a grant are one family.
CREATE TABLE single_use_tokens (
  id TEXT PRIMARY KEY,         -- the hash of the token
  kind TEXT NOT NULL,          -- code, refresh
  grant_id TEXT NOT NULL,
  request TEXT,                -- of a code: the request that it answers and is bound to
  expires_at INTEGER NOT NULL,
  redeemed_by TEXT             -- the exchange in which it was redeemed
) WITHOUT ROWID;
CREATE INDEX single_use_tokens_of_grant ON single_use_tokens (grant_id);

-- Wrong passwords, by whom they were tried for and from where.
CREATE TABLE password_failures (
  name TEXT PRIMARY KEY,
  wrong INTEGER NOT NULL,
  seen INTEGER NOT NULL,       -- when the last was
  until INTEGER NOT NULL       -- until when none is looked at
) WITHOUT ROWID;
CREATE INDEX password_failures_by_last ON password_failures (seen);

-- Counters: of other wrong guesses, by what was guessed and from where, and of calls of tools in a day, by grant.
CREATE TABLE guesses (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  until INTEGER NOT NULL       -- when they are forgotten
) WITHOUT ROWID;
CREATE INDEX guesses_by_end ON guesses (until);

-- Identifiers of assertions that clients have spent.
CREATE TABLE spent_assertions (
  client TEXT NOT NULL,
  jti TEXT NOT NULL,           -- its hash
  expires_at INTEGER NOT NULL, -- when its assertion has ended too
  PRIMARY KEY (client, jti)
) WITHOUT ROWID;
CREATE INDEX spent_assertions_by_end ON spent_assertions (expires_at);

-- The accounts at identity providers, as they are registered: `iss` and `sub` of identity tokens.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX identities_of_user ON identities (user);

-- Sign-ins that have begun at an identity provider. Each is used once.
CREATE TABLE sign_in_attempts (
  id TEXT PRIMARY KEY,         -- the hash of the state
  issuer TEXT NOT NULL,
  visit TEXT NOT NULL,         -- the hash of the cookie of the browser that it is for
  fresh INTEGER NOT NULL,      -- 1: the provider must authenticate the user anew
  began_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (expires_at);

-- The corrections of the records (src/store/corrections.rs). It is here because this database is asked at its primary: a
-- load raises the number after it has changed or removed what was stored before.
CREATE TABLE correction (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  number INTEGER NOT NULL      -- rises, and is not below the time of the last correction, in seconds
);

-- Jobs: work in the background (src/job). They are here so that they tell what to load again where the records are
-- restored to an earlier time.
CREATE TABLE job (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,              -- ingest, export; a version meets only jobs of the kinds that it knows
  parameters TEXT NOT NULL,        -- what it is about, as JSON
  client TEXT,                     -- who has asked for it; null for a file that was put into the bucket
  request TEXT,                    -- the hash of the Idempotency-Key of the request
  bytes INTEGER NOT NULL,          -- how much it counts while it waits
  created_at INTEGER NOT NULL,
  touched_at INTEGER NOT NULL,     -- the last progress, or the last message
  divided INTEGER NOT NULL DEFAULT 0, -- 1 if its parts are known
  notes TEXT,                      -- of the division for all parts, as JSON
  ended_at INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX job_request ON job (client, request, kind) WHERE request IS NOT NULL;
CREATE INDEX job_unfinished ON job (touched_at) WHERE ended_at IS NULL;

-- The parts of a job. Part 0 is the division of one that is not done as a whole.
CREATE TABLE job_part (
  job TEXT NOT NULL,
  number INTEGER NOT NULL,
  contents TEXT,                   -- JSON; null for the whole job
  tries INTEGER NOT NULL DEFAULT 0,
  report TEXT,                     -- JSON, at its end
  PRIMARY KEY (job, number)
) WITHOUT ROWID;

-- The clients that the operator has stopped and that have no registration here: their files are not loaded, whatever
-- was accepted before. The name is that in `job.client`.
CREATE TABLE stopped (
  client TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE VIEW stopped_client AS
  SELECT client FROM stopped UNION SELECT id FROM clients WHERE json_extract(registration, '$.disabled');

-- The parts of exports (src/export): files in the bucket that exports of the same resources share.
CREATE TABLE export_part (
  digest TEXT PRIMARY KEY,     -- of the resources with their versions, and of what was asked of them
  object TEXT NOT NULL,        -- the beginning of the keys of its objects
  segments TEXT NOT NULL,      -- JSON: where the resources of each type are, what they refer to, and what failed
  made_at INTEGER NOT NULL,
  until INTEGER NOT NULL       -- when no export needs it any more
);
CREATE INDEX export_part_by_end ON export_part (until);
