-- Relations between tasks (docs/adr/0053). A relation without a direction starts at the task with the lower id.
CREATE TABLE task_relations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('blocks', 'relates_to', 'duplicates')),
  source INTEGER NOT NULL,
  target INTEGER NOT NULL
);
CREATE UNIQUE INDEX task_relations_by_source ON task_relations (ws, source, type, target);
CREATE INDEX task_relations_by_target ON task_relations (ws, target, type, source);
-- The tasks that block this one and are neither completed nor archived.
ALTER TABLE tasks ADD COLUMN open_blockers INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tasks_blocked ON tasks (ws, project, bucket, assignee) WHERE open_blockers > 0;
