-- The shards in which charts are, by ranges of buckets. Without rows all charts are in the database of the directory,
-- which is shard 0. The other shards have the tables `compartment`, `chart` and `format`; the directory lists all
-- compartments, with version 0 if their charts are in another shard.

CREATE TABLE shard_map (
  first INTEGER PRIMARY KEY,   -- the first bucket of a range, which ends before the next one
  shard INTEGER NOT NULL
);
