// This file is long because a new task's row, checklist and followers are inserted from the same draft.
import { selectNewestSeq } from '../../events/log/newest-seq.queries.ts';
import type { Actor } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { checklists } from '../../schema/cell/checklists.ts';
import { followers, NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { toDescriptionKey, toSearchKey } from '../../search/index/search-key.ts';
import type { NewChecklistItems } from '../checklist-items.ts';
import {
  type FieldColumns,
  fieldColumns,
  initialColumns,
  listAssigneeNumbers,
  type MemberNumbers,
  toColumnValues,
} from '../field-values.ts';
import type { NewRecurrence } from '../recurrence/recurrences.queries.ts';
import { getCompletionDay, selectHours } from './change.queries.ts';
import { mergeFollowerLists } from './follower-lists.queries.ts';
import { toLabelKeys } from './label-keys.ts';
import type { StoredValues } from './long-texts.queries.ts';
import { buildSelectionFromClause, selectNewTasks, type TaskSelection } from './selection.queries.ts';
import { selectLastSubtaskPosition } from './subtasks.queries.ts';
import { missingDeadlineError } from './tasks.policy.ts';
import type { TaskCreateInput } from './tasks.schema.ts';

const k = aliasTable(checklists, 'k');
const n = aliasTable(tasks, 'n');
const o = aliasTable(tasks, 'o');
const t = aliasTable(tasks, 't');
export interface TaskDraft extends Omit<FieldColumns, 'archived'> {
  project: number;
  duration_minutes: number | null;
  /** The task that this one is a copy of. Its followers and checklist are copied. */
  copied_from?: number;
  /** The previous task in a series. Its followers and checklist are copied, with all items unchecked. */
  continues?: number;
  repeats?: number;
  has_reminders?: number;
  recurrence?: NewRecurrence;
  /** The parent's index among the drafts, if the same batch creates it. */
  parent_draft?: number;
  checklist?: NewChecklistItems;
  /** The name and address that someone entered in an intake form. Only the creation event contains them. */
  sender?: string;
  /**
   * Set only for imported tasks: the day on which the task was completed in the source, or null if that is unknown.
   * If null, no chart counts the task as completed on any day. Imported tasks are followed only by their assignees.
   */
  source_completed_on?: string | null;
}

export const isSubtask = ({ parent, parent_draft }: Pick<TaskDraft, 'parent' | 'parent_draft'>) =>
  parent !== null || parent_draft !== undefined;

const { name: _name, assignee: _assignee, archived: _archived, ...initial } = initialColumns;
export const emptyDraft = { ...initial, duration_minutes: null } satisfies Partial<TaskDraft>;

export function toDraft(
  { name, description, checklist = [], ...others }: Omit<TaskCreateInput, 'status' | 'priority'>,
  { people, ...references }: Pick<TaskDraft, 'project' | 'category'> & { people: MemberNumbers },
): TaskDraft {
  const columns = toColumnValues({ ...others, description: description || null }, people);
  const draft = {
    ...emptyDraft,
    assignee: 0,
    ...columns,
    name,
    ...references,
    ...(checklist.length > 0 && { checklist }),
  };
  requireDeadline(draft);
  return draft;
}

export function requireDeadline({ due, due_time }: Pick<TaskDraft, 'due' | 'due_time'>) {
  if (due_time !== null && due === NO_DEADLINE) throw missingDeadlineError(due_time);
}

/** Returns the columns that the request sets, which override the values of a template. */
export function toDraftChanges(
  { description, checklist, ...others }: { [K in keyof TaskCreateInput]?: TaskCreateInput[K] | undefined },
  { people, ...references }: Pick<TaskDraft, 'project' | 'category'> & { people: MemberNumbers },
): Partial<TaskDraft> {
  const texts = description === undefined ? {} : { description: description || null };
  return {
    ...toColumnValues({ ...others, ...texts }, people),
    ...references,
    ...(checklist && { checklist }),
  };
}

const draftColumns = [
  ...fieldColumns.filter((column) => column !== 'archived'),
  'project',
  'duration_minutes',
] as const;
const insertedColumns = [
  'ws',
  ...draftColumns,
  'hours',
  'name_key',
  'description_key',
  'label_keys',
  'long_text',
  'completed_on',
  'activity_count',
  'first_event',
  'followers',
  'checklist_total',
  'checklist_done',
  'created_by',
  'created_at',
  'updated_at',
  'repeats',
  'has_reminders',
] as const;
const taskInsertTarget = nameInsertColumns(tasks, ...insertedColumns);
const subtaskInsertTarget = nameInsertColumns(tasks, ...insertedColumns, 'parent_place');

/**
 * A statement contains each text and its search key. JSON escapes can take six bytes per character, and D1 accepts
 * values of up to 2 MB.
 */
const STATEMENT_CHARACTERS_MAX = 160_000;

/**
 * The batch must record the creation of these tasks before any other event, because `first_event` contains the `seq`
 * that the creation event will get.
 */
export function insertTasks(
  actor: Actor,
  drafts: readonly StoredValues<TaskDraft>[],
  now: number,
): Statement<void>[] {
  const parts = splitBySize(
    drafts,
    ({ name, description }) => name.length + (description?.length ?? 0),
    STATEMENT_CHARACTERS_MAX,
  );
  let before = 0;
  return parts.map((part) => {
    const statement = insertTaskChunk(actor, part, before, now);
    before += part.length;
    return statement;
  });
}

/** `before` is the number of tasks that earlier statements of the batch insert. */
function insertTaskChunk(
  actor: Actor,
  drafts: readonly StoredValues<TaskDraft>[],
  before: number,
  now: number,
): Statement<void> {
  const today = toWallClock(now, actor.timezone).date;
  const rows = drafts.map(({ checklist = [], recurrence: _recurrence, sender: _sender, ...draft }) => ({
    ...draft,
    checklist_total: checklist.length,
    checklist_done: checklist.filter(({ isDone }) => isDone).length,
    name_key: toSearchKey(draft.name),
    description_key: toDescriptionKey(draft.description),
    label_keys: toLabelKeys(draft.tags),
    completed_on:
      draft.source_completed_on === null
        ? null
        : getCompletionDay(draft.status, draft.source_completed_on ?? today),
    followers: listDraftFollowers(actor, draft),
    source: getSourceTaskId(draft),
    is_unticked: draft.continues === undefined ? 0 : 1,
  }));
  const selectValue = (name: keyof (typeof rows)[number]) => sql.raw(`json_extract(d.value, '$.${name}')`);
  const isCopied = drafts.some((draft) => getSourceTaskId(draft) !== undefined);
  const selectOriginal = (column: SQL) =>
    sql`(SELECT ${column} FROM ${o} WHERE ${o.id} = ${selectValue('source')})`;
  const kept = sql`coalesce(${selectOriginal(o.followers)}, '[]')`;
  const all = isCopied ? mergeFollowerLists(selectValue('followers'), kept) : selectValue('followers');
  const checklist = isCopied
    ? [
        sql`coalesce(${selectOriginal(o.checklist_total)}, ${selectValue('checklist_total')})`,
        sql`iif(${selectValue('is_unticked')}, 0, coalesce(${selectOriginal(o.checklist_done)}, ${selectValue('checklist_done')}))`,
      ]
    : [selectValue('checklist_total'), selectValue('checklist_done')];
  const isAnySubtask = drafts.some(isSubtask);
  // The tasks of a batch get consecutive ids, which start after the highest id before the batch.
  const parent = drafts.some(({ parent_draft }) => parent_draft !== undefined)
    ? sql`coalesce(${selectValue('parent')}, (SELECT coalesce(max(${n.id}), 0) FROM ${n}) + 1 - ${before} + ${selectValue('parent_draft')})`
    : selectValue('parent');
  const place = sql`, iif(${parent} IS NULL, 0, ${selectLastSubtaskPosition(parent)} + 1 + d.key)`;
  return write(sql`
    INSERT INTO ${isAnySubtask ? subtaskInsertTarget : taskInsertTarget}
    SELECT ${actor.workspace}, ${sql.join(
      draftColumns.map((column) => (column === 'parent' ? parent : selectValue(column))),
      sql`, `,
    )},
      ${selectHours(selectValue('estimated_hours'), selectValue('type'), selectValue('category'))},
      ${selectValue('name_key')}, ${selectValue('description_key')}, ${selectValue('label_keys')}, ${selectValue('long_text')},
      ${selectValue('completed_on')}, 1,
      log.head + 1 + ${before} + d.key, ${all}, ${sql.join(checklist, sql`, `)}, ${actor.member}, clock.now, clock.now,
      coalesce(${selectValue('repeats')}, 0), coalesce(${selectValue('has_reminders')}, 0)
      ${isAnySubtask ? place : sql``}
    FROM (${selectCreationTime(now)}) clock CROSS JOIN (${selectNewestSeq(actor.workspace)}) log
    CROSS JOIN json_each(${JSON.stringify(rows)}) d ORDER BY d.key`);
}

/** A new task is never dated before an older one, even if a clock is slow. */
function selectCreationTime(now: number): SQL {
  return sql`SELECT max(${now}, coalesce((SELECT ${n.created_at}
    FROM ${n} ORDER BY ${n.id} DESC LIMIT 1), 0)) AS now`;
}

function listDraftFollowers({ member }: Actor, draft: TaskDraft): number[] {
  const assignees = listAssigneeNumbers(draft);
  const all = draft.source_completed_on === undefined ? [member, ...assignees] : assignees;
  return [...new Set(all)].toSorted((one, other) => one - other);
}

export const getSourceTaskId = ({ copied_from, continues }: Pick<TaskDraft, 'copied_from' | 'continues'>) =>
  copied_from ?? continues;
export const hasOtherAssignees = ({ other_assignees }: Pick<TaskDraft, 'other_assignees'>) =>
  other_assignees !== '[]';

/** Must run after the statement that inserts the copies. `originals` has one task per copy, in the same order. */
export function copyChecklists(
  { workspace }: Actor,
  originals: readonly number[],
  { isUnticked }: { isUnticked: boolean },
): Statement<void> {
  const lines = isUnticked
    ? sql`(SELECT json_group_array(json_set(l.value, '$.isDone', json('false')) ORDER BY l.key) FROM json_each(${k.lines}) l)`
    : k.lines;
  const first = sql`(SELECT max(${n.id}) FROM ${n}) - ${originals.length} + 1`;
  return write(sql`
    INSERT INTO ${nameInsertColumns(checklists, 'task', 'ws', 'lines', 'next_line', 'version')}
    SELECT ${first} + d.key, ${k.ws}, ${lines}, ${k.next_line}, 1
    FROM json_each(${JSON.stringify(originals)}) d CROSS JOIN ${k} ON ${k.task} = d.value AND ${k.ws} = ${workspace}`);
}

export function insertChecklists({ workspace }: Actor, drafts: readonly TaskDraft[]): Statement<void>[] {
  const first = sql`(SELECT max(${n.id}) FROM ${n}) - ${drafts.length} + 1`;
  const rows = drafts.flatMap(({ checklist = [] }, place) => {
    const lines = checklist.map(({ text, isDone }, index) => ({ id: index + 1, text, isDone }));
    return lines.length === 0 ? [] : [{ place, lines: JSON.stringify(lines), next: lines.length + 1 }];
  });
  return splitBySize(rows, ({ lines }) => lines.length, STATEMENT_CHARACTERS_MAX).map((part) =>
    write(sql`
      INSERT INTO ${nameInsertColumns(checklists, 'task', 'ws', 'lines', 'next_line', 'version')}
      SELECT ${first} + (d.value ->> 'place'), ${workspace}, d.value ->> 'lines', d.value ->> 'next', 1
      FROM json_each(${JSON.stringify(part)}) d`),
  );
}

export function followNewTasks(count: number): Statement<void> {
  return insertFollowers(selectNewTasks(count));
}

export function insertFollowers(selection: TaskSelection): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(followers, 'member', 'project', 'task')}
    SELECT f.value, ${t.project}, ${t.id} FROM (SELECT ${t.id}, ${t.project}, ${t.followers} FROM ${buildSelectionFromClause(t, selection)}) t
      CROSS JOIN json_each(${t.followers}) f`);
}
