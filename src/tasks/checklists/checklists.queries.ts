import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoined,
  aliasTable,
  nameInsertColumns,
  type Row,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { type ChecklistLine, checklists } from '../../schema/cell/checklists.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const k = aliasLeftJoined(checklists, 'k');
const t = aliasTable(tasks, 't');

const checklistColumns = selectColumns({
  archived: t.archived,
  lines: k.lines,
  next_line: k.next_line,
  version: k.version,
});
/** The columns of the checklist are null if the task has none. */
export type ChecklistRow = Row<typeof checklistColumns>;

/** Returns null if the caller can't see the task. */
export function findChecklist(caller: Caller, task: number): Statement<ChecklistRow | null> {
  return readFirstRow(sql`
    SELECT ${checklistColumns} FROM ${t} LEFT JOIN ${k} ON ${k.task} = ${t.id} AND ${k.ws} = ${t.ws}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`);
}

/** @param version 0 if the task has no checklist yet. */
export function assertChecklistUnchanged(caller: Caller, task: number, version: number): Statement<void> {
  return assertUnchanged(sql`
    coalesce((SELECT ${checklists.version} FROM ${checklists}
      WHERE ${checklists.ws} = ${caller.workspace} AND ${checklists.task} = ${task}), 0) = ${version}`);
}

interface NewChecklist {
  lines: readonly ChecklistLine[];
  nextLine: number;
  version: number;
}

export function saveChecklist(
  caller: Caller,
  task: number,
  { lines, nextLine, version }: NewChecklist,
): Statement<void> {
  const values = sql`${task}, ${caller.workspace}, ${JSON.stringify(lines)}, ${nextLine}, ${version}`;
  return write(sql`
    INSERT OR REPLACE INTO ${nameInsertColumns(checklists, 'task', 'ws', 'lines', 'next_line', 'version')}
    VALUES (${values})`);
}
