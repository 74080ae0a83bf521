// This file is long because each counter has to be recomputed in a different way.
import { getCell } from './env.ts';
import { listColumns } from './tables.ts';
import type { Workspace } from './world.ts';

/** Tables that contain only numbers computed from other rows. */
export const counterTables = [
  'task_counts',
  'subtask_counts',
  'other_assignee_counts',
  'due_days',
  'member_halves',
  'comment_counts',
  'notification_counts',
  'storage',
];

type Row = Record<string, unknown>;
type WorkspaceLocation = Pick<Workspace, 'no' | 'cell'>;

/** Stored counters, with a statement that returns their correct values. */
interface Comparison {
  readonly table: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  /** An SQL condition for the rows to compare. */
  readonly where: string;
  /** A SELECT that returns the keys and the correct values. */
  readonly truth: string;
}

const buildNumberedNames = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`);
const buckets = buildNumberedNames('', 0, 29).map(Number);
const statuses = buildNumberedNames('', 0, 4).map(Number);
const dates = buildNumberedNames('', 1, 31).map(Number);

/**
 * Returns the columns of task_counts that sum the tasks of a project or an assignee, each with an SQL expression for
 * the correct sum.
 */
function buildTaskSums(): [column: string, sum: string][] {
  const selectCutoff = (name: string) => `(SELECT ${name} FROM workspaces WHERE no = t.ws)`;
  const buildStatusCondition = (status: number) => `t.archived = 0 AND t.status = ${status}`;
  return [
    ...buckets.map((bucket): [string, string] => [`bucket${bucket}`, `sum(t.bucket = ${bucket})`]),
    ...statuses.flatMap((status): [string, string][] => [
      [`past${status}`, `sum(${buildStatusCondition(status)} AND t.due < ${selectCutoff('past_cutoff')})`],
      [`week${status}`, `sum(${buildStatusCondition(status)} AND t.due < ${selectCutoff('week_cutoff')})`],
      [`hours${status}`, `sum((${buildStatusCondition(status)}) * t.hours)`],
    ]),
    [
      'past_hours',
      `sum((t.archived = 0 AND t.status <> 4 AND t.due < ${selectCutoff('past_cutoff')}) * t.hours)`,
    ],
  ];
}

/**
 * Returns the three kinds of rows in task_counts: for a project, for an assignee in a project, and for an assignee in
 * all projects.
 */
const buildRowKinds = (alias: string) => [
  { where: 'member = 0', member: '0', project: `${alias}.project`, rows: 'true' },
  {
    where: 'member > 0 AND project > 0',
    member: `${alias}.assignee`,
    project: `${alias}.project`,
    rows: `${alias}.assignee > 0`,
  },
  {
    where: 'member > 0 AND project = 0',
    member: `${alias}.assignee`,
    project: '0',
    rows: `${alias}.assignee > 0`,
  },
];

function compareTaskCounters(no: number): Comparison[] {
  const sums = buildTaskSums();
  const followed = buckets.map((bucket) => `followed${bucket}`);
  return [
    ...buildRowKinds('t').map(({ where, member, project, rows }) => ({
      table: 'task_counts',
      keys: ['member', 'project'],
      columns: sums.map(([column]) => column),
      where: `ws = ${no} AND ${where}`,
      truth: `SELECT ${member} AS member, ${project} AS project, ${sums.map(([column, sum]) => `${sum} AS ${column}`).join(', ')}
        FROM tasks t WHERE t.ws = ${no} AND ${rows} GROUP BY 1, 2`,
    })),
    ...buildRowKinds('t')
      .slice(0, 2)
      .map(({ where, member, project, rows }) => ({
        table: 'subtask_counts',
        keys: ['member', 'project'],
        columns: buckets.map((bucket) => `bucket${bucket}`),
        where: `ws = ${no} AND ${where}`,
        truth: `SELECT ${member} AS member, ${project} AS project,
          ${buckets.map((bucket) => `sum(t.bucket = ${bucket}) AS bucket${bucket}`).join(', ')}
          FROM tasks t WHERE t.ws = ${no} AND t.parent IS NOT NULL AND ${rows} GROUP BY 1, 2`,
      })),
    ...['t.project', '0'].map((project) => ({
      table: 'label_counts',
      keys: ['project', 'label_key'],
      columns: ['tasks'],
      where: `ws = ${no} AND project ${project === '0' ? '= 0' : '> 0'}`,
      truth: `SELECT ${project} AS project, k.value AS label_key, count(DISTINCT t.id) AS tasks
        FROM tasks t CROSS JOIN json_each(t.label_keys) k WHERE t.ws = ${no} AND t.archived = 0 GROUP BY 1, 2`,
    })),
    {
      table: 'other_assignee_counts',
      keys: ['member', 'project', 'is_subtask'],
      columns: buckets.map((bucket) => `bucket${bucket}`),
      where: `ws = ${no}`,
      truth: `SELECT n.value AS member, t.project AS project, t.parent IS NOT NULL AS is_subtask,
        ${buckets.map((bucket) => `sum(t.bucket = ${bucket}) AS bucket${bucket}`).join(', ')}
        FROM tasks t JOIN json_each(t.other_assignees) n WHERE t.ws = ${no} GROUP BY 1, 2, 3`,
    },
    {
      table: 'tasks',
      keys: ['id'],
      columns: ['subtask_count', 'subtasks_completed'],
      where: `ws = ${no}`,
      truth: `SELECT t.id AS id,
        (SELECT count(*) FROM tasks c WHERE c.parent = t.id AND c.archived = 0) AS subtask_count,
        (SELECT count(*) FROM tasks c WHERE c.parent = t.id AND c.archived = 0 AND c.status = 4) AS subtasks_completed
        FROM tasks t WHERE t.ws = ${no}`,
    },
    {
      table: 'tasks',
      keys: ['id'],
      columns: ['open_blockers'],
      where: `ws = ${no}`,
      truth: `SELECT t.id AS id, (
        SELECT count(*) FROM task_relations r JOIN tasks b ON b.id = r.source
        WHERE r.target = t.id AND r.type = 'blocks' AND b.ws = t.ws AND b.archived = 0 AND b.status <> 4) AS open_blockers
        FROM tasks t WHERE t.ws = ${no}`,
    },
    {
      table: 'task_counts',
      keys: ['member', 'project'],
      columns: followed,
      where: `ws = ${no}`,
      truth: `SELECT f.member AS member, f.project AS project, ${buckets.map((bucket) => `sum(t.bucket = ${bucket}) AS followed${bucket}`).join(', ')}
        FROM followers f JOIN tasks t ON t.id = f.task WHERE t.ws = ${no} GROUP BY 1, 2`,
    },
    {
      table: 'due_days',
      keys: ['project', 'day'],
      columns: statuses.map((status) => `status${status}`),
      where: `project IN (SELECT id FROM projects WHERE ws = ${no})`,
      truth: `SELECT t.project AS project, t.due AS day, ${statuses.map((status) => `sum(t.status = ${status}) AS status${status}`).join(', ')}
        FROM tasks t WHERE t.ws = ${no} AND t.archived = 0 AND t.due <> '9999-99-99' GROUP BY 1, 2`,
    },
    {
      table: 'tasks',
      keys: ['id'],
      columns: ['followers'],
      where: `ws = ${no}`,
      truth: `SELECT t.id AS id, coalesce(k.followers, '[]') AS followers FROM tasks t LEFT JOIN (
        SELECT f.task, json_group_array(f.member ORDER BY f.member) AS followers FROM followers f GROUP BY f.task) k
        ON k.task = t.id WHERE t.ws = ${no}`,
    },
    ...['t.project', '0'].map((project) => compareHalfMonths(no, project)),
    {
      table: 'tasks',
      keys: ['id'],
      columns: ['comment_count', 'activity_count'],
      where: `ws = ${no}`,
      truth: `SELECT t.id AS id, (SELECT count(*) FROM comments c WHERE c.task = t.id) AS comment_count,
        (SELECT coalesce(sum(e.entries), 0) FROM events e WHERE e.task = t.id) AS activity_count FROM tasks t WHERE t.ws = ${no}`,
    },
  ];
}

/** Compares the numbers of tasks due and completed on each day. Each row covers half a month. */
function compareHalfMonths(no: number, project: string): Comparison {
  const days = buildNumberedNames('', 1, 16).map(Number);
  const sums: [column: string, sum: string][] = ['due', 'done'].flatMap((kind) => [
    ...days.map((day): [string, string] => [`${kind}${day}`, `sum(kind = '${kind}' AND column = ${day})`]),
    ...days.map((day): [string, string] => [
      `${kind}_hours${day}`,
      `sum((kind = '${kind}' AND column = ${day}) * hours)`,
    ]),
  ]);
  const some = `FROM tasks t WHERE t.ws = ${no} AND t.assignee > 0 AND t.archived = 0`;
  return {
    table: 'member_halves',
    keys: ['member', 'project', 'half'],
    columns: sums.map(([column]) => column),
    where: `ws = ${no} AND project ${project === '0' ? '= 0' : '> 0'}`,
    truth: `SELECT member, project, half, ${sums.map(([column, sum]) => `${sum} AS ${column}`).join(', ')} FROM (
      SELECT *, 1 + CAST(julianday(day) - julianday(half) AS INTEGER) AS column FROM (
        SELECT *, date(day, 'start of month', iif(strftime('%d', day) > '15', '+15 days', '+0 days')) AS half
        FROM (
          SELECT t.assignee AS member, ${project} AS project, t.due AS day, 'due' AS kind, t.hours AS hours
            ${some} AND t.status <> 4 AND t.due <> '9999-99-99'
          UNION ALL SELECT t.assignee, ${project}, t.completed_on, 'done', t.hours
            ${some} AND t.status = 4 AND t.completed_on IS NOT NULL))) GROUP BY 1, 2, 3`,
  };
}

function compareCommentCounts(no: number): Comparison[] {
  const columns = ['total', ...dates.map((date) => `day${date}`)];
  const onDates = dates.map(
    (date) => `sum(substr(c.day, 9) = '${String(date).padStart(2, '0')}') AS day${date}`,
  );
  return buildRowKinds('c').map(({ where, member, project, rows }) => {
    const keys = `SELECT ${member} AS member, ${project} AS project`;
    const some = `FROM comments c WHERE c.ws = ${no} AND c.project > 0 AND c.archived = 0 AND ${rows}`;
    return {
      table: 'comment_counts',
      keys: ['member', 'project', 'month'],
      columns,
      where: `ws = ${no} AND ${where}`,
      truth: `${keys}, '' AS month, count(*) AS total, ${dates.map((date) => `0 AS day${date}`).join(', ')} ${some} GROUP BY 1, 2
        UNION ALL ${keys}, substr(c.day, 1, 7), count(*), ${onDates.join(', ')} ${some} GROUP BY 1, 2, 3`,
    };
  });
}

function compareOtherCounters(no: number): Comparison[] {
  const people = `user_id IN (SELECT user_id FROM members WHERE ws = ${no})`;
  return [
    {
      table: 'notification_counts',
      keys: ['user_id'],
      columns: ['total', 'unread'],
      where: people,
      truth: `SELECT user_id, count(*) AS total, sum(read_at IS NULL) AS unread FROM notifications
        WHERE ${people} AND type NOT IN ('unblocked', 'reminder', 'changes_proposed') GROUP BY 1`,
    },
    {
      table: 'storage',
      keys: ['ws'],
      columns: ['used', 'reserved'],
      where: `ws = ${no}`,
      truth: `SELECT ws, sum(used) AS used, sum(reserved) AS reserved FROM (
        SELECT ws, file_size AS used, 0 AS reserved FROM attachments
        UNION ALL SELECT ws, 0, reserved FROM uploads) WHERE ws = ${no} GROUP BY 1`,
    },
  ];
}

/**
 * Returns the counters of a workspace that differ from a count of the rows. `only` limits the comparison to one table.
 */
export async function findCounterDrift({ no, cell }: WorkspaceLocation, only?: string): Promise<string[]> {
  const db = getCell(cell);
  const readAll = async (query: string) => (await db.prepare(query).all<Row>()).results;
  const comparisons = [...compareTaskCounters(no), ...compareCommentCounts(no), ...compareOtherCounters(no)];
  const drift = await findUncomparedColumns(db, comparisons);
  for (const { table, keys, columns, where, truth } of comparisons) {
    if (only !== undefined && table !== only) continue;
    const stored = await readAll(`SELECT ${[...keys, ...columns].join(', ')} FROM ${table} WHERE ${where}`);
    const [kept, counted] = [toRowTexts(stored, columns), toRowTexts(await readAll(truth), columns)];
    for (const row of new Set([...kept, ...counted])) {
      if (kept.has(row) && counted.has(row)) continue;
      drift.push(`${table}, ${where}: ${kept.has(row) ? 'stored' : 'true'} ${row}`);
    }
  }
  return drift;
}

async function findUncomparedColumns(db: D1Database, comparisons: readonly Comparison[]): Promise<string[]> {
  const left: string[] = [];
  for (const table of counterTables) {
    const compared = comparisons.filter((each) => each.table === table).flatMap(({ columns }) => columns);
    for (const { name, pk } of await listColumns(db, table)) {
      if (pk === 0 && !compared.includes(name)) left.push(`${table}.${name} is not compared with anything`);
    }
  }
  return left;
}

/** Omits rows that contain only zeros, because they mean the same as missing rows. */
function toRowTexts(rows: readonly Row[], columns: readonly string[]): Set<string> {
  const counting = rows.filter((row) => columns.some((column) => row[column] !== 0));
  return new Set(counting.map((row) => JSON.stringify(row)));
}
