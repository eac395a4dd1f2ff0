-- The corrections of the records (src/store/corrections.rs). It is in the database of the authorization server, which is
-- asked at its primary: a load raises the number after it has changed or removed what was stored before.

CREATE TABLE IF NOT EXISTS correction (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  number INTEGER NOT NULL      -- rises, and is not below the time of the last correction, in seconds
);
