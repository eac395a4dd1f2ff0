-- Ways to sign in beside a password.

-- The accounts at identity providers, as they are registered: `iss` and `sub` of identity tokens.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX identities_of_user ON identities (user);

-- 0: an identity provider may have signed the user in without asking.
ALTER TABLE sessions ADD COLUMN prompted INTEGER NOT NULL DEFAULT 1;

-- Passkeys (WebAuthn credentials).
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,         -- the credential id, in base64url
  user TEXT NOT NULL,
  name TEXT NOT NULL,          -- the name that the user gave it
  public_key TEXT NOT NULL,    -- a JWK, with alg
  sign_count INTEGER NOT NULL, -- the last signature counter of the authenticator
  cloned INTEGER NOT NULL DEFAULT 0, -- 1: the counter did not increase; the passkey is refused
  created_at INTEGER NOT NULL, -- seconds since 1970, as everywhere here
  used_at INTEGER
) WITHOUT ROWID;
CREATE INDEX passkeys_of_user ON passkeys (user);

-- Sign-ins that have begun at an identity provider or with a passkey. Each is used once.
CREATE TABLE sign_in_attempts (
  id TEXT PRIMARY KEY,         -- the hash of the state or of the challenge
  kind TEXT NOT NULL,          -- provider, passkey, new-passkey
  visit TEXT NOT NULL,         -- the hash of the cookie of the browser that it is for
  context TEXT NOT NULL,       -- the issuer; the hash of the pending authorization; the user
  fresh INTEGER NOT NULL,      -- 1: the provider must authenticate the user anew
  began_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (expires_at);
