import { type SQL, sql } from 'drizzle-orm';
import { bucketList, bucketSum } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { NO_DEADLINE } from '../task-model/tasks.sql.ts';
import type { DashboardSort } from './dashboard.schema.ts';
import { deadlineRange, namedTask, type TaskFilter } from './found-tasks.queries.ts';
import {
  besideMyProjects,
  inScope,
  picksPeople,
  scopedSum,
  scopedTasks,
  scopeTables,
  seesEveryProject,
  seesPeople,
} from './scope.queries.ts';
import { bucketsOfStatuses } from './statuses.ts';
import { countedDays } from './tiles.queries.ts';

function hasRange(filter: TaskFilter): boolean {
  return filter.from !== undefined || filter.until !== undefined;
}

/** Exact number of tasks of the scope that pass the filter, without a search. */
export function countDashboardTasks(caller: Caller, filter: TaskFilter): Statement<number> {
  const tables = scopeTables(caller, filter);
  if (filter.taskId !== undefined) {
    return number(sql`WITH RECURSIVE ${tables} SELECT count(*) AS total FROM ${namedTask(caller, filter)}`);
  }
  if (hasRange(filter)) {
    const days = countedDays(caller, filter, deadlineRange(filter).spans);
    return number(sql`WITH RECURSIVE ${tables} SELECT coalesce(sum(n), 0) AS total FROM (${days})`);
  }
  return number(sql`WITH RECURSIVE ${tables} SELECT n AS total FROM (${countedTotal(caller, filter)})`);
}

function countedTotal(caller: Caller, filter: TaskFilter): SQL {
  const buckets = bucketSum(bucketsOfStatuses(filter.statuses));
  return scopedSum(caller, filter, buckets);
}

/** Selects the column `id` of one page, in order. To be used within `scopeTables`. */
export function pageIds(caller: Caller, filter: TaskFilter, sort: DashboardSort, range: Range): SQL {
  if (filter.taskId !== undefined)
    return sorted(sql`SELECT ${sortColumns} FROM ${namedTask(caller, filter)}`, sort, range);
  if (hasRange(filter) && sort !== 'due')
    return sorted(scopedTasks(caller, filter, deadlineRange(filter), sortColumns), sort, range);
  if (sort === 'name') return byName(caller, filter, range);
  return merged(caller, filter, sort, range);
}

export const sortColumns = sql`t.id AS id, t.due AS due, t.status AS status, t.name_key AS name_key`;

const orders: Record<DashboardSort, SQL> = {
  due: sql`due, id`,
  created: sql`id DESC`,
  name: sql`name_key, id`,
  status: sql`status, id`,
};

const id = { column: sql`id` };
const sortColumnsOf = {
  due: [{ column: sql`due` }, id],
  created: [{ ...id, isDescending: true }],
  name: [{ column: sql`name_key` }, id],
  status: [{ column: sql`status` }, id],
};

/** @param tasks selects `sortColumns`. */
export function sorted(tasks: SQL, sort: DashboardSort, range: Range): SQL {
  return sql`
    SELECT id, due, status, name_key FROM (${tasks}) WHERE ${isAfter(range, sortColumnsOf[sort])}
    ORDER BY ${orders[sort]} ${limitOf(range)}`;
}

/** Below this many tasks, sorting them reads less than walking the workspace's names. */
const NARROW_MAX = 3_000;

