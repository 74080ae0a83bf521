-- The label, visibility and limit of each task status, as JSON. Existing projects show every status under its name.
ALTER TABLE projects ADD COLUMN task_columns TEXT;
