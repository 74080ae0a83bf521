import { cellOf } from './env.ts';
import type { Workspace } from './world.ts';

const buckets = Array.from({ length: 30 }, (_, bucket) => bucket);
const stored = (table: string) =>
  `SELECT member, project, ${buckets.map((b) => `c${b}`).join(', ')} FROM ${table}`;
const tallied = buckets.map((bucket) => `sum(t.k = ${bucket}) AS c${bucket}`).join(', ');

const statuses = [0, 1, 2, 3, 4];
const dayTally = statuses.map((status) => `sum(t.status = ${status}) AS s${status}`).join(', ');
const deadlineSums = { past: 'counted_until', week: 'week_until' };
const sumColumns = Object.keys(deadlineSums).flatMap((sum) => statuses.map((status) => `${sum}${status}`));
const hourColumns = [...statuses.map((status) => `h${status}`), 'past_hours'];
const hourTally = [
  ...statuses.map((status) => `sum((t.archived = 0 AND t.status = ${status}) * t.hours) AS h${status}`),
  `sum((t.archived = 0 AND t.status <> 4 AND t.due < (SELECT counted_until FROM workspaces WHERE no = t.ws)) * t.hours) AS past_hours`,
].join(', ');
/** Days of a person: what is due and what was completed, as rows to be grouped. */
const memberDayRows = (ws: number, project: string) => `
  SELECT t.member AS member, ${project} AS project, t.due AS day, 1 AS due, t.hours AS due_hours, 0 AS done, 0 AS done_hours
    FROM tasks t WHERE t.ws = ${ws} AND t.member > 0 AND t.archived = 0 AND t.status <> 4 AND t.due <> '9999-99-99'
  UNION ALL SELECT t.member, ${project}, t.completed_on, 0, 0, 1, t.hours
    FROM tasks t WHERE t.ws = ${ws} AND t.member > 0 AND t.archived = 0 AND t.status = 4 AND t.completed_on IS NOT NULL`;
const sumTally = Object.entries(deadlineSums)
  .flatMap(([sum, border]) =>
    statuses.map(
      (status) =>
        `sum(t.archived = 0 AND t.status = ${status} AND t.due < (SELECT ${border} FROM workspaces WHERE no = t.ws)) AS ${sum}${status}`,
    ),
  )
  .join(', ');

/** Every counter of a workspace that differs from a count of the rows; empty when all is right. */
export async function taskCounterDrift({ no, cell }: Pick<Workspace, 'no' | 'cell'>): Promise<string[]> {
  const db = cellOf(cell);
  const all = async (query: string) => (await db.prepare(query).all<Record<string, unknown>>()).results;
  const pairs: [string, string, string][] = [
    [
      'task_counts of projects',
      `${stored('task_counts')} WHERE ws = ${no} AND member = 0`,
      `SELECT 0 AS member, t.project AS project, ${tallied} FROM tasks t WHERE t.ws = ${no} GROUP BY t.project`,
    ],
    [
      'task_counts of assignees',
      `${stored('task_counts')} WHERE ws = ${no} AND member > 0 AND project > 0`,
      `SELECT t.member AS member, t.project AS project, ${tallied} FROM tasks t WHERE t.ws = ${no} AND t.member > 0 GROUP BY t.member, t.project`,
    ],
    [
      'task_counts of people in all projects',
      `${stored('task_counts')} WHERE ws = ${no} AND member > 0 AND project = 0`,
      `SELECT t.member AS member, 0 AS project, ${tallied} FROM tasks t WHERE t.ws = ${no} AND t.member > 0 GROUP BY t.member`,
    ],
    ...[
      ['member = 0', '0', 't.project', 'true'],
      ['member > 0 AND project > 0', 't.member', 't.project', 't.member > 0'],
      ['member > 0 AND project = 0', 't.member', '0', 't.member > 0'],
    ].map(([which, member, project, condition]): [string, string, string] => [
      `deadlines and hours, ${which}`,
      `SELECT member, project, ${[...sumColumns, ...hourColumns].join(', ')} FROM task_counts WHERE ws = ${no} AND ${which}`,
      `SELECT ${member} AS member, ${project} AS project, ${sumTally}, ${hourTally} FROM tasks t
        WHERE t.ws = ${no} AND ${condition} GROUP BY 1, 2`,
    ]),
    ...['t.project', '0'].map((project): [string, string, string] => [
      `member_days, project ${project}`,
      `SELECT member, project, day, due, due_hours, done, done_hours FROM member_days
        WHERE ws = ${no} AND project ${project === '0' ? '= 0' : '> 0'}`,
      `SELECT member, project, day, sum(due) AS due, sum(due_hours) AS due_hours, sum(done) AS done, sum(done_hours) AS done_hours
        FROM (${memberDayRows(no, project)}) GROUP BY 1, 2, 3`,
    ]),
    [
      'due_days',
      `SELECT project, day, s0, s1, s2, s3, s4 FROM due_days WHERE project IN (SELECT id FROM projects WHERE ws = ${no})`,
      `SELECT t.project AS project, t.due AS day, ${dayTally} FROM tasks t
        WHERE t.ws = ${no} AND t.archived = 0 AND t.due <> '9999-99-99' GROUP BY 1, 2`,
    ],
    [
      'task_counts of followers',
      `SELECT member, project, ${buckets.map((b) => `f${b}`).join(', ')} FROM task_counts WHERE ws = ${no} AND member > 0`,
      `SELECT f.member AS member, f.project AS project, ${buckets.map((b) => `sum(t.k = ${b}) AS f${b}`).join(', ')} FROM followers f JOIN tasks t ON t.id = f.task WHERE t.ws = ${no} GROUP BY f.member, f.project`,
    ],
    [
      'comment and activity counts',
      `SELECT id, comment_count, activity_count FROM tasks WHERE ws = ${no}`,
      `SELECT t.id AS id, (SELECT count(*) FROM comments c WHERE c.task = t.id) AS comment_count, (SELECT count(*) FROM activities a WHERE a.task = t.id) AS activity_count FROM tasks t WHERE t.ws = ${no}`,
    ],
    [
      'notification_counts',
      `SELECT user_id, total, unread FROM notification_counts WHERE user_id IN (SELECT user_id FROM members WHERE ws = ${no})`,
      `SELECT user_id, count(*) AS total, sum(read_at IS NULL) AS unread FROM notifications WHERE user_id IN (SELECT user_id FROM members WHERE ws = ${no}) GROUP BY user_id`,
    ],
  ];
  const drift: string[] = [];
  for (const [name, storedQuery, truthQuery] of pairs) {
    const [kept, truth] = [keyed(await all(storedQuery)), keyed(await all(truthQuery))];
    for (const row of new Set([...kept, ...truth])) {
      if (!kept.has(row) || !truth.has(row))
        drift.push(`${name}: ${kept.has(row) ? 'stored' : 'true'} ${row}`);
    }
  }
  return drift;
}

/** Rows as text, without those that hold only zeros: no row says the same. */
function keyed(rows: Record<string, unknown>[]): Set<string> {
  const keys = ['member', 'project', 'day', 'id', 'user_id'];
  const counts = (row: Record<string, unknown>) =>
    Object.entries(row).filter(([name]) => !keys.includes(name));
  return new Set(
    rows.filter((row) => counts(row).some(([, value]) => value !== 0)).map((row) => JSON.stringify(row)),
  );
}
