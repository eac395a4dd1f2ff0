-- Files of records that are loaded in the background (src/ingest/job). The tables are in the database of the authorization
-- server, so that they tell what to load again where the records are restored to an earlier time. Times are microseconds
-- since 1970.

CREATE TABLE job (
  id TEXT PRIMARY KEY,
  file TEXT NOT NULL,             -- the key of the file in the bucket
  client TEXT,                    -- who has sent it; null if it was put into the bucket
  request TEXT,                   -- the hash of the Idempotency-Key of the request
  bytes INTEGER NOT NULL,         -- the size of the file
  created_at INTEGER NOT NULL,
  touched_at INTEGER NOT NULL,    -- the last progress, or the last message
  divided INTEGER NOT NULL DEFAULT 0,  -- 1 if its parts are known
  ended_at INTEGER
) WITHOUT ROWID;

CREATE UNIQUE INDEX job_request ON job (client, request) WHERE request IS NOT NULL;
CREATE INDEX job_unfinished ON job (touched_at) WHERE ended_at IS NULL;

-- The parts of a job. Part 0 is the division of a file that is not loaded as a whole.
CREATE TABLE job_part (
  job TEXT NOT NULL,
  number INTEGER NOT NULL,
  pieces TEXT,                    -- the ranges of objects with its lines, as JSON; null for the whole file
  tries INTEGER NOT NULL DEFAULT 0,
  report TEXT,                    -- JSON, after it was loaded
  PRIMARY KEY (job, number)
) WITHOUT ROWID;

-- When resources were deleted, in microseconds since 1970. Only loads read it: an older form that comes later is left out.
CREATE TABLE deleted (
  reference TEXT PRIMARY KEY,     -- Type/id
  deleted_at INTEGER NOT NULL
) WITHOUT ROWID;

-- From now on `dependent.target` may also be a name to which no resource is known yet, as in `alias`.
