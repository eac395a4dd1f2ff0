-- The parts of exports (src/export): files in the bucket that exports of the same resources share. In the database of the
-- authorization server, as the jobs. Times are microseconds since 1970.

CREATE TABLE export_part (
  digest TEXT PRIMARY KEY,        -- of what the part has: the resources with their versions, and what was asked of them
  object TEXT NOT NULL,           -- the beginning of the keys of its objects
  segments TEXT NOT NULL,         -- JSON: where the resources of each type are, what they refer to, and what could not be read
  made_at INTEGER NOT NULL,
  until INTEGER NOT NULL          -- when no export needs it any more
);

CREATE INDEX export_part_by_end ON export_part (until);
