-- When this server deleted a resource, in microseconds since 1970, beside the time that the source states (`deleted_at`).
-- An export asks for what was deleted after an earlier one had listed the records. 0: not known, as of a deletion by an
-- earlier version after this migration. Earlier deletions count as those of now, so that no export misses them.
ALTER TABLE deleted ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE deleted SET changed_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000000;
