-- One row per task that has a checklist. Its lines are one JSON array, so that reading or changing a checklist costs one row.
CREATE TABLE checklists (
  task INTEGER PRIMARY KEY REFERENCES tasks (id),
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  lines TEXT NOT NULL,
  -- The id of the next line. An id is never used twice within a task.
  next_line INTEGER NOT NULL,
  version INTEGER NOT NULL
);
ALTER TABLE tasks ADD COLUMN checklist_total INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN checklist_done INTEGER NOT NULL DEFAULT 0;
