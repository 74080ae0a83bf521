-- Files of tasks and projects, uploads that are under way, and the bytes that count against the plan.

-- parent is the first version of the file, null for the first version itself. latest marks the version that lists show.
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  task INTEGER,
  project INTEGER,
  parent INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  latest INTEGER NOT NULL DEFAULT 1,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  s3_key TEXT NOT NULL UNIQUE,
  etag TEXT NOT NULL,
  uploaded_by INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((task IS NULL) <> (project IS NULL))
);
CREATE INDEX attachments_by_task ON attachments (task) WHERE task IS NOT NULL AND latest = 1;
CREATE INDEX attachments_by_project ON attachments (project) WHERE project IS NOT NULL;
CREATE UNIQUE INDEX attachments_by_parent ON attachments (parent, version) WHERE parent IS NOT NULL;

-- Presigned uploads and chunked sessions until they end. reserved is what they hold of the plan. A presigned upload that
-- was confirmed stays until its address expires: only then the object can no longer be overwritten. Idempotency keys
-- remember the id, so it is never given twice.
CREATE TABLE uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  s3_key TEXT NOT NULL UNIQUE,
  ws INTEGER NOT NULL,
  member INTEGER NOT NULL,
  task INTEGER,
  project INTEGER,
  session TEXT,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  confirmed INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL
);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

-- Bytes of attachments, and bytes promised to uploads.
CREATE TABLE storage (
  ws INTEGER PRIMARY KEY,
  used INTEGER NOT NULL DEFAULT 0,
  reserved INTEGER NOT NULL DEFAULT 0
);

-- How far a job that goes through everything in pages has come.
CREATE TABLE sweeps (
  name TEXT PRIMARY KEY,
  position TEXT NOT NULL
) WITHOUT ROWID;
