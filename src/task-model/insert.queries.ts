import { headOf } from '../event-log/head.queries.ts';
import type { Actor } from '../kernel/access.ts';
import { wallClock } from '../kernel/civil.ts';
import { type Statement, write } from '../kernel/database.ts';
import { into, names, type SQL, sql } from '../kernel/sql.ts';
import { descriptionKeyOf, searchKeyOf } from '../search/search-key.ts';
import { completedOn, hoursOf } from './change.queries.ts';
import { newTasks, tasksIn } from './selection.queries.ts';
import { followers, tasks } from './tasks.sql.ts';

const f = names(followers, 'f');
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
  'first_event',
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

/** In the order of the drafts. The batch logs their beginnings before any other event: `first_event` foretells them. */
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
  let before = 0;
  return parts.map((part) => {
    const statement = insertPart(actor, part, before, now);
    before += part.length;
    return statement;
  });
}

/** @param before how many tasks of the batch come before these. */
function insertPart(
  actor: Actor,
  drafts: readonly TaskDraft[],
  before: number,
  now: number,
): Statement<void> {
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
      ${value('name_key')}, ${value('description_key')}, ${value('completed_on')}, 1,
      log.head + 1 + ${before} + d.key, ${actor.member}, clock.now, clock.now
    FROM (${newestFirst(now)}) clock CROSS JOIN (${headOf(actor.workspace)}) log
    CROSS JOIN json_each(${JSON.stringify(rows)}) d ORDER BY d.key`);
}

/** The creation time of a new task: never earlier than that of an older task, however slow its request was. */
function newestFirst(now: number): SQL {
  return sql`SELECT max(${now}, coalesce((SELECT ${n.created_at}
    FROM ${n} ORDER BY ${n.id} DESC LIMIT 1), 0)) AS now`;
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
