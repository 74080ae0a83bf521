-- Moved and deleted tasks (docs/adr/0056). A deleted task and everything below it stay for 30 days with negative workspace and
-- project numbers. trash has a row per deleted task, without those below it.
CREATE TABLE trash (
  task INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  project INTEGER NOT NULL,
  -- The parent to return to.
  former_parent INTEGER,
  deleted_by INTEGER NOT NULL REFERENCES members (no),
  deleted_at INTEGER NOT NULL,
  -- The last member whose notifications are hidden. Null once those of every member are.
  hidden_up_to INTEGER
);
CREATE INDEX trash_by_workspace ON trash (ws, deleted_at);
CREATE INDEX trash_by_project ON trash (project);
CREATE INDEX trash_by_time ON trash (deleted_at);
CREATE INDEX trash_unfinished ON trash (hidden_up_to) WHERE hidden_up_to IS NOT NULL;
-- Tasks with comments without the project and assignee of the task so far. A cron job updates them.
CREATE TABLE outdated_comments (
  task INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no)
);
