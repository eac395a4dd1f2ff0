-- The times that a file of a submission was begun to be fetched (src/ingest/job/submission.rs). One that cannot be fetched
-- is tried again after the others, and is a fault after several tries.

ALTER TABLE submission_file ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
