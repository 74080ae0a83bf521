-- Templates of tasks and projects. The tasks of a template are one JSON text, because they are read and written together.
CREATE TABLE templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  kind TEXT NOT NULL CHECK (kind IN ('task', 'project')),
  name TEXT NOT NULL,
  description TEXT,
  -- Templates of a deleted project stay for the workspace.
  project INTEGER REFERENCES projects (id) ON DELETE SET NULL,
  content TEXT NOT NULL,
  creator INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX templates_by_workspace ON templates (ws, kind);
CREATE INDEX templates_by_project ON templates (project) WHERE project IS NOT NULL;
