import { getTableColumns } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import type { ReplacementTables } from '../../kernel/sql/database.ts';
import { aliasTable, type ColumnNameOf, type SQL, sql } from '../../kernel/sql/sql.ts';
import { changeSetItems } from '../../schema/cell/change-sets.ts';
import { type ChecklistItem, checklists } from '../../schema/cell/checklists.ts';
import { recurrences } from '../../schema/cell/recurrences.ts';
import { followers, otherAssignees, tasks } from '../../schema/cell/tasks.ts';
import { toSearchKey } from '../../search/index/search-key.ts';
import { COMPLETED_STATUS } from '../../tasks/fields.ts';
import { selectHours } from '../../tasks/model/change.queries.ts';
import { mergeFollowerLists } from '../../tasks/model/follower-lists.queries.ts';
import { toLabelKeys } from '../../tasks/model/label-keys.ts';
import { toRepeatsColumn } from '../../tasks/write/next-tasks.ts';
import type { ChangeSetRow } from '../model/change-sets.queries.ts';
import { type FoldedTask, listNewAssignees } from '../model/fold-items.ts';
import { getStagedChecklist, getStagedRecurrence } from '../model/staged-values.ts';

const i = aliasTable(changeSetItems, 'i');
const s = aliasTable(tasks, 's');
const sk = aliasTable(checklists, 'sk');
const sr = aliasTable(recurrences, 'sr');
const t = aliasTable(tasks, 't');

type TaskColumn = ColumnNameOf<typeof tasks>;
const declared = getTableColumns(tasks);
const columns = Object.keys(declared) as TaskColumn[];

const computed: Partial<Record<TaskColumn, SQL>> = {
  bucket: sql`(archived * 15 + status * 3 + priority)`,
  archived_status: sql`(archived * 5 + status)`,
};
const checklistColumns = sql.raw(Object.keys(getTableColumns(checklists)).join(', '));
/** The columns that reads of a task use. */
const recurrenceColumns = sql.raw('task, ws, rule, mode, days, version, previous_task, next_task');
const plainColumns = columns.filter((column) => computed[column] === undefined);

export interface PendingTasks {
  readonly set: ChangeSetRow;
  readonly tasks: readonly FoldedTask[];
  readonly now: number;
}

/**
 * Builds the tables `tasks`, `checklists`, `recurrences`, `followers` and `other_assignees` for `readFromTables`. They contain the
 * rows that an approval would write, and the stored rows of the tasks in `others`.
 */
export function buildPendingTables(
  caller: Caller,
  { set, tasks: folded, now }: PendingTasks,
  others: readonly number[] = [],
): ReplacementTables {
  const ids = [...new Set([...folded.map(({ id }) => id), ...others])];
  const lists = folded.flatMap((task) => {
    const staged = getStagedChecklist(task);
    return staged ? [{ task: task.id, ...staged.after }] : [];
  });
  const listRows = JSON.stringify(
    lists.map(({ task, lines, nextLine, version }) => [task, JSON.stringify(lines), nextLine, version]),
  );
  const rules = folded.flatMap((task) => {
    const rule = getStagedRecurrence(task);
    return rule === undefined ? [] : [{ task: task.id, ...rule }];
  });
  const entries = folded.map(({ id, changes, description, comments }) => ({
    id,
    set: {
      ...changes,
      description: undefined,
      checklist: undefined,
      recurrence: undefined,
      ...('recurrence' in changes && { repeats: toRepeats(getStagedRecurrence({ changes })) }),
      ...countChecklistItems(lists.find(({ task }) => task === id)?.lines),
    },
    key: typeof changes.name === 'string' ? toSearchKey(changes.name) : undefined,
    labels: typeof changes.tags === 'string' ? toLabelKeys(changes.tags) : undefined,
    // `description` is the number of the item with the new text, or null if the description was cleared.
    text: changes.description === undefined ? undefined : { item: description },
    follow: [
      ...listNewAssignees({ stored: null, changes }),
      ...(changes.project !== undefined || comments.length > 0 ? [caller.member] : []),
    ],
    comments: comments.length,
  }));
  const values = createStagedValueBuilder(caller, set, toWallClock(now, caller.timezone).date);
  const listed = sql.raw(columns.join(', '));
  const staged = columns.map((column) => computed[column] ?? sql.raw(column));
  return {
    sources: sql`
      stored AS (SELECT ${listed} FROM ${s} NOT INDEXED
        WHERE ${s.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${s.ws} = ${caller.workspace}),
      staged AS (SELECT ${sql.join(
        plainColumns.map((column) => sql`${values(column)} AS ${sql.raw(column)}`),
        sql`, `,
      )} FROM json_each(${JSON.stringify(entries)}) d LEFT JOIN stored b ON b.id = d.value ->> 'id'),
      stored_checklists AS (SELECT ${checklistColumns} FROM ${sk}
        WHERE ${sk.task} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${sk.ws} = ${caller.workspace}),
      staged_checklists AS (
        SELECT d.value ->> 0 AS task, CAST(${caller.workspace} AS INTEGER) AS ws, d.value ->> 1 AS lines,
          d.value ->> 2 AS next_line, d.value ->> 3 AS version
        FROM json_each(${listRows}) d),
      stored_recurrences AS (SELECT ${recurrenceColumns} FROM ${sr}
        WHERE ${sr.task} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${sr.ws} = ${caller.workspace}),
      staged_recurrences AS (
        SELECT d.value ->> 'task' AS task, CAST(${caller.workspace} AS INTEGER) AS ws, d.value ->> 'rule' AS rule,
          coalesce(d.value ->> 'mode', b.mode) AS mode, iif(d.value ->> 'mode' IS NULL, b.days, d.value ->> 'days') AS days,
          b.version, b.previous_task, b.next_task
        FROM json_each(${JSON.stringify(rules)}) d LEFT JOIN stored_recurrences b ON b.task = d.value ->> 'task'
        WHERE d.value ->> 'rule' IS NOT NULL OR b.previous_task IS NOT NULL OR b.next_task IS NOT NULL)`,
    tables: sql`
      ${tasks} (${listed}) AS (
        SELECT ${sql.join(staged, sql`, `)} FROM staged
        UNION ALL SELECT ${listed} FROM stored WHERE id NOT IN (SELECT id FROM staged)),
      ${checklists} (${checklistColumns}) AS (
        SELECT ${checklistColumns} FROM staged_checklists
        UNION ALL SELECT ${checklistColumns} FROM stored_checklists WHERE task NOT IN (SELECT task FROM staged_checklists)),
      ${recurrences} (${recurrenceColumns}) AS (
        SELECT ${recurrenceColumns} FROM staged_recurrences
        UNION ALL SELECT ${recurrenceColumns} FROM stored_recurrences
          WHERE task NOT IN (SELECT value ->> 'task' FROM json_each(${JSON.stringify(rules)}))),
      ${followers} (member, project, task) AS (
        SELECT f.value, ${t.project}, ${t.id} FROM ${t} CROSS JOIN json_each(${t.followers}) f),
      ${otherAssignees} (id, assignee) AS (
        SELECT ${t.id}, n.value FROM ${t} CROSS JOIN json_each(${t.other_assignees}) n)`,
  };
}

