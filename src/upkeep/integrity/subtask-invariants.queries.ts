import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { TASK_LEVELS_MAX } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { createOffenderQuery, type Invariant, projectsBeingDeleted } from './invariant.queries.ts';

const p = aliasTable(tasks, 'p');
const t = aliasTable(tasks, 't');

const chainMax = sql.raw(String(TASK_LEVELS_MAX));

export const subtaskInvariants: readonly Invariant[] = [
  {
    name: "parents are in their subtasks' project, and no task is its own ancestor",
    offenders: createOffenderQuery(sql`
      SELECT 'task ' || ${t.id} || ' has parent ' || ${t.parent} || ', which is not in its project' AS offender
      FROM ${t} INDEXED BY tasks_by_parent
      WHERE ${t.parent} IS NOT NULL AND ${t.ws} > 0 AND ${t.project} NOT IN ${projectsBeingDeleted} AND NOT EXISTS (
        SELECT 1 FROM ${p} WHERE ${p.id} = ${t.parent} AND ${p.ws} = ${t.ws} AND ${p.project} = ${t.project})
      UNION ALL
      SELECT 'task ' || start || ' is more than ${chainMax} levels deep, or a parent of itself' FROM (
        WITH RECURSIVE up (start, parent, level) AS (
          SELECT ${t.id}, ${t.parent}, 1 FROM ${t} INDEXED BY tasks_by_parent
          WHERE ${t.parent} IS NOT NULL AND ${t.ws} > 0
          UNION ALL
          SELECT up.start, ${p.parent}, up.level + 1 FROM up CROSS JOIN ${p} ON ${p.id} = up.parent
          WHERE up.level <= ${chainMax})
        SELECT start FROM up WHERE level = ${chainMax} AND parent IS NOT NULL)`),
  },
  {
    name: 'only archived tasks are marked as archived with another task',
    offenders: createOffenderQuery(sql`
      SELECT 'task ' || ${t.id} || ' is archived with ' || ${t.archived_with} || ' but not archived' AS offender
      FROM ${t} INDEXED BY tasks_archived_with
      WHERE ${t.archived_with} IS NOT NULL AND ${t.ws} > 0 AND ${t.archived} = 0`),
  },
];
