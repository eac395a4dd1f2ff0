-- The parameters that the rows and the names of the records are indexed by, as a JSON array of their ids. The heads of
-- charts say by themselves which they are indexed by.
ALTER TABLE format ADD COLUMN params TEXT NOT NULL DEFAULT '[]';
