-- The assignees of a task after the first (docs/adr/0057). Tasks with up to one assignee have no row in these tables.
ALTER TABLE tasks ADD COLUMN other_assignees TEXT NOT NULL DEFAULT '[]';
CREATE TABLE other_assignees (
  id INTEGER NOT NULL, ws INTEGER NOT NULL, project INTEGER NOT NULL, assignee INTEGER NOT NULL,
  first_assignee INTEGER NOT NULL, status INTEGER NOT NULL, priority INTEGER NOT NULL, archived INTEGER NOT NULL,
  due TEXT NOT NULL, parent INTEGER,
  bucket INTEGER GENERATED ALWAYS AS (archived * 15 + status * 3 + priority) VIRTUAL,
  archived_status INTEGER GENERATED ALWAYS AS (archived * 5 + status) VIRTUAL,
  PRIMARY KEY (id, assignee)
) WITHOUT ROWID;
CREATE INDEX other_assignees_by_bucket ON other_assignees (assignee, bucket, id);
CREATE INDEX other_assignees_by_project ON other_assignees (project, assignee, bucket, id);
CREATE INDEX other_assignees_by_due ON other_assignees (assignee, archived_status, due, id, project);
-- The tasks of other_assignees, per person in a project.
CREATE TABLE other_assignee_counts (
  ws INTEGER NOT NULL, member INTEGER NOT NULL, project INTEGER NOT NULL, is_subtask INTEGER NOT NULL,
  bucket0 INTEGER NOT NULL DEFAULT 0, bucket1 INTEGER NOT NULL DEFAULT 0, bucket2 INTEGER NOT NULL DEFAULT 0,
  bucket3 INTEGER NOT NULL DEFAULT 0, bucket4 INTEGER NOT NULL DEFAULT 0, bucket5 INTEGER NOT NULL DEFAULT 0,
  bucket6 INTEGER NOT NULL DEFAULT 0, bucket7 INTEGER NOT NULL DEFAULT 0, bucket8 INTEGER NOT NULL DEFAULT 0,
  bucket9 INTEGER NOT NULL DEFAULT 0, bucket10 INTEGER NOT NULL DEFAULT 0, bucket11 INTEGER NOT NULL DEFAULT 0,
  bucket12 INTEGER NOT NULL DEFAULT 0, bucket13 INTEGER NOT NULL DEFAULT 0, bucket14 INTEGER NOT NULL DEFAULT 0,
  bucket15 INTEGER NOT NULL DEFAULT 0, bucket16 INTEGER NOT NULL DEFAULT 0, bucket17 INTEGER NOT NULL DEFAULT 0,
  bucket18 INTEGER NOT NULL DEFAULT 0, bucket19 INTEGER NOT NULL DEFAULT 0, bucket20 INTEGER NOT NULL DEFAULT 0,
  bucket21 INTEGER NOT NULL DEFAULT 0, bucket22 INTEGER NOT NULL DEFAULT 0, bucket23 INTEGER NOT NULL DEFAULT 0,
  bucket24 INTEGER NOT NULL DEFAULT 0, bucket25 INTEGER NOT NULL DEFAULT 0, bucket26 INTEGER NOT NULL DEFAULT 0,
  bucket27 INTEGER NOT NULL DEFAULT 0, bucket28 INTEGER NOT NULL DEFAULT 0, bucket29 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, member, project, is_subtask)
) WITHOUT ROWID;
