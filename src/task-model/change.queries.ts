import type { Actor } from '../kernel/access.ts';
import { wallClock } from '../kernel/civil.ts';
import { type Statement, write } from '../kernel/database.ts';
import type { WriteContext } from '../kernel/operation.ts';
import { into, names, type SQL, sql } from '../kernel/sql.ts';
import { taskCategories, taskTypes } from '../reference/reference.sql.ts';
import { descriptionKeyOf, searchKeyOf } from '../search/search-key.ts';
import { changesAny, historyLength } from './history.queries.ts';
import { newTasks, type TaskSelection, tasksIn } from './selection.queries.ts';
import type { TaskState } from './tasks.queries.ts';
import { taskStatuses } from './tasks.schema.ts';
import { followers, tasks } from './tasks.sql.ts';

const f = names(followers, 'f');
const hc = names(taskCategories, 'hc');
const ht = names(taskTypes, 'ht');
const n = names(tasks, 'n');
const t = names(tasks, 't');
const intoTasks = into(
  tasks,
  'ws',
  'project',
  'assignee',
  'status',
  'priority',
  'name',
  'description',
  'tags',
  'start_date',
  'due',
  'scheduled_time',
  'duration_minutes',
  'category',
  'type',
  'estimated_hours',
  'hours',
  'name_key',
  'description_key',
  'completed_on',
  'activity_count',
  'created_by',
  'created_at',
  'updated_at',
);

/** A new task: the columns that a writer chooses. */
export interface TaskDraft {
  project: number;
  assignee: number;
  status: number;
  priority: number;
  name: string;
  description: string | null;
  tags: string;
  start_date: string | null;
  due: string;
  scheduled_time: string | null;
  duration_minutes: number | null;
  category: number | null;
  type: number | null;
  estimated_hours: string | null;
}

/** Characters of the texts that one statement inserts: they go in twice, and D1 takes 2 MB a parameter. */
const TEXTS_MAX = 250_000;

/** In the order of the drafts. */
export function insertTasks(actor: Actor, drafts: readonly TaskDraft[], now: number): Statement<void>[] {
  const parts: TaskDraft[][] = [[]];
  let length = 0;
  for (const draft of drafts) {
    length += draft.name.length + (draft.description?.length ?? 0);
    if (length > TEXTS_MAX && parts.at(-1)?.length) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(draft);
  }
  return parts.map((part) => insertPart(actor, part, now));
}

function insertPart(actor: Actor, drafts: readonly TaskDraft[], now: number): Statement<void> {
  const today = wallClock(now, actor.timezone).date;
  const rows = drafts.map((draft) => ({
    ...draft,
    name_key: searchKeyOf(draft.name),
    description_key: descriptionKeyOf(draft.description),
    completed_on: completedOn(draft.status, today),
  }));
  const value = (name: keyof (typeof rows)[number]) => sql.raw(`json_extract(d.value, '$.${name}')`);
  return write(sql`
    INSERT INTO ${intoTasks}
    SELECT ${actor.workspace}, ${value('project')}, ${value('assignee')}, ${value('status')},
      ${value('priority')},
      ${value('name')}, ${value('description')}, ${value('tags')}, ${value('start_date')}, ${value('due')},
      ${value('scheduled_time')}, ${value('duration_minutes')}, ${value('category')}, ${value('type')},
      ${value('estimated_hours')}, ${hoursOf(value('estimated_hours'), value('type'), value('category'))},
      ${value('name_key')}, ${value('description_key')}, ${value('completed_on')}, 1, ${actor.member},
        clock.now, clock.now
    FROM (${newestFirst(now)}) clock CROSS JOIN json_each(${JSON.stringify(rows)}) d ORDER BY d.key`);
}

/** The creation time of a new task: never earlier than that of an older task, however slow its request was. */
function newestFirst(now: number): SQL {
  return sql`SELECT max(${now}, coalesce((SELECT ${n.created_at}
    FROM ${n} ORDER BY ${n.id} DESC LIMIT 1), 0)) AS now`;
}

/** Hundredths of an hour: the estimate, else the default of the type, else of the category, else one hour. */
function hoursOf(estimate: SQL, type: SQL, category: SQL): SQL {
  return sql`CAST(round(100 * coalesce(CAST(${estimate} AS REAL),
    (SELECT ${ht.default_estimated_hours} FROM ${ht} WHERE ${ht.id} = ${type}),
    (SELECT ${hc.default_estimated_hours} FROM ${hc} WHERE ${hc.id} = ${category}), 1)) AS INTEGER)`;
}

/** Creator and assignee follow a new task; a copy also keeps the followers of its original. */
export function followNewTasks(count: number, copiedFrom?: number): Statement<void> {
  const carried =
    copiedFrom === undefined
      ? sql``
      : sql`UNION SELECT ${f.member}, ${t.project}, ${t.id}
        FROM (SELECT ${t.id}, ${t.project} FROM ${tasksIn(newTasks(count))}) t
          CROSS JOIN ${f} INDEXED BY followers_by_task ON ${f.task} = ${copiedFrom}`;
  return write(sql`
    INSERT INTO ${into(followers, 'member', 'project', 'task')}
    SELECT ${t.created_by}, ${t.project}, ${t.id} FROM ${tasksIn(newTasks(count))}
    UNION SELECT ${t.assignee}, ${t.project}, ${t.id} FROM ${tasksIn(newTasks(count))} AND ${t.assignee} > 0
    ${carried}`);
}

