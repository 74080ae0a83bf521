-- What a person removed and may bring back for some minutes (docs/adr/0088). rows holds what was deleted, as JSON. A
-- notification belongs to a person and no workspace: its ws is 0.
CREATE TABLE removals (
  ws INTEGER NOT NULL,
  kind TEXT NOT NULL,
  entity INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  rows TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  PRIMARY KEY (ws, kind, entity)
) WITHOUT ROWID;
CREATE INDEX removals_by_age ON removals (removed_at);
