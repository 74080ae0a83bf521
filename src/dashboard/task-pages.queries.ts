import { type SQL, sql } from 'drizzle-orm';
import { bucketList, bucketSum } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement } from '../kernel/database.ts';
import { byKind, type MergeOrder, mergePage } from '../kernel/merge-page.queries.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { bucketsOfStatuses } from '../task-model/buckets.ts';
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
    const days = countedDays(filter, deadlineRange(filter).spans);
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
    return sorted(scopedTasks(filter, deadlineRange(filter), sortColumns), sort, range);
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
      SELECT id, name_key FROM (${scopedTasks(filter, whole, sql`t.id AS id, t.name_key AS name_key`)})
      WHERE ${isAfter(range, sortColumnsOf.name)}
      ORDER BY name_key, id ${limitIf(sql`<= ${NARROW_MAX}`)})
    UNION ALL
    SELECT id FROM (
      SELECT t.id AS id, t.name_key AS name_key FROM tasks t INDEXED BY tasks_by_name
      WHERE t.ws = ${caller.workspace} AND t.archived = 0
      AND ${inScope(filter, sql`t.project`, sql`t.assignee`)} AND t.archived_status IN ${bucketList(filter.statuses)}
      AND ${isAfter(range, [{ column: sql`t.name_key` }, { column: sql`t.id` }])}
      ORDER BY t.name_key, t.id ${limitIf(sql`> ${NARROW_MAX}`)})`;
}

/** One order as a merge of sorted index ranges. Keys are text or numbers that sort like the order itself. */
interface TaskOrder extends Omit<MergeOrder, 'columns'> {
  /** Column that, with the project or the assignee, names a range. */
  dividedBy: 'archived_status' | 'bucket';
  indexes: { project: string; assignee: string };
  key: SQL;
  /** What the key is made of. */
  keyColumns: { column: SQL; isDescending?: boolean }[];
  /** Condition: `t` comes after the key `m.key`. */
  after: SQL;
  order: SQL;
}

const taskOrders: Record<Exclude<DashboardSort, 'name'>, TaskOrder> = {
  due: {
    dividedBy: 'archived_status',
    indexes: { project: 'tasks_by_project_due', assignee: 'tasks_by_assignee_due' },
    key: sql`t.due || printf('%015d', t.id)`,
    end: sql`'~'`,
    keyColumns: [{ column: sql`t.due` }, { column: sql`t.id` }],
    after: sql`(t.due > substr(m.key, 1, 10) OR (t.due = substr(m.key, 1, 10) AND t.id > CAST(substr(m.key, 11) AS INTEGER))) AND t.due >= substr(m.key, 1, 10)`,
    order: sql`t.due, t.id`,
    isDescending: false,
    id: sql`CAST(substr(key, 11) AS INTEGER)`,
  },
  status: {
    dividedBy: 'bucket',
    indexes: { project: 'tasks_by_project', assignee: 'tasks_by_assignee' },
    key: sql`t.status || printf('%015d', t.id)`,
    end: sql`'~'`,
    keyColumns: [{ column: sql`t.status` }, { column: sql`t.id` }],
    after: sql`t.id > CAST(substr(m.key, 2) AS INTEGER)`,
    order: sql`t.id`,
    isDescending: false,
    id: sql`CAST(substr(key, 2) AS INTEGER)`,
  },
  created: {
    dividedBy: 'bucket',
    indexes: { project: 'tasks_by_project', assignee: 'tasks_by_assignee' },
    key: sql`t.id`,
    end: sql`-1`,
    keyColumns: [{ column: sql`t.id`, isDescending: true }],
    after: sql`t.id < m.key`,
    order: sql`t.id DESC`,
    isDescending: true,
    id: sql`key`,
  },
};

/** Ranges of one index: whose tasks they are, which index walks them, and what is left to check of each. */
interface TaskRanges {
  owners: SQL;
  index: string;
  column: 'ws' | 'project' | 'assignee';
  remaining?: SQL;
}

function isWholeWorkspace({ projectId, projectStatus }: TaskFilter): boolean {
  return projectId === undefined && projectStatus === undefined;
}

/**
 * Ranges may overlap: a task of a seen person can lie in one of the caller's projects too. It then comes twice, which is
 * cheaper than asking each task.
 */
function rangesInScope(caller: Caller, filter: TaskFilter, { dividedBy, indexes }: TaskOrder): TaskRanges[] {
  const ofPeople = (owners: SQL, remaining: SQL): TaskRanges => ({
    owners,
    index: indexes.assignee,
    column: 'assignee',
    remaining,
  });
  if (picksPeople(filter)) {
    return [ofPeople(sql`SELECT no FROM picked`, inScope(filter, sql`t.project`, sql`t.assignee`))];
  }
  // Only the buckets have an index by workspace; deadlines go project by project.
  if (seesEveryProject(filter) && isWholeWorkspace(filter) && dividedBy === 'bucket') {
    return [{ owners: sql`SELECT ${caller.workspace}`, index: 'tasks_by_workspace', column: 'ws' }];
  }
  const projects: TaskRanges = {
    owners: sql`SELECT id FROM my_projects`,
    index: indexes.project,
    column: 'project',
  };
  if (!seesPeople(filter)) return [projects];
  const seen = sql`SELECT no FROM seen_people`;
  if (isWholeWorkspace(filter))
    return [projects, { owners: seen, index: indexes.assignee, column: 'assignee' }];
  return [projects, ofPeople(seen, besideMyProjects(filter, sql`t.project`))];
}

function merged(caller: Caller, filter: TaskFilter, sort: Exclude<DashboardSort, 'name'>, range: Range): SQL {
  const order = taskOrders[sort];
  const sources = rangesInScope(caller, filter, order);
  const until = hasRange(filter) ? sql`AND t.due < ${filter.until ?? NO_DEADLINE}` : sql``;
  // One lower bound a walk, so that no index begins at the first day for every task: the cursor lies behind it.
  const from = filter.from === undefined || range.after ? sql`` : sql`AND t.due >= ${filter.from}`;
  const behindCursor = sql`${isAfter(range, order.keyColumns)} ${from}`;
  const buckets =
    order.dividedBy === 'archived_status' ? filter.statuses : bucketsOfStatuses(filter.statuses);
  const ranges = sql`
    WITH owners (kind, owner) AS MATERIALIZED (${byKind(sources.map(({ owners }) => owners))}),
    ranges (kind, owner, bucket) AS MATERIALIZED (
      SELECT o.kind, o.owner, b.value FROM owners o CROSS JOIN json_each(${JSON.stringify(buckets)}) b)
    SELECT kind, owner, bucket FROM ranges`;
  const walks = sources.map(({ index, column, remaining = sql`true` }) => {
    const nearest = (condition: SQL) => sql`(
      SELECT ${order.key} FROM tasks t INDEXED BY ${sql.raw(index)}
      WHERE t.${sql.raw(column)} = m.owner AND t.${sql.raw(order.dividedBy)} = m.bucket AND ${remaining}
      AND ${condition} ${until} ORDER BY ${order.order} LIMIT 1)`;
    return { first: nearest(behindCursor), next: nearest(order.after) };
  });
  const columns = ['owner', 'bucket'];
  return mergePage({ ranges, walks, mayRepeat: sources.length > 1 }, { ...order, columns }, range);
}
