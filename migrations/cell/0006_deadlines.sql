-- The id stands before the project: tasks of one day come in the order of the list, and the first of them is the first
-- one read. The project stays, so that whoever walks the days of a person never opens the tasks.
DROP INDEX tasks_by_member_due;
CREATE INDEX tasks_by_member_due ON tasks (member, st, due, id, project);

-- A second border, at the end of the week: with the days before it summed as well, "due this week" is the difference of
-- two sums. It starts at the first one, where the sums are known, and the cron moves it on.
ALTER TABLE workspaces ADD COLUMN week_until TEXT NOT NULL DEFAULT '2026-01-01';
UPDATE workspaces SET week_until = counted_until;

-- Unarchived tasks of each status (0 to 4) that are due before week_until.
ALTER TABLE task_counts ADD COLUMN week0 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN week1 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN week2 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN week3 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_counts ADD COLUMN week4 INTEGER NOT NULL DEFAULT 0;
UPDATE task_counts SET week0 = past0, week1 = past1, week2 = past2, week3 = past3, week4 = past4;
