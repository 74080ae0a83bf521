-- Who changed access to a workspace, from where and with which credential (docs/adr/0046).
CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  type TEXT NOT NULL,
  -- The member who acted, or whose password was tried. NULL for the service.
  actor INTEGER REFERENCES members (no),
  credential_kind TEXT NOT NULL CHECK (credential_kind IN ('browser', 'session_token', 'api_key', 'oauth', 'service')),
  credential_name TEXT,
  ip TEXT,
  user_agent TEXT,
  -- The member whom the entry is about.
  member INTEGER REFERENCES members (no),
  -- Anything else that the entry is about.
  subject_id TEXT,
  subject_name TEXT,
  details TEXT NOT NULL DEFAULT '{}',
  -- The row of account_acts in the directory that the entry was copied from.
  source TEXT,
  occurred_at INTEGER NOT NULL
);
CREATE INDEX audit_entries_by_time ON audit_entries (ws, occurred_at);
CREATE INDEX audit_entries_by_type ON audit_entries (ws, type, occurred_at);
CREATE INDEX audit_entries_by_actor ON audit_entries (ws, actor, type, occurred_at);
CREATE INDEX audit_entries_by_actor_time ON audit_entries (ws, actor, occurred_at);
CREATE UNIQUE INDEX audit_entries_by_source ON audit_entries (ws, source) WHERE source IS NOT NULL;
