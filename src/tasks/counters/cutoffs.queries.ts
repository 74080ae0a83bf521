import { addDays, getNextMonday } from '../../kernel/dates/civil-date.ts';
import { buildInList, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { addExcludedValues } from '../../kernel/sql/expressions.queries.ts';
import {
  aliasTable,
  type ColumnNameOf,
  joinColumnNames,
  nameInsertColumns,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { statusColumns, taskCounts } from '../../schema/cell/counters.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';
import { COMPLETED_STATUS } from '../fields.ts';
import { taskStatuses } from '../model/tasks.schema.ts';
import { insertTaskFlow } from './task-flow.queries.ts';

const bw = aliasTable(workspaces, 'bw');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

// Each workspace has two cutoffs: today and the end of the week. `task_counts` contains the number of tasks due before
// each cutoff. To count up to another day, a query starts from this number and reads only the days in between.

const cutoffColumns = { past: 'past_cutoff', week: 'week_cutoff' } as const;
type CutoffName = keyof typeof cutoffColumns;

/** Computes the end of the week from tomorrow, because some time zones are a day ahead of UTC. */
function getCutoffs(today: string): Record<CutoffName, string> {
  return { past: today, week: getNextMonday(addDays(today, 1)) };
}

const bothCutoffColumns = selectColumns({ past_cutoff: bw.past_cutoff, week_cutoff: bw.week_cutoff });

export function selectCutoffs(ws: number): SQL {
  return sql`SELECT ${bothCutoffColumns} FROM ${bw} WHERE ${bw.no} = ${ws}`;
}

/** Running these statements again changes nothing. */
export function moveWorkspaceCutoffs(numbers: readonly number[], today: string): Statement<void>[] {
  const until = getCutoffs(today);
  return [
    ...moveCutoff(numbers, 'past', until.past),
    ...moveCutoff(numbers, 'week', until.week),
    ...insertTaskFlow(numbers, today),
  ];
}

function moveCutoff(numbers: readonly number[], sum: CutoffName, until: string): Statement<void>[] {
  const cutoff = cutoffColumns[sum];
  const sums: ColumnNameOf<typeof taskCounts>[] = [...statusColumns[sum]];
  const tallies = taskStatuses.map((_, status) => `sum(status = ${status})`);
  if (sum === 'past') {
    sums.push('past_hours');
    tallies.push(`sum(hours * (status <> ${COMPLETED_STATUS}))`);
  }
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(taskCounts, 'ws', 'member', 'project', ...sums)}
      WITH crossed AS MATERIALIZED (
        SELECT ${t.ws} AS ws, ${t.project} AS project, ${t.assignee} AS assignee, ${t.status} AS status,
          ${t.hours} AS hours
        FROM ${bw} CROSS JOIN ${p} ON ${p.ws} = ${bw.no} CROSS JOIN json_each('[0,1,2,3,4]') each
        CROSS JOIN ${t} INDEXED BY tasks_by_project_due ON ${t.project} = ${p.id}
          AND ${t.archived_status} = each.value
          AND ${t.due} >= ${bw[cutoff]} AND ${t.due} < ${until}
        WHERE ${bw.no} IN ${buildInList(numbers)})
      SELECT ws, holder, place, ${sql.raw(tallies.join(', '))} FROM (
        SELECT ws, 0 AS holder, project AS place, status, hours FROM crossed
        UNION ALL SELECT ws, assignee, project, status, hours FROM crossed WHERE assignee > 0
        UNION ALL SELECT ws, assignee, 0, status, hours FROM crossed WHERE assignee > 0)
      WHERE true GROUP BY ws, holder, place
      ON CONFLICT (${joinColumnNames(taskCounts, 'ws', 'member', 'project')}) DO UPDATE SET ${addExcludedValues(sums)}`),
    write(
      sql`UPDATE ${workspaces} SET ${workspaces[cutoff]} = ${until} WHERE ${workspaces.no} IN ${buildInList(numbers)}
        AND ${workspaces[cutoff]} < ${until}`,
    ),
  ];
}

const wsColumn = selectColumns({ ws: workspaces.no });

export function hasOutdatedCutoffs(today: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${workspaces} WHERE ${workspaces.past_cutoff} < ${today})`;
}

export function listWorkspacesWithOutdatedCutoffs(today: string, limit: number): Statement<{ ws: number }[]> {
  return readRows(sql`
    SELECT ${wsColumn} FROM ${workspaces} WHERE ${workspaces.past_cutoff} < ${today}
      ORDER BY ${workspaces.past_cutoff} LIMIT ${limit}`);
}
