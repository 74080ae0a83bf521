-- What the dashboard, meetings and time tracking add. Everything is additive: no table is rebuilt.

-- Days before counted_until are summed in task_counts.past0 to past4, later days stand in due_days. A cron moves the
-- border daily; a late cron costs rows, never exactness.
ALTER TABLE workspaces ADD COLUMN counted_until TEXT NOT NULL DEFAULT '2026-01-01';
CREATE INDEX workspaces_by_border ON workspaces (counted_until);

-- Unarchived tasks of each status (0 to 4) that were due before the border.
ALTER TABLE task_counts ADD COLUMN past0 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN past1 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN past2 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN past3 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN past4 INTEGER NOT NULL DEFAULT 0;

CREATE TABLE due_days (
  project INTEGER NOT NULL,
  day TEXT NOT NULL,
  s0 INTEGER NOT NULL DEFAULT 0,
  s1 INTEGER NOT NULL DEFAULT 0,
  s2 INTEGER NOT NULL DEFAULT 0,
  s3 INTEGER NOT NULL DEFAULT 0,
  s4 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project, day)
) WITHOUT ROWID;

-- name_key is the folded name (src/tasks/fold.ts); completed_on the civil date in the time zone of the workspace.
ALTER TABLE tasks ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN completed_on TEXT;
ALTER TABLE tasks ADD COLUMN st INTEGER GENERATED ALWAYS AS (archived * 5 + status) VIRTUAL;
CREATE INDEX tasks_by_project_due ON tasks (project, st, due);
CREATE INDEX tasks_by_member_due ON tasks (member, st, due, project);
CREATE INDEX tasks_by_name ON tasks (ws, archived, name_key, project, member);
-- Comments are searched in their folded form.
ALTER TABLE comments ADD COLUMN content_key TEXT NOT NULL DEFAULT '';
CREATE INDEX comments_by_workspace ON comments (ws);

-- date and time are the wall clock of the latest occurrence; slot is the day that the recurrence rule gave it, from
-- which the next one follows even when this one was moved. due_at is when the next occurrence must exist (UTC ms), null
-- once there will be none.
CREATE TABLE meetings (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  project INTEGER NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  description TEXT,
  link TEXT,
  location TEXT,
  duration_minutes INTEGER NOT NULL,
  recurrence TEXT,
  first_date TEXT NOT NULL,
  first_time TEXT NOT NULL,
  occurrence INTEGER NOT NULL DEFAULT 1,
  slot TEXT NOT NULL,
  date TEXT NOT NULL,
  time TEXT NOT NULL,
  due_at INTEGER,
  created_by INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL,
  cancelled_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX meetings_by_project ON meetings (project, date, time, due_at) WHERE cancelled_at IS NULL;
CREATE INDEX meetings_by_workspace ON meetings (ws, date, time, due_at) WHERE cancelled_at IS NULL;
CREATE INDEX meetings_due ON meetings (due_at) WHERE due_at IS NOT NULL AND cancelled_at IS NULL;

-- Who takes part in an occurrence, and with which task.
CREATE TABLE meeting_tasks (
  meeting INTEGER NOT NULL REFERENCES meetings (id),
  occurrence INTEGER NOT NULL,
  member INTEGER NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (meeting, occurrence, member)
) WITHOUT ROWID;

-- A running entry has no end. The index allows one a member, whatever races.
CREATE TABLE time_entries (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  member INTEGER NOT NULL REFERENCES members (no),
  task INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE UNIQUE INDEX time_entries_running ON time_entries (member) WHERE ended_at IS NULL;
CREATE INDEX time_entries_by_member ON time_entries (member, started_at);

-- Fills the new columns and counters for tasks that exist already.
UPDATE tasks SET name_key = lower(name);
UPDATE comments SET content_key = lower(content);
INSERT INTO due_days (project, day, s0, s1, s2, s3, s4) SELECT project, due, sum(status = 0), sum(status = 1), sum(status = 2), sum(status = 3), sum(status = 4) FROM tasks WHERE archived = 0 AND due <> '9999-99-99' GROUP BY project, due;
INSERT INTO task_counts (ws, member, project, past0, past1, past2, past3, past4) SELECT ws, 0, project, sum(status = 0), sum(status = 1), sum(status = 2), sum(status = 3), sum(status = 4) FROM tasks WHERE archived = 0 AND due < '2026-01-01' GROUP BY ws, project UNION ALL SELECT ws, member, project, sum(status = 0), sum(status = 1), sum(status = 2), sum(status = 3), sum(status = 4) FROM tasks WHERE archived = 0 AND due < '2026-01-01' AND member > 0 GROUP BY ws, member, project ON CONFLICT (ws, member, project) DO UPDATE SET past0 = excluded.past0, past1 = excluded.past1, past2 = excluded.past2, past3 = excluded.past3, past4 = excluded.past4;
