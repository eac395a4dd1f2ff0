-- Submissions of the operation $bulk-submit (src/ingest/job/submission.rs): manifests that another server offers, and the
-- files that they list. Each file becomes a job. In the database of the authorization server, as the jobs.

CREATE TABLE submission (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  name TEXT NOT NULL,              -- the submissionId of the client
  status TEXT NOT NULL,            -- in-progress, completed or stopped, as the client has said
  created_at INTEGER NOT NULL,     -- microseconds since 1970
  touched_at INTEGER NOT NULL,
  fetched INTEGER NOT NULL DEFAULT 0  -- 1 if all files were fetched, or cannot be
) WITHOUT ROWID;

CREATE TABLE submission_manifest (
  submission TEXT NOT NULL,
  url TEXT NOT NULL,
  headers TEXT NOT NULL,           -- those of the requests for its files, as JSON
  listed INTEGER NOT NULL DEFAULT 0,  -- 1 if its files are known, or it cannot be read
  fault TEXT,
  PRIMARY KEY (submission, url)
) WITHOUT ROWID;

CREATE TABLE submission_file (
  submission TEXT NOT NULL,
  url TEXT NOT NULL,
  manifest TEXT NOT NULL,
  job TEXT,
  fault TEXT,
  PRIMARY KEY (submission, url)
) WITHOUT ROWID;
