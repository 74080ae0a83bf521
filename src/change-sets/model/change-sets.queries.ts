// This file is long because the statements about change sets and their items share columns and conditions.
import type { Caller } from '../../kernel/access/access.ts';
import {
  assertUnchanged,
  readFirstRow,
  readRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { changeSetItems, changeSets } from '../../schema/cell/change-sets.ts';
import { comments } from '../../schema/cell/comments.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { listChecklists } from '../../tasks/checklists/checklists.queries.ts';
import {
  listSelectedTrees,
  listTasksWithAffectedDescendants,
  type TreeRow,
} from '../../tasks/hierarchy/hierarchy.queries.ts';
import { type BulkTaskState, listTaskStates } from '../../tasks/model/bulk-states.queries.ts';
import { listRecurrences, type RecurrenceRow } from '../../tasks/recurrence/recurrences.queries.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { selectOverlappingEntry } from '../../time/tracking/entries.queries.ts';
import type { CommentTarget, StagedItem } from './fold-items.ts';
import type { StagedValues } from './staged-values.ts';

const am = aliasTable(activeMembers, 'am');
const c = aliasTable(credentials, 'c');
const cs = aliasTable(changeSets, 'cs');
const i = aliasTable(changeSetItems, 'i');
const m = aliasTable(members, 'm');
const o = aliasLeftJoinedTable(comments, 'o');
const n = aliasTable(tasks, 'n');
const p = aliasTable(projects, 'p');
const t = aliasLeftJoinedTable(tasks, 't');

/** The newest credential of the app. Null if it has been deleted. */
const credentialOfApp = withType<number | null>(sql`(SELECT ${c.id} FROM ${c}
  WHERE ${c.client_id} = ${cs.client} AND ${c.member} = ${cs.member} AND ${c.ws} = ${cs.ws}
  ORDER BY ${c.revoked_at} IS NULL DESC, ${c.id} DESC LIMIT 1)`);

const stagedSpan = {
  started_at: sql`CAST(${i.changes} ->> 'started_at' AS INTEGER)`,
  ended_at: sql`CAST(${i.changes} ->> 'ended_at' AS INTEGER)`,
};

const setColumns = selectColumns({
  id: cs.id,
  app: cs.app,
  credential: credentialOfApp,
  title: cs.title,
  reason: cs.reason,
  status: cs.status,
  items: cs.items,
  bytes: cs.bytes,
  created_at: cs.created_at,
  changed_at: cs.changed_at,
  expires_at: cs.expires_at,
});
export type ChangeSetRow = Row<typeof setColumns>;

const isOwnSet = (caller: Caller) => sql`${cs.ws} = ${caller.workspace} AND ${cs.member} = ${caller.member}`;

export function findChangeSet(caller: Caller, id: number): Statement<ChangeSetRow | null> {
  return readFirstRow(sql`SELECT ${setColumns} FROM ${cs} WHERE ${cs.id} = ${id} AND ${isOwnSet(caller)}`);
}

export function listChangeSets(caller: Caller, limit: number): Statement<ChangeSetRow[]> {
  return readRows(sql`
    SELECT ${setColumns} FROM ${cs} INDEXED BY change_sets_by_member
    WHERE ${isOwnSet(caller)} ORDER BY ${cs.id} DESC LIMIT ${limit}`);
}

export function findAppChangeSet(caller: Caller, id: number): Statement<ChangeSetRow | null> {
  return readFirstRow(sql`
    SELECT ${setColumns} FROM ${cs} CROSS JOIN ${c} ON ${c.client_id} = ${cs.client}
    WHERE ${cs.id} = ${id} AND ${isOwnSet(caller)} AND ${c.hash} = ${caller.credential.hash}`);
}

export function insertChangeSet(
  caller: Caller,
  { title, now, expiresAt }: { title: string; now: number; expiresAt: number },
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(changeSets, 'ws', 'member', 'client', 'app', 'title', 'created_at', 'changed_at', 'expires_at')}
    SELECT ${caller.workspace}, ${caller.member}, ${c.client_id}, ${c.name}, ${title}, ${now}, ${now}, ${expiresAt}
    FROM ${c} WHERE ${c.hash} = ${caller.credential.hash} AND ${c.client_id} IS NOT NULL`);
}

export function findNewestSet(caller: Caller): Statement<ChangeSetRow> {
  return readRow(sql`
    SELECT ${setColumns} FROM ${cs} INDEXED BY change_sets_by_member
    WHERE ${isOwnSet(caller)} ORDER BY ${cs.id} DESC LIMIT 1`);
}

interface ItemRow extends Omit<StagedItem, 'changes' | 'before'> {
  changes: string;
  before: string;
}

const itemColumns = selectColumns({
  no: i.no,
  task: i.task,
  operation: i.operation,
  version: i.version,
  changes: i.changes,
  before: i.before,
});

export function listItems(caller: Caller, set: number): Statement<StagedItem[]> {
  const found = readRows<ItemRow>(sql`
    SELECT ${itemColumns} FROM ${i}
    WHERE ${i.set_id} = ${set} AND ${i.ws} = ${caller.workspace} ORDER BY ${i.no}`);
  return {
    ...found,
    read: (rows) =>
      found.read(rows).map(({ changes, before, ...row }) => ({
        ...row,
        changes: JSON.parse(changes) as StagedValues,
        before: JSON.parse(before) as StagedValues,
      })),
  };
}

const textColumns = selectColumns({ no: i.no, text: withType<string>(i.text) });

export function listItemTexts(caller: Caller, set: number): Statement<{ no: number; text: string }[]> {
  return readRows(sql`
    SELECT ${textColumns} FROM ${i}
    WHERE ${i.set_id} = ${set} AND ${i.ws} = ${caller.workspace} AND ${i.text} IS NOT NULL`);
}

const resultColumns = selectColumns({ no: i.no, result: i.result, problem: i.problem, made: i.made });
export type ItemResult = Row<typeof resultColumns>;

export function listItemResults(caller: Caller, set: number): Statement<ItemResult[]> {
  return readRows(sql`
    SELECT ${resultColumns} FROM ${i}
    WHERE ${i.set_id} = ${set} AND ${i.ws} = ${caller.workspace} ORDER BY ${i.no}`);
}

const isInSet = (caller: Caller, set: number) => sql`${i.set_id} = ${set} AND ${i.ws} = ${caller.workspace}`;

/** Descriptions up to this size are stored in the task's row. Larger ones aren't read. */
const INLINE_DESCRIPTION_BYTES_MAX = 8_192;

export function listStoredTasks(caller: Caller, set: number): Statement<BulkTaskState[]> {
  const ids = sql`SELECT ${i.task} FROM ${i} WHERE ${isInSet(caller, set)} AND ${i.version} IS NOT NULL`;
  return listTaskStates(caller, ids, INLINE_DESCRIPTION_BYTES_MAX);
}

export function listReplacedChecklists(caller: Caller, set: number) {
  const ids = sql`SELECT DISTINCT ${i.task} AS id FROM ${i}
    WHERE ${isInSet(caller, set)} AND ${i.version} IS NOT NULL AND ${i.changes} ->> 'checklist' IS NOT NULL`;
  return listChecklists(caller, ids);
}

export function listReplacedRecurrences(caller: Caller, set: number): Statement<RecurrenceRow[]> {
  return listRecurrences(
    caller,
    sql`SELECT ${i.task} FROM ${i}
      WHERE ${isInSet(caller, set)} AND ${i.version} IS NOT NULL AND ${i.changes} -> 'recurrence' IS NOT NULL`,
  );
}

export function listParentsToArchive(caller: Caller, set: number): Statement<{ id: number }[]> {
  const selectChanged = (archived: 0 | 1) => sql`SELECT DISTINCT ${i.task} AS id FROM ${i}
    WHERE ${isInSet(caller, set)} AND ${i.version} IS NOT NULL AND ${i.changes} ->> 'archived' = ${archived}`;
  return listTasksWithAffectedDescendants(caller, {
    archiving: selectChanged(1),
    restoring: selectChanged(0),
  });
}

const targetColumns = selectColumns({
  no: i.no,
  comments: withType<number>(sql`coalesce(${t.comment_count}, 0)`),
  parent: o.id,
});

/** Returns a row per staged comment. The caller must check separately whether it can see the tasks. */
export function listCommentTargets(
  caller: Caller,
  set: number,
): Statement<(CommentTarget & { no: number })[]> {
  return readRows(sql`
    SELECT ${targetColumns} FROM ${i} LEFT JOIN ${t} NOT INDEXED ON ${t.id} = ${i.task} AND ${t.ws} = ${i.ws}
    LEFT JOIN ${o} NOT INDEXED ON ${o.id} = ${i.changes} ->> 'reply_to' AND ${o.task} = ${i.task} AND ${o.ws} = ${i.ws}
    WHERE ${isInSet(caller, set)} AND ${i.operation} = 'comment'`);
}

const stagedCommentColumns = selectColumns({
  no: i.no,
  content: withType<string>(i.text),
  author_id: m.user_id,
  author_name: m.name,
  author_email: m.email,
  created_at: cs.changed_at,
});

export type StagedCommentRow = Row<typeof stagedCommentColumns>;

export function listStagedComments(caller: Caller, set: number, task: number): Statement<StagedCommentRow[]> {
  return readRows(sql`
    SELECT ${stagedCommentColumns} FROM ${i} CROSS JOIN ${cs} ON ${cs.id} = ${i.set_id}
      CROSS JOIN ${m} ON ${m.no} = ${cs.member} AND ${m.ws} = ${cs.ws}
    WHERE ${isInSet(caller, set)} AND ${isOwnSet(caller)} AND ${i.task} = ${task} AND ${i.operation} = 'comment'
    ORDER BY ${i.no}`);
}

export function listStagedTrees(caller: Caller, set: number): Statement<TreeRow[]> {
  const parents = sql`SELECT ${i.changes} ->> 'parent' AS id FROM ${i}
    WHERE ${isInSet(caller, set)} AND ${i.changes} ->> 'parent' IS NOT NULL`;
  const moved = sql`SELECT ${i.task} AS id FROM ${i}
    WHERE ${isInSet(caller, set)} AND ${i.version} IS NOT NULL AND ${i.changes} -> 'parent' IS NOT NULL`;
  return listSelectedTrees(caller, { ids: sql`${parents} UNION ${moved}`, parents });
}

const overlapColumns = selectColumns({ no: i.no });

export function listOverlappingItems(caller: Caller, set: number): Statement<{ no: number }[]> {
  return readRows(sql`
    SELECT ${overlapColumns} FROM ${i}
    WHERE ${isInSet(caller, set)} AND ${i.operation} = 'time' AND EXISTS (${selectOverlappingEntry(caller, stagedSpan, null)})`);
}

const stagedEntryColumns = selectColumns({
  no: i.no,
  task_id: n.id,
  task_name: n.name,
  project_id: p.id,
  project_name: p.name,
  started_at: withType<number>(stagedSpan.started_at),
  ended_at: withType<number>(stagedSpan.ended_at),
});
export type StagedEntryRow = Row<typeof stagedEntryColumns>;

export function listStagedEntries(caller: Caller, set: number): Statement<StagedEntryRow[]> {
  return readRows(sql`
    SELECT ${stagedEntryColumns} FROM ${i} CROSS JOIN ${n} NOT INDEXED ON ${n.id} = ${i.task} AND ${n.ws} = ${i.ws}
      CROSS JOIN ${p} ON ${p.id} = ${n.project}
    WHERE ${isInSet(caller, set)} AND ${i.operation} = 'time' ORDER BY ${i.no}`);
}

const referenceColumns = selectColumns({ project: p.id, member: withType<number | null>(sql`NULL`) });

/** Omits projects that the caller can't see, and people who aren't active members. */
export function listKnownReferences(
  caller: Caller,
  set: number,
): Statement<{ project: number | null; member: number | null }[]> {
  const selectChanged = (column: string) =>
    sql`SELECT ${i.changes} ->> ${column} FROM ${i} WHERE ${isInSet(caller, set)}`;
  return readRows(sql`
    SELECT ${referenceColumns} FROM ${p} NOT INDEXED
    WHERE ${p.id} IN (${selectChanged('project')}) AND ${p.ws} = ${caller.workspace} AND ${isProjectVisible(caller, p.id)}
    UNION ALL SELECT NULL, ${am.no} FROM ${am}
    WHERE ${am.no} IN (${selectChanged('assignee')} UNION SELECT n.value FROM ${i}
      CROSS JOIN json_each(coalesce(${i.changes} ->> 'other_assignees', '[]')) n WHERE ${isInSet(caller, set)})
      AND +${am.ws} = ${caller.workspace}`);
}

export function assertSetUnchanged(caller: Caller, set: ChangeSetRow): Statement<void> {
  return assertUnchanged(isSetUnchanged(caller, set));
}

export function isSetUnchanged(
  caller: Caller,
  { id, status, items }: ChangeSetRow,
  condition: SQL = sql`true`,
): SQL {
  return sql`${condition} AND EXISTS (SELECT 1 FROM ${cs} WHERE ${cs.id} = ${id} AND ${isOwnSet(caller)} AND ${cs.status} = ${status}
    AND ${cs.items} = ${items})`;
}

export interface NewItem extends StagedItem {
  readonly text: string | null;
  readonly textKey: string | null;
}

/** Must come after `assertSetUnchanged` in the batch. */
export function insertItems(
  caller: Caller,
  set: ChangeSetRow,
  added: readonly NewItem[],
  now: number,
): Statement<void>[] {
  const rows = added.map(({ no, task, operation, version, changes, before, text, textKey }) => [
    no,
    task,
    operation,
    version,
    JSON.stringify(changes),
    JSON.stringify(before),
    text,
    textKey,
  ]);
  const selectValue = (at: number) => sql.raw(`d.value ->> ${at}`);
  const values = sql.join(
    (rows[0] ?? []).map((_, at) => selectValue(at)),
    sql`, `,
  );
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(changeSetItems, 'set_id', 'ws', 'no', 'task', 'operation', 'version', 'changes', 'before', 'text', 'text_key')}
      SELECT ${set.id}, ${caller.workspace}, ${values} FROM json_each(${JSON.stringify(rows)}) d`),
    write(sql`
      UPDATE ${changeSets} AS cs SET ${changeSets.items} = ${set.items + added.length},
        ${changeSets.bytes} = ${set.bytes + countItemBytes(added)},
        ${changeSets.changed_at} = max(${changeSets.changed_at}, ${now})
      WHERE ${cs.id} = ${set.id} AND ${isOwnSet(caller)}`),
  ];
}

