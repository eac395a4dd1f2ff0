-- When the client last got a token by an authorization, in seconds since 1970. A session's `expires_at` now moves with its
-- use; see oauth/ledger.rs.
ALTER TABLE grants ADD COLUMN used_at INTEGER;
