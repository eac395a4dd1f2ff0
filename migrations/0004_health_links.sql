-- SMART Health Links, in the database of the authorization server. A file was encrypted before it was sent; its key is in
-- the link alone. A link that its user ends is deleted with its file.

CREATE TABLE IF NOT EXISTS health_links (
  id TEXT PRIMARY KEY,         -- the hash of the last part of the address
  user TEXT NOT NULL,          -- who made it, and can end it
  patient TEXT NOT NULL,
  label TEXT NOT NULL,         -- the words of the user about it
  passcode TEXT NOT NULL,      -- its keyed hash; empty: there is none
  attempts INTEGER NOT NULL,   -- the wrong passcodes that are left
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  file TEXT NOT NULL           -- a JWE
);
CREATE INDEX IF NOT EXISTS health_links_of_user ON health_links (user);
CREATE INDEX IF NOT EXISTS health_links_by_end ON health_links (expires_at);
