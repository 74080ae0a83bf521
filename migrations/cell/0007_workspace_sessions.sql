-- Browser sessions that have opened a workspace, copied from the directory (docs/adr/0041).
CREATE TABLE workspace_sessions (
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  id_hash TEXT NOT NULL,
  member INTEGER NOT NULL REFERENCES members (no),
  expires_at INTEGER NOT NULL,
  -- 1 once the directory has confirmed, after this row was inserted, that the session is still open.
  is_confirmed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, id_hash)
) WITHOUT ROWID;
