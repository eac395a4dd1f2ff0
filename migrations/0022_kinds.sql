-- The kinds of jobs (src/job/kind.rs). A version meets only jobs of the kinds that it knows; a version before this
-- column adds loads of files.

ALTER TABLE job ADD COLUMN kind TEXT NOT NULL DEFAULT 'ingest';
-- The parameters of a job, as JSON. Those of a load are also in the columns `file`, `bytes` and `source`, and there
-- alone where a version before has added it.
ALTER TABLE job ADD COLUMN parameters TEXT;

-- A client may use one key for requests of two kinds.
DROP INDEX job_request;
CREATE UNIQUE INDEX job_request ON job (client, request, kind) WHERE request IS NOT NULL;
