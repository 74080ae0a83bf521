-- Exports of whole workspaces (docs/adr/0071). The row is the state of the export, so that any run can continue it.
CREATE TABLE exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  member INTEGER NOT NULL REFERENCES members (no),
  status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'removed')),
  has_files INTEGER NOT NULL,
  problem TEXT,
  object_key TEXT NOT NULL,
  -- The multipart upload of the archive, until it is complete.
  upload_id TEXT,
  part_bytes INTEGER NOT NULL,
  etag TEXT,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- JSON: how far the export has come, and what it has written.
  position TEXT NOT NULL,
  -- Counts the slices, so that a run that has been overtaken cannot commit.
  version INTEGER NOT NULL DEFAULT 1,
  failures INTEGER NOT NULL DEFAULT 0,
  -- Another run can continue the export from this time.
  leased_until INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  expires_at INTEGER
);
CREATE INDEX exports_by_workspace ON exports (ws);
CREATE UNIQUE INDEX exports_running ON exports (ws) WHERE status = 'running';
CREATE INDEX exports_due ON exports (leased_until) WHERE status = 'running';
CREATE INDEX exports_expiring ON exports (expires_at) WHERE expires_at IS NOT NULL;
-- The files in an archive, in order.
CREATE TABLE export_entries (
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  export INTEGER NOT NULL,
  no INTEGER NOT NULL,
  path TEXT NOT NULL,
  -- A missing file is not in the archive. A partial file was deleted while it was copied.
  state TEXT NOT NULL CHECK (state IN ('complete', 'partial', 'missing')),
  records INTEGER,
  bytes INTEGER NOT NULL,
  packed_bytes INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  start INTEGER NOT NULL,
  PRIMARY KEY (ws, export, no)
) WITHOUT ROWID;
-- The parts of the archive that have been uploaded.
CREATE TABLE export_parts (
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  export INTEGER NOT NULL,
  no INTEGER NOT NULL,
  etag TEXT NOT NULL,
  PRIMARY KEY (ws, export, no)
) WITHOUT ROWID;
-- Exports read these tables by workspace, in the order of their ids. The condition is always true. It keeps the indexes
-- out of the plans of all other statements.
CREATE INDEX attachments_by_workspace ON attachments (ws) WHERE id > 0;
CREATE INDEX time_entries_by_workspace ON time_entries (ws) WHERE id > 0;
