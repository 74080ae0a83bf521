import type { Caller } from '../../kernel/access/access.ts';
import {
  assertUnchanged,
  readFirstRow,
  readRows,
  type Statement,
  selectIdsInOrder,
  write,
} from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { type ChecklistItem, checklists } from '../../schema/cell/checklists.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const k = aliasLeftJoinedTable(checklists, 'k');
const t = aliasTable(tasks, 't');

const checklistColumns = selectColumns({
  archived: t.archived,
  lines: k.lines,
  next_line: k.next_line,
  version: k.version,
});
export type ChecklistRow = Row<typeof checklistColumns>;

const listedColumns = selectColumns({
  task: t.id,
  archived: t.archived,
  lines: k.lines,
  next_line: k.next_line,
  version: k.version,
});

export function listChecklists(
  caller: Caller,
  ids: readonly number[] | SQL,
): Statement<Row<typeof listedColumns>[]> {
  const listed = 'queryChunks' in ids ? ids : selectIdsInOrder(ids);
  return readRows(sql`
    SELECT ${listedColumns} FROM (${listed}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id
    LEFT JOIN ${k} ON ${k.task} = ${t.id} AND ${k.ws} = ${t.ws}
    WHERE ${isTaskVisible(t, caller)}`);
}

export function findChecklist(caller: Caller, task: number): Statement<ChecklistRow | null> {
  return readFirstRow(sql`
    SELECT ${checklistColumns} FROM ${t} LEFT JOIN ${k} ON ${k.task} = ${t.id} AND ${k.ws} = ${t.ws}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`);
}

/** @param versions the checklist version for each task id, or 0 for a task without a checklist. */
export function assertChecklistsUnchanged(
  caller: Caller,
  versions: readonly (readonly [task: number, version: number])[],
): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(versions)}) d
      LEFT JOIN ${k} ON ${k.task} = d.value ->> 0 AND ${k.ws} = ${caller.workspace}
      WHERE coalesce(${k.version}, 0) <> d.value ->> 1)`);
}

interface ChecklistToSave {
  task: number;
  lines: readonly ChecklistItem[];
  nextLine: number;
  version: number;
}

/**
 * D1 accepts values of up to 2 MB. Text is sent as JSON inside JSON, in which escapes can take twelve bytes per
 * character.
 */
const STATEMENT_CHARACTERS_MAX = 150_000;

export function saveChecklists(caller: Caller, changed: readonly ChecklistToSave[]): Statement<void>[] {
  const countCharacters = ({ lines }: ChecklistToSave) =>
    lines.reduce((sum, { text }) => sum + text.length, 0);
  return splitBySize(changed, countCharacters, STATEMENT_CHARACTERS_MAX).map((part) => {
    const rows = part.map(({ lines, ...row }) => ({ ...row, lines: JSON.stringify(lines) }));
    const selectValue = (name: string) => sql.raw(`d.value ->> '${name}'`);
    return write(sql`
      INSERT OR REPLACE INTO ${nameInsertColumns(checklists, 'task', 'ws', 'lines', 'next_line', 'version')}
      SELECT ${selectValue('task')}, ${caller.workspace}, ${selectValue('lines')}, ${selectValue('nextLine')}, ${selectValue('version')}
      FROM json_each(${JSON.stringify(rows)}) d`);
  });
}
