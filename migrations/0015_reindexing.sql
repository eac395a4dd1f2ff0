-- How far the cron trigger has come with indexing records again after parameters were added. There is no row while none
-- are outdated.

CREATE TABLE reindexing (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  params TEXT NOT NULL,        -- the parameters of the version that does it, as in `format`
  done TEXT NOT NULL           -- the last compartment that is done, by its number, or the last row, as Type/id
);
