-- The records: patients and the directory around them. docs/storage.md describes the tables. Times are microseconds since
-- 1970. Names of columns are short because a statement repeats them for each filter, and D1 takes at most 100,000 bytes
-- of it.

-- Charts: the records of each compartment, packed by type (src/store/chart).
CREATE TABLE compartment (
  n INTEGER PRIMARY KEY,       -- 12 bits for the bucket of its id, and 19 for a number in the bucket
  id TEXT NOT NULL UNIQUE,     -- a patient's id; with an underscore in front, one for resources of no single patient
  version INTEGER NOT NULL     -- another after each change of its charts; 0 in the directory if they are in another shard
);

-- The head or a page of a chart, or a part of one. src/store/sql/chart_table.rs says how keys are made.
CREATE TABLE chart (
  k INTEGER PRIMARY KEY,
  data BLOB NOT NULL
);

-- The compartments of resources by their names: `Type/id`, an identifier, or the target of a Provenance.
CREATE TABLE locator (
  hash INTEGER NOT NULL,       -- the first eight bytes of the SHA-256 of the name
  n INTEGER NOT NULL,
  PRIMARY KEY (hash, n)
) WITHOUT ROWID;

-- The shards in which charts are, by ranges of buckets. Without rows all charts are in the database of the directory,
-- which is shard 0. The other shards use the tables `compartment`, `chart` and `format`.
CREATE TABLE shard_map (
  first INTEGER PRIMARY KEY,   -- the first bucket of a range, which ends before the next one
  shard INTEGER NOT NULL
);

-- The resources of the types that are searched without a patient, one row each.
CREATE TABLE resource (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  patient TEXT NOT NULL,       -- the only owner; empty if there is none or several
  owners TEXT,                 -- several owners, as a JSON array; if not all are known, they follow an array in it
  sort TEXT NOT NULL,          -- the sort key: newest first by the clinical date, then by id
  params TEXT NOT NULL,        -- JSON from each parameter of which it has values to an array: of a date its sort keys
  version TEXT NOT NULL,       -- for ETag
  modified TEXT,               -- for Last-Modified
  digest TEXT NOT NULL,        -- of all that was loaded of it: the same again changes nothing
  body TEXT NOT NULL,          -- the text, as it is answered
  UNIQUE (type, id)
);

-- Each searchable value of these resources once. The rows of one value are in the order of the answer. src/search/kind
-- says how values are made.
CREATE TABLE fact (
  param INTEGER NOT NULL,      -- type and parameter
  value TEXT NOT NULL,
  sort TEXT NOT NULL,
  rest TEXT NOT NULL,          -- the system of a token, a string as written, the end of a time; else empty
  PRIMARY KEY (param, value, sort, rest)
) WITHOUT ROWID;

-- The references that `_include` follows.
CREATE TABLE link (
  id TEXT NOT NULL,
  param INTEGER NOT NULL,      -- type and parameter
  target TEXT NOT NULL,        -- Type/id
  PRIMARY KEY (id, param, target)
) WITHOUT ROWID;

-- Other names of resources, by which loads resolve references: an address, or an identifier.
CREATE TABLE alias (
  name TEXT NOT NULL,
  target TEXT NOT NULL,        -- Type/id
  PRIMARY KEY (name, target)
) WITHOUT ROWID;

-- The stored resources whose owner, chained values or references depend on a target. Only loads read it: when a target
-- is loaded, its sources are worked out anew.
CREATE TABLE dependent (
  target TEXT NOT NULL,        -- Type/id, stored or not; or a name, as in `alias`, that no resource has yet
  source TEXT NOT NULL,        -- Type/id
  PRIMARY KEY (target, source)
) WITHOUT ROWID;

-- When resources were deleted. Loads leave out an older form that comes later, and exports list what was deleted.
CREATE TABLE deleted (
  reference TEXT PRIMARY KEY,  -- Type/id
  deleted_at INTEGER NOT NULL, -- as the source states
  changed_at INTEGER NOT NULL  -- when this server did it
) WITHOUT ROWID;

-- The form of the rows. A store of another format is refused.
CREATE TABLE format (
  number TEXT NOT NULL,                    -- src/store/format.rs
  params TEXT NOT NULL DEFAULT '[]',       -- the ids of the parameters that rows and names are indexed by, as JSON
  wanted TEXT NOT NULL DEFAULT 'us-core'   -- the set to be indexed by (src/search/index_set.rs); the directory's counts
);

-- How far the cron trigger has come with indexing records again after parameters were added. There is no row while none
-- are outdated.
CREATE TABLE reindexing (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  params TEXT NOT NULL,        -- the parameters of the version that does it, as in `format`
  done TEXT NOT NULL           -- the last compartment that is done, by its number, or the last row, as Type/id
);
