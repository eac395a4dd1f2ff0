-- The set of parameters by which the records are to be indexed (src/search/index_set.rs): us-core, r4, or lines of types
-- and parameters. Only that of the directory counts. `params` says which parameters the rows are indexed by so far.
ALTER TABLE format ADD COLUMN wanted TEXT NOT NULL DEFAULT 'us-core';