/** Columns that a change may set. */
export type TaskChanges = Partial<
  Pick<
    TaskState,
    | 'assignee'
    | 'status'
    | 'priority'
    | 'archived'
    | 'name'
    | 'description'
    | 'start_date'
    | 'due'
    | 'scheduled_time'
    | 'estimated_hours'
    | 'tags'
  >
>;

/** The same where tasks may get different values: as SQL over the old row `t`. */
export type NewValues = { readonly [K in keyof TaskChanges]: TaskChanges[K] | SQL };

/** What the folded texts become, where the texts are SQL. */
export interface NewKeys {
  name_key?: string | SQL;
  description_key?: string | SQL;
}

/** The columns that decide where a task counts, and how much. */
export const countedColumns = [
  'assignee',
  'status',
  'priority',
  'archived',
  'due',
  'completed_on',
  'hours',
] as const;

/** The columns that a change sets, as SQL over the old row `t`; the others stay. */
export type NewState = { readonly [K in (typeof countedColumns)[number]]?: SQL };

/** The new values of the columns that counters read, as SQL over the old row `t`. */
export function newState({ caller, now }: WriteContext, changes: NewValues): NewState {
  const today = wallClock(now, caller.timezone).date;
  const integer = (value: number | SQL) => sql`CAST(${value} AS INTEGER)`;
  const { assignee, status, priority, archived, due, estimated_hours } = changes;
  return {
    ...(assignee !== undefined && { assignee: integer(assignee) }),
    ...(status !== undefined && {
      status: integer(status),
      completed_on:
        typeof status === 'number'
          ? sql`iif(${t.status} = ${status}, ${t.completed_on}, ${completedOn(status, today)})`
          : sql`iif(${t.status} = ${status}, ${t.completed_on}, iif(${status} = ${COMPLETED}, ${today}, NULL))`,
    }),
    ...(priority !== undefined && { priority: integer(priority) }),
    ...(archived !== undefined && { archived: integer(archived) }),
    ...(due !== undefined && { due: sql`${due}` }),
    ...(estimated_hours !== undefined && {
      hours: hoursOf(sql`${estimated_hours}`, t.type, t.category),
    }),
  };
}

/** What the hours become where the defaults of types and categories have changed. */
export const hoursByDefaults = {
  hours: hoursOf(t.estimated_hours, t.type, t.category),
} satisfies NewState;

/** Gives the selected tasks those hours. They are no field that anybody reads, so no version and no time changes. */
export function updateHours(ws: number, { access, where }: TaskSelection): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t ${access} SET ${tasks.hours} = ${hoursByDefaults.hours}
    WHERE ${where} AND ${t.ws} = ${ws} AND ${t.hours} <> ${hoursByDefaults.hours}`);
}

/** Changes the selected tasks of a workspace; tasks that already have the new values stay untouched. */
export function updateTasks(
  ctx: WriteContext,
  { access, where }: TaskSelection,
  changes: NewValues,
  keys: NewKeys = keysOf(changes),
): Statement<void> {
  const { completed_on, hours } = newState(ctx, changes);
  const set = [
    ...(Object.keys(changes) as (keyof TaskChanges)[]).map(
      (column) => sql`${tasks[column]} = ${changes[column] ?? null}`,
    ),
    ...(Object.keys(keys) as (keyof NewKeys)[]).map(
      (column) => sql`${tasks[column]} = ${keys[column] ?? null}`,
    ),
  ];
  if (completed_on) set.push(sql`${tasks.completed_on} = ${completed_on}`);
  if (hours) set.push(sql`${tasks.hours} = ${hours}`);
  return write(sql`
    UPDATE ${tasks} AS t ${access} SET ${sql.join(set, sql`, `)},
      ${tasks.activity_count} = ${tasks.activity_count} + ${historyLength(changes)},
      ${tasks.updated_at} = max(${tasks.updated_at}, ${ctx.now}), ${tasks.version} = ${tasks.version} + 1
    WHERE ${where} AND ${t.ws} = ${ctx.caller.workspace} AND ${changesAny(changes)}`);
}

function keysOf({ name, description }: NewValues): NewKeys {
  return {
    ...(typeof name === 'string' && { name_key: searchKeyOf(name) }),
    ...((typeof description === 'string' || description === null) && {
      description_key: descriptionKeyOf(description),
    }),
  };
}

/**
 * What a comment or a file does to its task: every one of their changes is an entry of the history.
 * @param comments how many comments come or go.
 */
export function touchTask(
  { caller, now }: WriteContext,
  task: number,
  comments: -1 | 0 | 1,
): Statement<void> {
  return write(sql`
    UPDATE ${tasks} SET ${tasks.comment_count} = ${tasks.comment_count} + ${comments},
      ${tasks.activity_count} = ${tasks.activity_count} + 1,
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now})
    WHERE ${tasks.ws} = ${caller.workspace} AND ${tasks.id} = ${task}`);
}

const COMPLETED = taskStatuses.indexOf('completed');

function completedOn(status: number, today: string): string | null {
  return taskStatuses[status] === 'completed' ? today : null;
}