function toRepeats(rule: ReturnType<typeof getStagedRecurrence>): number {
  return rule ? toRepeatsColumn(rule.mode) : 0;
}

function countChecklistItems(lines: readonly ChecklistItem[] | undefined) {
  if (!lines) return {};
  return { checklist_total: lines.length, checklist_done: lines.filter(({ isDone }) => isDone).length };
}

/**
 * Returns a function that builds a column's value in a staged row. `b` is the stored row, and `d` contains its changes.
 */
function createStagedValueBuilder({ workspace, member }: Caller, set: ChangeSetRow, today: string) {
  const isSet = (column: string) => sql.raw(`json_type(d.value, '$.set.${column}') IS NOT NULL`);
  const selectChanged = (column: string) =>
    sql`iif(${isSet(column)}, ${sql.raw(`json_extract(d.value, '$.set.${column}')`)}, ${sql.raw(`b.${column}`)})`;
  const hasText = sql`json_type(d.value, '$.text') IS NOT NULL`;
  const selectText = (column: SQL) =>
    sql`(SELECT ${column} FROM ${i} WHERE ${i.set_id} = ${set.id} AND ${i.no} = d.value ->> '$.text.item' AND ${i.ws} = ${workspace})`;
  const changesHours = sql`(b.id IS NULL OR ${isSet('estimated_hours')} OR ${isSet('type')} OR ${isSet('category')})`;
  const values: Partial<Record<TaskColumn, SQL>> = {
    id: sql`d.value ->> 'id'`,
    ws: sql`CAST(${workspace} AS INTEGER)`,
    description: sql`iif(${hasText}, ${selectText(i.text)}, b.description)`,
    description_key: sql`iif(${hasText}, ${selectText(i.text_key)}, b.description_key)`,
    long_text: sql`iif(${hasText}, NULL, b.long_text)`,
    name_key: sql`coalesce(d.value ->> 'key', b.name_key)`,
    label_keys: sql`coalesce(d.value ->> 'labels', b.label_keys)`,
    hours: sql`iif(${changesHours},
      ${selectHours(selectChanged('estimated_hours'), selectChanged('type'), selectChanged('category'))}, b.hours)`,
    completed_on: sql`iif(${selectChanged('status')} IS b.status, b.completed_on,
      iif(${selectChanged('status')} = ${COMPLETED_STATUS}, ${today}, NULL))`,
    comment_count: sql`coalesce(b.comment_count, 0) + (d.value ->> 'comments')`,
    activity_count: sql`coalesce(b.activity_count, 1)`,
    created_by: sql`coalesce(b.created_by, CAST(${member} AS INTEGER))`,
    created_at: sql`coalesce(b.created_at, CAST(${set.changed_at} AS INTEGER))`,
    updated_at: sql`max(coalesce(b.updated_at, 0), CAST(${set.changed_at} AS INTEGER))`,
    first_event: sql`b.first_event`,
    followers: mergeFollowerLists(sql`coalesce(b.followers, '[]')`, sql`json_extract(d.value, '$.follow')`),
  };
  return (column: TaskColumn): SQL => {
    const value = values[column] ?? selectChanged(column);
    // A new task has no stored row to take the value from, and its draft doesn't contain every column.
    const initial = declared[column].default;
    return typeof initial === 'number' || typeof initial === 'string'
      ? sql`coalesce(${value}, ${sql.raw(typeof initial === 'number' ? `${initial}` : `'${initial}'`)})`
      : value;
  };
}
