-- Changes that an app stages until a person approves them (docs/adr/0049).
CREATE TABLE change_sets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL,
  member INTEGER NOT NULL,
  client TEXT NOT NULL,
  app TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'open',
  items INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX change_sets_open ON change_sets (ws, member, client) WHERE status = 'open';
CREATE INDEX change_sets_by_member ON change_sets (member);
CREATE INDEX change_sets_ended ON change_sets (expires_at) WHERE status <> 'open' OR items > 0;

CREATE TABLE change_set_items (
  set_id INTEGER NOT NULL,
  no INTEGER NOT NULL,
  ws INTEGER NOT NULL,
  task INTEGER NOT NULL,
  operation TEXT NOT NULL,
  version INTEGER,
  changes TEXT NOT NULL,
  before TEXT NOT NULL,
  text TEXT,
  text_key TEXT,
  result TEXT,
  problem TEXT,
  made INTEGER,
  PRIMARY KEY (set_id, no)
);
