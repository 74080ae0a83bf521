-- Due times, and the reminders that people set for themselves.
ALTER TABLE tasks ADD COLUMN due_time TEXT;
-- 1 once anyone has set a reminder. Changes of other tasks then need no statement for reminders.
ALTER TABLE tasks ADD COLUMN has_reminders INTEGER NOT NULL DEFAULT 0;
CREATE TABLE reminders (
  task INTEGER NOT NULL REFERENCES tasks (id),
  member INTEGER NOT NULL REFERENCES members (no),
  -- The position in the list of the person.
  place INTEGER NOT NULL,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  -- One of these two is set.
  minutes_before INTEGER,
  at INTEGER,
  -- When to deliver it, in milliseconds. Null once delivered, or while there is no such time.
  remind_at INTEGER,
  PRIMARY KEY (task, member, place)
) WITHOUT ROWID;
CREATE INDEX reminders_due ON reminders (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX reminders_due_by_workspace ON reminders (ws) WHERE remind_at IS NOT NULL;
