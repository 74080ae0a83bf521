-- Imports of files (docs/adr/0059). The row is the state of the import, so that any run can continue it.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  project INTEGER NOT NULL,
  member INTEGER NOT NULL REFERENCES members (no),
  via TEXT NOT NULL,
  credential INTEGER,
  attachment INTEGER NOT NULL,
  file_name TEXT NOT NULL,
  object_key TEXT NOT NULL,
  etag TEXT NOT NULL,
  -- What the ids in the file belong to.
  source TEXT NOT NULL,
  options TEXT NOT NULL,
  report TEXT,
  status TEXT NOT NULL CHECK (status IN ('ready', 'running', 'completed', 'canceled', 'failed')),
  problem TEXT,
  total INTEGER NOT NULL,
  existing INTEGER NOT NULL,
  made INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  continued_at INTEGER,
  -- When a prepared import is deleted, or a finished one loses its report.
  expires_at INTEGER
);
CREATE INDEX imports_by_workspace ON imports (ws);
CREATE INDEX imports_by_project ON imports (project);
CREATE INDEX imports_ready ON imports (ws) WHERE status = 'ready';
CREATE INDEX imports_running ON imports (status, ws) WHERE status = 'running';
CREATE INDEX imports_expiring ON imports (expires_at) WHERE expires_at IS NOT NULL;
-- The task of each id in a source, kept after the task is deleted, so that importing a file twice changes nothing.
CREATE TABLE imported_tasks (
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  project INTEGER NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  task INTEGER NOT NULL,
  import INTEGER NOT NULL,
  PRIMARY KEY (ws, project, source, external_id)
) WITHOUT ROWID;