/** Two plans in one statement; the counters decide which of them gets a LIMIT above 0. */
function byName(caller: Caller, filter: TaskFilter, range: Range): SQL {
  // Behind every day, and behind "no deadline" as well.
  const whole = { statuses: filter.statuses, spans: sql`(SELECT '' AS first, '~' AS until)` };
  const limitIf = (condition: SQL) => sql`
    LIMIT CASE WHEN (SELECT n FROM counted) ${condition} THEN ${range.limit + 1} ELSE 0 END OFFSET ${range.offset}`;
  return sql`
    WITH counted (n) AS MATERIALIZED (${countedTotal(caller, filter)})
    SELECT id FROM (
      SELECT id, name_key FROM (${scopedTasks(caller, filter, whole, sql`t.id AS id, t.name_key AS name_key`)})
      WHERE ${isAfter(range, sortColumnsOf.name)}
      ORDER BY name_key, id ${limitIf(sql`<= ${NARROW_MAX}`)})
    UNION ALL
    SELECT id FROM (
      SELECT t.id AS id, t.name_key AS name_key FROM tasks t INDEXED BY tasks_by_name
      WHERE t.ws = ${caller.workspace} AND t.archived = 0
      AND ${inScope(caller, filter, sql`t.project`, sql`t.member`)} AND t.st IN ${bucketList(filter.statuses)}
      AND ${isAfter(range, [{ column: sql`t.name_key` }, { column: sql`t.id` }])}
      ORDER BY t.name_key, t.id ${limitIf(sql`> ${NARROW_MAX}`)})`;
}

/** One order as a merge of sorted index ranges. Keys are text or numbers that sort like the order itself. */
interface MergeOrder {
  /** Column that, with the project or the member, names a range. */
  bucket: 'st' | 'k';
  indexes: { project: string; member: string };
  key: SQL;
  /** Stands behind every key. */
  end: SQL;
  /** What the key is made of. */
  columns: { column: SQL; isDescending?: boolean }[];
  /** Condition: `t` comes after the key `m.key`. */
  after: SQL;
  order: SQL;
  isDescending: boolean;
  /** The task id in a key. */
  id: SQL;
}

const merges: Record<Exclude<DashboardSort, 'name'>, MergeOrder> = {
  due: {
    bucket: 'st',
    indexes: { project: 'tasks_by_project_due', member: 'tasks_by_member_due' },
    key: sql`t.due || printf('%015d', t.id)`,
    end: sql`'~'`,
    columns: [{ column: sql`t.due` }, { column: sql`t.id` }],
    after: sql`(t.due > substr(m.key, 1, 10) OR (t.due = substr(m.key, 1, 10) AND t.id > CAST(substr(m.key, 11) AS INTEGER))) AND t.due >= substr(m.key, 1, 10)`,
    order: sql`t.due, t.id`,
    isDescending: false,
    id: sql`CAST(substr(key, 11) AS INTEGER)`,
  },
  status: {
    bucket: 'k',
    indexes: { project: 'tasks_by_project', member: 'tasks_by_member' },
    key: sql`t.status || printf('%015d', t.id)`,
    end: sql`'~'`,
    columns: [{ column: sql`t.status` }, { column: sql`t.id` }],
    after: sql`t.id > CAST(substr(m.key, 2) AS INTEGER)`,
    order: sql`t.id`,
    isDescending: false,
    id: sql`CAST(substr(key, 2) AS INTEGER)`,
  },
  created: {
    bucket: 'k',
    indexes: { project: 'tasks_by_project', member: 'tasks_by_member' },
    key: sql`t.id`,
    end: sql`-1`,
    columns: [{ column: sql`t.id`, isDescending: true }],
    after: sql`t.id < m.key`,
    order: sql`t.id DESC`,
    isDescending: true,
    id: sql`key`,
  },
};

/** A kind of index range: which rows name its sources, which index walks it, and what is left to check. */
interface Source {
  names: SQL;
  index: string;
  column: 'ws' | 'project' | 'member';
  remaining?: SQL;
}

function isWholeWorkspace({ projectId, projectStatus }: TaskFilter): boolean {
  return projectId === undefined && projectStatus === undefined;
}

/**
 * Sources may overlap: a task of a seen person can lie in one of the caller's projects too. It then comes twice, next
 * to itself, which is cheaper than asking each task.
 */
