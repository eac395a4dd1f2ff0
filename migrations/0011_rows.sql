-- Each searchable value of a type with rows once. The records have to be loaded again.

DROP TABLE fact;

-- The rows of one value are in the order of the answer. src/search/kind says how values are made.
CREATE TABLE fact (
  param INTEGER NOT NULL,      -- type and parameter
  value TEXT NOT NULL,
  sort TEXT NOT NULL,
  rest TEXT NOT NULL,          -- the system of a token, a string as written, the end of a time; else empty
  PRIMARY KEY (param, value, sort, rest)
) WITHOUT ROWID;

DROP TABLE link;

-- The references that `_include` follows.
CREATE TABLE link (
  id TEXT NOT NULL,
  param INTEGER NOT NULL,      -- type and parameter
  target TEXT NOT NULL,        -- Type/id
  PRIMARY KEY (id, param, target)
) WITHOUT ROWID;

-- The parameters of which the resource has values, as a JSON object from the parameter id to an array: of a date its
-- start, counted forward and backward, and its end.
ALTER TABLE resource RENAME COLUMN starts TO params;
ALTER TABLE resource DROP COLUMN ends;
