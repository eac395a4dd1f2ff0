-- The names of docs/glossary.md: comp is the compartment, sort the sort key, ends the end of a time. They are short because a
-- statement repeats them for each filter, and D1 takes at most 100,000 bytes of it.
ALTER TABLE resource RENAME COLUMN rank TO sort;
ALTER TABLE resource RENAME COLUMN till TO ends;
ALTER TABLE fact RENAME COLUMN lane TO comp;
ALTER TABLE fact RENAME COLUMN slot TO param;
ALTER TABLE fact RENAME COLUMN rank TO sort;
ALTER TABLE fact RENAME COLUMN till TO ends;
ALTER TABLE link RENAME COLUMN slot TO param;

ALTER TABLE interactions RENAME TO pending_authorizations;
ALTER TABLE vouchers RENAME TO single_use_tokens;
ALTER TABLE single_use_tokens RENAME COLUMN spent_by TO redeemed_by;
ALTER TABLE tallies RENAME TO password_failures;
ALTER TABLE spent RENAME TO spent_assertions;
