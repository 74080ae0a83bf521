-- Lists filtered by tags read only the tagged tasks of a workspace or of some projects.
CREATE INDEX tasks_tagged ON tasks (ws, project, bucket, assignee, due, updated_at, tags) WHERE tags <> '[]';
