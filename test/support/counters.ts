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
  const members = `(SELECT no FROM members WHERE ws = ${no})`;
  const all = async (query: string) => (await db.prepare(query).all<Record<string, unknown>>()).results;
  const pairs: [string, string, string][] = [
    [
      'task_counts of projects',
      `${stored('task_counts')} WHERE ws = ${no} AND member = 0`,
      `SELECT 0 AS member, t.project AS project, ${tallied} FROM tasks t WHERE t.ws = ${no} GROUP BY t.project`,
    ],
    [
      'task_counts of assignees',
      `${stored('task_counts')} WHERE ws = ${no} AND member > 0`,
      `SELECT t.member AS member, t.project AS project, ${tallied} FROM tasks t WHERE t.ws = ${no} AND t.member > 0 GROUP BY t.member, t.project`,
    ],
    ...['member = 0', 'member > 0'].map((which): [string, string, string] => [
      `deadlines before the borders, ${which}`,
      `SELECT member, project, ${sumColumns.join(', ')} FROM task_counts WHERE ws = ${no} AND ${which}`,
      `SELECT ${which === 'member = 0' ? 0 : 't.member'} AS member, t.project AS project, ${sumTally} FROM tasks t
        WHERE t.ws = ${no} ${which === 'member = 0' ? '' : 'AND t.member > 0'} GROUP BY 1, 2`,
    ]),
    [
      'due_days',
      `SELECT project, day, s0, s1, s2, s3, s4 FROM due_days WHERE project IN (SELECT id FROM projects WHERE ws = ${no})`,
      `SELECT t.project AS project, t.due AS day, ${dayTally} FROM tasks t
        WHERE t.ws = ${no} AND t.archived = 0 AND t.due <> '9999-99-99' GROUP BY 1, 2`,
    ],
    [
      'follow_counts',
      `${stored('follow_counts')} WHERE member IN ${members}`,
      `SELECT f.member AS member, f.project AS project, ${tallied} FROM followers f JOIN tasks t ON t.id = f.task WHERE t.ws = ${no} GROUP BY f.member, f.project`,
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
  const counts = (row: Record<string, unknown>) =>
    Object.entries(row).filter(([name]) => /^(c|s|past)\d+$|^total|^unread|_count$/.test(name));
  return new Set(
    rows.filter((row) => counts(row).some(([, value]) => value !== 0)).map((row) => JSON.stringify(row)),
  );
}
