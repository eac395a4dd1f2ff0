-- What keeps replays and guesses out.

-- Identifiers of assertions that clients have spent.
CREATE TABLE spent (
  client TEXT NOT NULL,
  jti TEXT NOT NULL,           -- its hash
  expires_at INTEGER NOT NULL, -- seconds since 1970; then its assertion has ended too
  PRIMARY KEY (client, jti)
) WITHOUT ROWID;

-- Wrong guesses, by what was guessed and from where.
CREATE TABLE guesses (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  until INTEGER NOT NULL       -- seconds since 1970; then they are forgotten
) WITHOUT ROWID;
