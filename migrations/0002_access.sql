-- Who may ask. Secrets are hashed.

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  registration TEXT NOT NULL   -- JSON; see oauth/client.rs
) WITHOUT ROWID;

-- Each authorization that was given. Its tokens end when it is revoked.
CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  subject TEXT,
  created_at INTEGER NOT NULL, -- seconds since 1970
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) WITHOUT ROWID;

-- Whom a user may see: a patient's id, or * for all.
CREATE TABLE access (
  user TEXT NOT NULL,
  patient TEXT NOT NULL,
  PRIMARY KEY (user, patient)
) WITHOUT ROWID;
