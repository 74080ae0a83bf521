-- What was done under an Idempotency-Key, for 24 hours. id hashes the credential and the key, request hashes the
-- request. The row is written in the batch of the work; the answer follows, and entity is enough to rebuild it.
CREATE TABLE idempotency_keys (
  id TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  entity INTEGER,
  status INTEGER,
  answer TEXT,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
