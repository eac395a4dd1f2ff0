-- The records of patients and the directory around them, loaded by `edgechart load` and only read by the Worker.

-- One row a resource. `body` is its final text; it goes out as it stands here.
CREATE TABLE resource (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  patient TEXT NOT NULL,   -- the one patient it belongs to; empty where it is none or several
  owners TEXT,             -- those patients, where it belongs to several: a JSON array
  rank TEXT NOT NULL,      -- its place: newest first by its clinical date, then its id
  till INTEGER,            -- when its clinical date ends, in microseconds since 1970
  starts TEXT NOT NULL,    -- for `_sort`: by slot, the codes of the earliest and of the latest start
  version TEXT NOT NULL,   -- for ETag
  modified TEXT,           -- for Last-Modified
  digest TEXT NOT NULL,    -- of everything that was loaded of it: the same again changes nothing
  body TEXT NOT NULL,
  UNIQUE (type, id)
);

-- One row a searchable value. Everything of one value in one lane stands in the order of the answer, so that a page is
-- one range of keys. A lane is a patient's id, empty (the common lane), or either with ~ behind it (those whose clinical
-- date lasts longer than a day, a second time).
CREATE TABLE fact (
  lane TEXT NOT NULL,
  slot INTEGER NOT NULL,   -- type and parameter
  value TEXT NOT NULL,
  rank TEXT NOT NULL,
  till INTEGER,            -- when the value's own time ends where it is a time, else when the clinical date does
  PRIMARY KEY (lane, slot, value, rank)
) WITHOUT ROWID;

-- What `_include` follows.
CREATE TABLE link (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  slot INTEGER NOT NULL,
  target TEXT NOT NULL,    -- Type/id
  PRIMARY KEY (type, id, slot, target)
) WITHOUT ROWID;

-- Other names of resources, by which later loads resolve references: an address, or `Type?identifier=system|value`.
CREATE TABLE alias (
  name TEXT NOT NULL,
  target TEXT NOT NULL,    -- Type/id
  PRIMARY KEY (name, target)
) WITHOUT ROWID;

-- What these rows were made by. A store of another format is refused.
CREATE TABLE format (
  number TEXT NOT NULL
);