function sourcesOf(caller: Caller, filter: TaskFilter, { bucket, indexes }: MergeOrder): Source[] {
  const ofPeople = (names: SQL, remaining: SQL): Source => ({
    names,
    index: indexes.member,
    column: 'member',
    remaining,
  });
  if (picksPeople(filter)) {
    return [ofPeople(sql`SELECT no FROM picked`, inScope(caller, filter, sql`t.project`, sql`t.member`))];
  }
  const isWhole =
    seesEveryProject(caller) && filter.projectId === undefined && filter.projectStatus === undefined;
  // Only the buckets have an index by workspace; deadlines go project by project.
  if (isWhole && bucket === 'k') {
    return [{ names: sql`SELECT ${caller.workspace}`, index: 'tasks_by_workspace', column: 'ws' }];
  }
  const projects: Source = {
    names: sql`SELECT id FROM my_projects`,
    index: indexes.project,
    column: 'project',
  };
  if (!seesPeople(caller)) return [projects];
  const seen = sql`SELECT no FROM seen_people`;
  if (isWholeWorkspace(filter)) return [projects, { names: seen, index: indexes.member, column: 'member' }];
  return [projects, ofPeople(seen, besideMyProjects(filter, sql`t.project`))];
}

/** The same k-way merge as in tasks/pages: a queue of the next task of every (source, bucket). */
function merged(caller: Caller, filter: TaskFilter, sort: Exclude<DashboardSort, 'name'>, range: Range): SQL {
  const order = merges[sort];
  const sources = sourcesOf(caller, filter, order);
  const until = hasRange(filter) ? sql`AND t.due < ${filter.until ?? NO_DEADLINE}` : sql``;
  const buckets = order.bucket === 'st' ? filter.statuses : bucketsOfStatuses(filter.statuses);
  const next = (condition: SQL) => {
    const cases = sources.map(
      ({ index, column, remaining = sql`true` }, kind) => sql`
        WHEN ${sql.raw(String(kind))} THEN (
          SELECT ${order.key} FROM tasks t INDEXED BY ${sql.raw(index)}
          WHERE t.${sql.raw(column)} = m.source AND t.${sql.raw(order.bucket)} = m.bucket AND ${remaining} ${condition} ${until}
          ORDER BY ${order.order} LIMIT 1)`,
    );
    return sql`coalesce(CASE m.kind ${sql.join(cases, sql` `)} END, ${order.end})`;
  };
  const names = sql.join(
    sources.map((source, kind) => sql`SELECT ${sql.raw(String(kind))} AS kind, n.* FROM (${source.names}) n`),
    sql` UNION ALL `,
  );
  // One lower bound a walk, so that no index begins at the first day for every task: the cursor lies behind it.
  const from = filter.from === undefined || range.after ? sql`` : sql`AND t.due >= ${filter.from}`;
  const behindCursor = sql`AND ${isAfter(range, order.columns)} ${from}`;
  const mayRepeat = sources.length > 1;
  const [first, last] = mayRepeat
    ? [0, 2 * (range.offset + range.limit + 1)]
    : [range.offset, range.limit + 1];
  const direction = order.isDescending ? sql`DESC` : sql`ASC`;
  const distinct = mayRepeat ? sql`GROUP BY key ORDER BY key ${direction} ${limitOf(range)}` : sql``;
  return sql`
    SELECT ${order.id} AS id FROM (
      WITH RECURSIVE source_names (kind, source) AS MATERIALIZED (${names}),
      merge_sources (kind, source, bucket) AS MATERIALIZED (
        SELECT s.kind, s.source, b.value FROM source_names s CROSS JOIN json_each(${JSON.stringify(buckets)}) b),
      stream (key, kind, source, bucket) AS (
        SELECT ${next(behindCursor)}, m.kind, m.source, m.bucket FROM merge_sources m
        UNION ALL
        SELECT ${next(sql`AND ${order.after}`)}, m.kind, m.source, m.bucket FROM stream m WHERE m.key <> ${order.end}
        ORDER BY 1 ${direction} LIMIT ${last} OFFSET ${first})
      SELECT key FROM stream WHERE key <> ${order.end} ${distinct})`;
}
