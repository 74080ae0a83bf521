-- The recurrence of a task (docs/adr/0052). A row outlives the rule, because it links the tasks of a series.
CREATE TABLE recurrences (
  task INTEGER PRIMARY KEY REFERENCES tasks (id),
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  -- Null once the next task has the rule, or if the rule has ended.
  rule TEXT,
  mode TEXT NOT NULL,
  days INTEGER,
  first_day TEXT NOT NULL,
  slot TEXT NOT NULL,
  occurrence INTEGER NOT NULL DEFAULT 1,
  -- When the cron job creates the next task, in milliseconds.
  due_at INTEGER,
  previous_task INTEGER,
  next_task INTEGER,
  created_by INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX recurrences_due ON recurrences (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX recurrences_due_by_workspace ON recurrences (ws) WHERE due_at IS NOT NULL;
ALTER TABLE tasks ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
