-- The servers that the files of jobs come from. An absolute reference below the base of the source leads to a record of
-- this server.

ALTER TABLE job ADD COLUMN source TEXT;      -- the FHIR base that the sender names
ALTER TABLE job ADD COLUMN referred TEXT;    -- the bases of the absolute references in a file that is divided: a JSON array
ALTER TABLE submission_manifest ADD COLUMN source TEXT;

-- The clients that the operator has stopped: their files are not loaded, whatever was accepted before. The name is that
-- in `job.client`, also of clients of another authorization server.
CREATE TABLE stopped (
  client TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE VIEW stopped_client AS
  SELECT client FROM stopped UNION SELECT id FROM clients WHERE json_extract(registration, '$.disabled');
