-- People who sign in, and what is under way while they do. Whatever could be used is kept as its hash.

-- A user. What the user may see is in `access`.
CREATE TABLE users (
  name TEXT PRIMARY KEY,
  password TEXT,               -- stretched; see oauth/password.rs
  fhir_user TEXT,              -- Type/id
  disabled INTEGER NOT NULL DEFAULT 0,
  sandbox INTEGER NOT NULL DEFAULT 0 -- 1: of the playground, with a published password: production does not know it
) WITHOUT ROWID;

-- Somebody who is signed in, in one browser.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,         -- the hash of the cookie
  user TEXT NOT NULL,
  since INTEGER NOT NULL,      -- seconds since 1970, as everywhere here
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

-- An authorization request that was found good, until it is answered.
CREATE TABLE interactions (
  id TEXT PRIMARY KEY,         -- the hash of what the forms carry
  visit TEXT NOT NULL,         -- the hash of the cookie of the browser that it is for
  request TEXT NOT NULL,       -- JSON; see oauth/authorize
  user TEXT,                   -- who signed in for it
  patient TEXT,                -- who was picked for it
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

-- What an EHR hands to an app that it launches.
CREATE TABLE launches (
  id TEXT PRIMARY KEY,         -- the hash of the handle
  client TEXT NOT NULL,
  user TEXT NOT NULL,
  patient TEXT,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

-- What the authorization says, beside who gave it to whom.
ALTER TABLE grants ADD COLUMN scope TEXT NOT NULL DEFAULT '';
ALTER TABLE grants ADD COLUMN patient TEXT;
ALTER TABLE grants ADD COLUMN fhir_user TEXT;
ALTER TABLE grants ADD COLUMN session TEXT;                      -- in which it was given
ALTER TABLE grants ADD COLUMN online INTEGER NOT NULL DEFAULT 0; -- 1: it ends with that session
CREATE INDEX grants_of_subject ON grants (subject, client);

-- Codes and refresh tokens: each is exchanged once. All refresh tokens of a grant are one family.
CREATE TABLE vouchers (
  id TEXT PRIMARY KEY,         -- the hash of the voucher
  kind TEXT NOT NULL,          -- code, refresh
  grant_id TEXT NOT NULL,
  request TEXT,                -- of a code: the request that it answers and is bound to
  expires_at INTEGER NOT NULL,
  spent_by TEXT                -- the exchange that it was spent in
) WITHOUT ROWID;
CREATE INDEX vouchers_of_grant ON vouchers (grant_id);

-- Wrong passwords, by whom they were tried for and from where.
CREATE TABLE tallies (
  name TEXT PRIMARY KEY,
  wrong INTEGER NOT NULL,
  seen INTEGER NOT NULL,       -- when the last was
  until INTEGER NOT NULL       -- until when none is looked at
) WITHOUT ROWID;