export function countItemBytes(items: readonly NewItem[]): number {
  const encoder = new TextEncoder();
  const count = (text: unknown) => (typeof text === 'string' ? encoder.encode(text).length : 0);
  return items.reduce((bytes, { text, changes }) => bytes + count(text) + count(changes.checklist), 0);
}

export function setStatus(
  caller: Caller,
  id: number,
  status: ChangeSetRow['status'],
  { reason, expiresAt }: { reason?: string; expiresAt: number },
): Statement<void> {
  return write(sql`
    UPDATE ${changeSets} AS cs SET ${changeSets.status} = ${status},
      ${changeSets.reason} = coalesce(${reason ?? null}, ${changeSets.reason}),
      ${changeSets.expires_at} = ${expiresAt}
    WHERE ${cs.id} = ${id} AND ${isOwnSet(caller)}`);
}

export function setItemResults(
  caller: Caller,
  set: number,
  results: readonly Omit<ItemResult, 'made'>[],
): Statement<void> {
  const rows = results.map(({ no, result, problem }) => [no, result, problem]);
  return write(sql`
    UPDATE ${changeSetItems} AS i SET ${changeSetItems.result} = d.value ->> 1, ${changeSetItems.problem} = d.value ->> 2
    FROM json_each(${JSON.stringify(rows)}) d
    WHERE ${i.set_id} = ${set} AND ${i.no} = d.value ->> 0 AND ${i.ws} = ${caller.workspace}`);
}

/**
 * Stores the ids of the tasks that the same batch has created. `created` lists their provisional ids in order, and
 * `first` is the id of the first one.
 */
export function setCreatedTasks(
  caller: Caller,
  set: number,
  created: readonly number[],
  first: SQL,
): Statement<void> {
  return write(sql`
    UPDATE ${changeSetItems} AS i SET ${changeSetItems.made} = ${first} + d.key
    FROM json_each(${JSON.stringify(created)}) d
    WHERE ${i.set_id} = ${set} AND ${i.task} = d.value AND ${i.ws} = ${caller.workspace}`);
}
