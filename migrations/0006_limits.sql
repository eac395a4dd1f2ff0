-- Rows are found by their end, so that those that have ended can be deleted in slices.
CREATE INDEX interactions_by_end ON interactions (expires_at);
CREATE INDEX launches_by_end ON launches (expires_at);
CREATE INDEX grants_by_end ON grants (expires_at);
CREATE INDEX spent_by_end ON spent (expires_at);
CREATE INDEX guesses_by_end ON guesses (until);
CREATE INDEX tallies_by_last ON tallies (seen);
