-- The id stands before the project: tasks of one day come in the order of the list, and the first of them is the first
-- one read. The project stays, so that whoever walks the days of a person never opens the tasks.
DROP INDEX tasks_by_member_due;
CREATE INDEX tasks_by_member_due ON tasks (member, st, due, id, project);
