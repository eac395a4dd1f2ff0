-- The stored resources by which it is decided of another whose it is, or under what a chained search finds it: the targets
-- of a Provenance, the members of a Group, the practitioner of a PractitionerRole. Only loads read it: when a target is
-- loaded, its sources are worked out anew.
CREATE TABLE dependent (
  target TEXT NOT NULL,    -- Type/id, stored or not
  source TEXT NOT NULL,    -- Type/id
  PRIMARY KEY (target, source)
) WITHOUT ROWID;

-- From now on `owners` begins with an array, behind which are the patients that are known, where a resource belongs to nobody
-- until all is known that it is about.

-- When a load last changed the text of a resource here, in microseconds since 1970: beside `meta.lastUpdated`, which may be
-- the source's own.
ALTER TABLE resource ADD COLUMN changed INTEGER;
