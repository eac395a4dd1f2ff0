-- The context of an EHR launch beside the patient, and the encounter that a person picks.

ALTER TABLE launches ADD COLUMN encounter TEXT;                    -- the id of the encounter that is open
ALTER TABLE launches ADD COLUMN intent TEXT;                       -- what the app is to do, as the EHR says
ALTER TABLE launches ADD COLUMN banner INTEGER NOT NULL DEFAULT 0; -- 1: the EHR shows who the patient is

ALTER TABLE pending_authorizations ADD COLUMN encounter TEXT;      -- that was picked for it; empty: none of them

ALTER TABLE grants ADD COLUMN encounter TEXT;
ALTER TABLE grants ADD COLUMN intent TEXT;
ALTER TABLE grants ADD COLUMN banner INTEGER NOT NULL DEFAULT 0;
