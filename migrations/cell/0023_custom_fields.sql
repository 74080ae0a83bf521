-- Custom fields (docs/adr/0055). Deleted fields are kept for 30 days with their values, and then removed in slices.
CREATE TABLE custom_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  options TEXT NOT NULL DEFAULT '[]',
  -- The id of the next option. An id is never used twice within a field.
  next_option INTEGER NOT NULL DEFAULT 1,
  version INTEGER NOT NULL DEFAULT 1,
  deleted_at INTEGER
);
CREATE INDEX custom_fields_by_workspace ON custom_fields (ws) WHERE deleted_at IS NULL;
CREATE INDEX custom_fields_deleted ON custom_fields (deleted_at) WHERE deleted_at IS NOT NULL;
-- The ids of the fields of a project as a JSON array, or NULL if it has none.
ALTER TABLE projects ADD COLUMN field_ids TEXT;
CREATE INDEX projects_with_fields ON projects (ws) WHERE field_ids IS NOT NULL;
-- The values of the custom fields of a task as a JSON object, or NULL if it has none.
ALTER TABLE tasks ADD COLUMN field_values TEXT;
-- Lists that are filtered by a custom field read only the tasks with values.
CREATE INDEX tasks_with_field_values ON tasks (project, bucket) WHERE field_values IS NOT NULL;
