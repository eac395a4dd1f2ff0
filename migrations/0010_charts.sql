-- Charts: the records of each compartment, packed by type (src/store/chart). The rows of the types that are searched
-- without a patient stay in `resource`, `fact` and `link`; all other records are in charts alone.

CREATE TABLE compartment (
  n INTEGER PRIMARY KEY,       -- 12 bits for the bucket of its id, and 24 for a number in the bucket
  id TEXT NOT NULL UNIQUE,     -- a patient's id; with an underscore in front, one for resources of no single patient
  version INTEGER NOT NULL     -- another after each change of its charts
);

-- The head or a page of a chart, or a part of one. src/store/sql/chart_rows.rs says how keys are made.
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

ALTER TABLE resource DROP COLUMN changed;
