import { dayColumns } from '../counters/comment-counts.queries.ts';
import { drift, type Invariant, offenders } from './invariant.queries.ts';

const counted = ['total', ...dayColumns];
const dates = dayColumns
  .map((_, index) => `-sum(CAST(substr(c.day, 9) AS INTEGER) = ${index + 1})`)
  .join(', ');
const noDates = dayColumns.map(() => '0').join(', ');

/** The true counts, negative: a row for each month, and one for all months. */
function tallies(member: string, condition: string): string {
  const comments = `FROM comments c WHERE c.ws > 0 AND c.archived = 0 AND ${condition}`;
  const place = `c.ws, ${member}, c.project`;
  return `
    SELECT ${place}, '', -count(*), ${noDates} ${comments} GROUP BY 1, 2, 3
    UNION ALL
    SELECT ${place}, substr(c.day, 1, 7), -count(*), ${dates} ${comments} GROUP BY 1, 2, 3, 4`;
}

/** The invariants of comments and of the counters and indexes that are derived from them. */
export const commentInvariants: readonly Invariant[] = [
  {
    name: 'comments lie where their task lies',
    over: 'tasks',
    mendedBy: 'counters',
    offenders: offenders(
      (within) => `
      SELECT 'comment ' || c.id || ' lies elsewhere than its task' AS offender FROM comments c
      JOIN tasks t ON t.id = c.task AND t.ws = c.ws WHERE ${within('c.task')}
        AND (c.project <> t.project OR c.assignee <> t.assignee OR c.archived <> t.archived)`,
    ),
  },
  {
    name: 'comment_counts of projects are those of the comments',
    over: 'projects',
    mendedBy: 'counters',
    offenders: offenders((within) =>
      drift(
        'comment_counts',
        ['ws', 'project', 'member', 'month'],
        counted,
        `SELECT ws, member, project, month, ${counted.join(', ')} FROM comment_counts
          WHERE ${within('project')} AND project > 0
        UNION ALL ${tallies('0', within('c.project'))}
        UNION ALL ${tallies('c.assignee', `${within('c.project')} AND c.assignee > 0`)}`,
      ),
    ),
  },
  {
    name: 'comment_counts of assignees are those of their projects',
    mendedBy: 'counters',
    offenders: offenders(
      drift(
        'comment_counts',
        ['ws', 'member', 'month'],
        counted,
        `SELECT ws, member, month, ${counted.join(', ')} FROM comment_counts WHERE member > 0 AND project = 0
        UNION ALL
        SELECT ws, member, month, ${counted.map((column) => `-${column}`).join(', ')} FROM comment_counts
          WHERE member > 0 AND project > 0`,
      ),
    ),
  },
  {
    name: 'comments of a workspace are in the order of their days and times',
    offenders: offenders(`
      SELECT 'comment ' || id || ' is older than the one before it' AS offender FROM (
        SELECT id, day, created_at, lag(day) OVER before AS last_day, lag(created_at) OVER before AS last_at
        FROM comments WINDOW before AS (PARTITION BY ws ORDER BY id))
      WHERE day < last_day OR created_at < last_at`),
  },
  {
    name: 'every comment has its row in comment_search',
    over: 'tasks',
    mendedBy: 'search',
    offenders: offenders(
      (within) => `
      SELECT 'comment ' || c.id || ' is not in the index' AS offender FROM comments c
      WHERE ${within('c.task')}
        AND NOT EXISTS (SELECT 1 FROM comment_search s WHERE s.rowid = (abs(c.ws) << 32) | c.id)`,
    ),
  },
  {
    name: 'every row of comment_search belongs to a comment',
    mendedBy: 'search',
    offenders: offenders(`
      SELECT 'row ' || s.rowid || ' of the index belongs to no comment' AS offender FROM comment_search s
      WHERE NOT EXISTS (SELECT 1 FROM comments c
        WHERE c.id = (s.rowid & 4294967295) AND s.rowid = (abs(c.ws) << 32) | c.id)`),
  },
];
