-- The patients who have opted out of a purpose, in the database of the authorization server. Exports of clients that are
-- registered for the purpose leave them out (src/export/work.rs).
CREATE TABLE IF NOT EXISTS opt_out (
  purpose TEXT NOT NULL,       -- provider-access, payer-to-payer
  patient TEXT NOT NULL,
  PRIMARY KEY (purpose, patient)
) WITHOUT ROWID;
