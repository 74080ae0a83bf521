-- Tasks and what hangs on them. member = 0 means unassigned; due 9999-99-99 means no deadline, so that it sorts last.
-- status: 0 todo, 1 in_progress, 2 internal_review, 3 client_review, 4 completed. priority: 0 low, 1 medium, 2 high.
-- k is the bucket that counters and pages share: archived * 15 + status * 3 + priority, 0 to 29.
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  project INTEGER NOT NULL,
  member INTEGER NOT NULL DEFAULT 0,
  status INTEGER NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 4),
  priority INTEGER NOT NULL DEFAULT 1 CHECK (priority BETWEEN 0 AND 2),
  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
  k INTEGER GENERATED ALWAYS AS (archived * 15 + status * 3 + priority) VIRTUAL,
  name TEXT NOT NULL,
  description TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  start_date TEXT,
  due TEXT NOT NULL DEFAULT '9999-99-99',
  scheduled_time TEXT,
  duration_minutes INTEGER,
  category INTEGER,
  type INTEGER,
  estimated_hours TEXT,
  comment_count INTEGER NOT NULL DEFAULT 0,
  activity_count INTEGER NOT NULL DEFAULT 0,
  created_by INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX tasks_by_workspace ON tasks (ws, k);
CREATE INDEX tasks_by_project ON tasks (project, k);
CREATE INDEX tasks_by_member ON tasks (member, k);
CREATE INDEX tasks_by_project_member ON tasks (project, member, k);
CREATE INDEX tasks_scheduled ON tasks (member, due) WHERE scheduled_time IS NOT NULL;

-- Exact totals: how many tasks of each bucket. member 0 is the row of the project itself and counts every task of the project.
CREATE TABLE task_counts (
  ws INTEGER NOT NULL, member INTEGER NOT NULL, project INTEGER NOT NULL,
  c0 INTEGER NOT NULL DEFAULT 0, c1 INTEGER NOT NULL DEFAULT 0, c2 INTEGER NOT NULL DEFAULT 0, c3 INTEGER NOT NULL DEFAULT 0, c4 INTEGER NOT NULL DEFAULT 0, c5 INTEGER NOT NULL DEFAULT 0, c6 INTEGER NOT NULL DEFAULT 0, c7 INTEGER NOT NULL DEFAULT 0, c8 INTEGER NOT NULL DEFAULT 0, c9 INTEGER NOT NULL DEFAULT 0, c10 INTEGER NOT NULL DEFAULT 0, c11 INTEGER NOT NULL DEFAULT 0, c12 INTEGER NOT NULL DEFAULT 0, c13 INTEGER NOT NULL DEFAULT 0, c14 INTEGER NOT NULL DEFAULT 0, c15 INTEGER NOT NULL DEFAULT 0, c16 INTEGER NOT NULL DEFAULT 0, c17 INTEGER NOT NULL DEFAULT 0, c18 INTEGER NOT NULL DEFAULT 0, c19 INTEGER NOT NULL DEFAULT 0, c20 INTEGER NOT NULL DEFAULT 0, c21 INTEGER NOT NULL DEFAULT 0, c22 INTEGER NOT NULL DEFAULT 0, c23 INTEGER NOT NULL DEFAULT 0, c24 INTEGER NOT NULL DEFAULT 0, c25 INTEGER NOT NULL DEFAULT 0, c26 INTEGER NOT NULL DEFAULT 0, c27 INTEGER NOT NULL DEFAULT 0, c28 INTEGER NOT NULL DEFAULT 0, c29 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, member, project)
) WITHOUT ROWID;

CREATE TABLE followers (
  member INTEGER NOT NULL,
  project INTEGER NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (member, project, task)
) WITHOUT ROWID;
CREATE INDEX followers_by_task ON followers (task, member);

-- The same for the tasks that a member follows.
CREATE TABLE follow_counts (
  member INTEGER NOT NULL, project INTEGER NOT NULL,
  c0 INTEGER NOT NULL DEFAULT 0, c1 INTEGER NOT NULL DEFAULT 0, c2 INTEGER NOT NULL DEFAULT 0, c3 INTEGER NOT NULL DEFAULT 0, c4 INTEGER NOT NULL DEFAULT 0, c5 INTEGER NOT NULL DEFAULT 0, c6 INTEGER NOT NULL DEFAULT 0, c7 INTEGER NOT NULL DEFAULT 0, c8 INTEGER NOT NULL DEFAULT 0, c9 INTEGER NOT NULL DEFAULT 0, c10 INTEGER NOT NULL DEFAULT 0, c11 INTEGER NOT NULL DEFAULT 0, c12 INTEGER NOT NULL DEFAULT 0, c13 INTEGER NOT NULL DEFAULT 0, c14 INTEGER NOT NULL DEFAULT 0, c15 INTEGER NOT NULL DEFAULT 0, c16 INTEGER NOT NULL DEFAULT 0, c17 INTEGER NOT NULL DEFAULT 0, c18 INTEGER NOT NULL DEFAULT 0, c19 INTEGER NOT NULL DEFAULT 0, c20 INTEGER NOT NULL DEFAULT 0, c21 INTEGER NOT NULL DEFAULT 0, c22 INTEGER NOT NULL DEFAULT 0, c23 INTEGER NOT NULL DEFAULT 0, c24 INTEGER NOT NULL DEFAULT 0, c25 INTEGER NOT NULL DEFAULT 0, c26 INTEGER NOT NULL DEFAULT 0, c27 INTEGER NOT NULL DEFAULT 0, c28 INTEGER NOT NULL DEFAULT 0, c29 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (member, project)
) WITHOUT ROWID;

-- rowid = ((ws * 2 + archived) << 32) | task id, so that a search in one workspace never reads the postings of another.
CREATE VIRTUAL TABLE task_search USING fts5(name, description, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
CREATE VIRTUAL TABLE task_search_terms USING fts5vocab('task_search', 'row');

CREATE TABLE comments (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  task INTEGER NOT NULL,
  author INTEGER NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX comments_by_task ON comments (task);

CREATE TABLE activities (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  task INTEGER NOT NULL,
  type TEXT NOT NULL,
  field TEXT,
  from_value TEXT,
  to_value TEXT,
  actor INTEGER NOT NULL,
  via TEXT NOT NULL,
  comment INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX activities_by_task ON activities (task);

-- Keyed by person, not by member: they have no workspace boundary.
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  ws INTEGER NOT NULL,
  type TEXT NOT NULL,
  task INTEGER,
  comment INTEGER,
  project INTEGER,
  actor INTEGER,
  read_at INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX notifications_by_user ON notifications (user_id);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL;

CREATE TABLE notification_counts (
  user_id TEXT PRIMARY KEY,
  total INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
