import { commentInvariants } from './comment-invariants.queries.ts';
import { counterInvariants } from './counter-invariants.queries.ts';
import { drift, hidden, type Invariant, offenders } from './invariant.queries.ts';
import { peopleInvariants } from './people-invariants.queries.ts';

export type { Invariant } from './invariant.queries.ts';

export const cellInvariants: readonly Invariant[] = [
  ...counterInvariants,
  {
    name: 'every task has its row in the search index',
    over: 'tasks',
    mendedBy: 'search',
    offenders: offenders(
      (within) => `
      SELECT 'task ' || t.id || ' is not in the index' AS offender FROM tasks t NOT INDEXED
      WHERE ${within('t.id')} AND t.ws > 0
        AND NOT EXISTS (SELECT 1 FROM task_search s WHERE s.rowid = ((t.ws * 2 + t.archived) << 32) | t.id)`,
    ),
  },
  {
    name: 'every row of the search index belongs to a task',
    mendedBy: 'search',
    offenders: offenders(`
      SELECT 'row ' || s.rowid || ' of the index belongs to no task' AS offender FROM task_search s
      WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = (s.rowid & 4294967295)
        AND s.rowid = ((abs(t.ws) * 2 + t.archived) << 32) | t.id)`),
  },
  {
    name: 'tasks belong to a project, and assignees to the workspace',
    over: 'tasks',
    offenders: offenders(
      (within) => `
      SELECT 'task ' || t.id || ' is in no project of its workspace' AS offender FROM tasks t NOT INDEXED
      WHERE ${within('t.id')} AND t.ws > 0
        AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = t.project AND p.ws = t.ws)
      UNION ALL
      SELECT 'task ' || t.id || ' is hidden, and its project is not being deleted' FROM tasks t NOT INDEXED
      WHERE ${within('t.id')} AND t.ws <= 0
        AND NOT EXISTS (SELECT 1 FROM project_deletions d WHERE d.project = t.project AND d.ws = -t.ws)
      UNION ALL
      SELECT 'task ' || t.id || ' is assigned to ' || t.assignee || ', who is not a member' FROM tasks t NOT INDEXED
      WHERE ${within('t.id')} AND t.assignee > 0
        AND NOT EXISTS (SELECT 1 FROM members m WHERE m.no = t.assignee AND m.ws = abs(t.ws))`,
    ),
  },
  {
    name: 'assignees follow their tasks, and followers follow tasks that exist',
    over: 'tasks',
    offenders: offenders(
      (within) => `
      SELECT 'member ' || t.assignee || ' is assigned to task ' || t.id || ' and does not follow it' AS offender
      FROM tasks t NOT INDEXED WHERE ${within('t.id')} AND t.ws > 0 AND t.assignee > 0
        AND NOT EXISTS (SELECT 1 FROM followers f WHERE f.member = t.assignee AND f.project = t.project AND f.task = t.id)
      UNION ALL
      SELECT 'member ' || f.member || ' follows task ' || f.task || ' in project ' || f.project || ', which is not there'
      FROM followers f WHERE ${within('f.task')}
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = f.task AND t.project = f.project)`,
    ),
  },
  {
    name: 'comments and events belong to a task of their workspace',
    over: 'tasks',
    offenders: offenders(
      (within) => `
      SELECT 'comment ' || c.id || ' has no task' AS offender FROM comments c
      WHERE ${within('c.task')} AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = c.task AND t.ws = c.ws)
      UNION ALL
      SELECT 'event ' || e.seq || ' of workspace ' || e.ws || ' has no task' FROM events e
      WHERE ${within('e.task')} AND e.entries > 0
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = e.task AND abs(t.ws) = e.ws)
      UNION ALL
      SELECT 'event ' || e.seq || ' of workspace ' || e.ws || ' tells of comment ' || e.entity || ', which is not there'
      FROM events e INDEXED BY events_by_task
      WHERE ${within('e.task')} AND e.task NOT IN ${hidden} AND e.entries > 0 AND e.type IN ('comment.created', 'comment.updated')
        AND NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = e.entity AND c.task = e.task)
        AND NOT EXISTS (SELECT 1 FROM events r INDEXED BY events_by_task
          WHERE r.task = e.task AND r.entries > 0 AND r.entity = e.entity AND r.type = 'comment.deleted')`,
    ),
  },
  {
    name: 'the numbers of the events that the feed tells have no gap, and times rise with them',
    offenders: offenders(`
      SELECT 'workspace ' || w.no || ' lacks ' || (max(e.seq) - w.events_from + 1 - count(*)) || ' events' AS offender
      FROM workspaces w CROSS JOIN events e ON e.ws = w.no AND e.seq >= w.events_from
      GROUP BY w.no HAVING max(e.seq) - w.events_from + 1 <> count(*)
      UNION ALL
      SELECT 'event ' || e.seq || ' of workspace ' || e.ws || ' is earlier than the one before' FROM events e
      WHERE e.occurred_at < (SELECT b.occurred_at FROM events b WHERE b.ws = e.ws AND b.seq = e.seq - 1)`),
  },
  ...commentInvariants,
  {
    name: 'owners of projects are members of them',
    offenders: offenders(`
      SELECT 'project ' || p.id || ' lacks its owner, member ' || p.owner AS offender FROM projects p
      WHERE NOT EXISTS (SELECT 1 FROM project_members pm WHERE pm.project = p.id AND pm.member = p.owner)
      UNION ALL
      SELECT 'project ' || pm.project || ' has member ' || pm.member || ', who is not one of its workspace'
      FROM project_members pm WHERE NOT EXISTS (
        SELECT 1 FROM projects p JOIN members m ON m.ws = p.ws WHERE p.id = pm.project AND m.no = pm.member)`),
  },
  {
    name: 'meetings have a task for every participant',
    offenders: offenders(`
      SELECT 'meeting ' || mt.meeting || ' points to task ' || mt.task || ', which is not one of its project' AS offender
      FROM meeting_tasks mt WHERE NOT EXISTS (
        SELECT 1 FROM meetings m JOIN tasks t ON t.ws = m.ws AND t.project = m.project
        WHERE m.id = mt.meeting AND t.id = mt.task)
      UNION ALL
      SELECT 'meeting ' || m.id || ' has no participant in occurrence ' || m.occurrence FROM meetings m
      WHERE NOT EXISTS (SELECT 1 FROM meeting_tasks mt WHERE mt.meeting = m.id AND mt.occurrence = m.occurrence)`),
  },
  {
    name: 'at most one timer of a member runs, on a task that exists',
    offenders: offenders(`
      SELECT 'member ' || e.member || ' has ' || count(*) || ' running timers' AS offender FROM time_entries e
      WHERE e.ended_at IS NULL GROUP BY e.member HAVING count(*) > 1
      UNION ALL
      SELECT 'time entry ' || e.id || ' has no task' FROM time_entries e
      WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = e.task AND t.ws = e.ws)
      UNION ALL
      SELECT 'time entry ' || e.id || ' ends before it starts' FROM time_entries e WHERE e.ended_at < e.started_at`),
  },
  {
    name: 'of every file exactly one version is the latest',
    offenders: offenders(`
      SELECT 'attachment ' || coalesce(a.parent, a.id) || ' has ' || sum(a.latest) || ' latest versions' AS offender
      FROM attachments a GROUP BY coalesce(a.parent, a.id) HAVING sum(a.latest) <> 1
      UNION ALL
      SELECT 'attachment ' || a.id || ' hangs on nothing' FROM attachments a
      WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = a.task AND t.ws = a.ws)
        AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = a.project AND p.ws = a.ws)`),
  },
  {
    name: 'uploads that were confirmed hold no storage, the others what they declared or nothing',
    offenders: offenders(`
      SELECT 'upload ' || u.id || ' reserves ' || u.reserved || ' of ' || u.file_size || ' bytes' AS offender
      FROM uploads u WHERE u.reserved NOT IN (0, u.file_size) OR (u.confirmed = 1 AND u.reserved <> 0)
      UNION ALL
      SELECT 'upload ' || u.id || ' is an attachment and not confirmed' FROM uploads u
      WHERE u.confirmed = 0 AND EXISTS (SELECT 1 FROM attachments a WHERE a.s3_key = u.s3_key)`),
  },
  {
    name: 'no object of an attachment is to be deleted',
    offenders: offenders(`
      SELECT 'object ' || o.object_key || ' of attachment ' || a.id || ' is to be deleted' AS offender
      FROM objects_to_delete o JOIN attachments a ON a.object_key = o.object_key`),
  },
  {
    name: 'credentials belong to a member of their workspace',
    offenders: offenders(`
      SELECT 'credential ' || c.id || ' belongs to nobody' AS offender FROM credentials c
      WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.no = c.member AND m.ws = c.ws)`),
  },
  ...peopleInvariants,
];

/** The cron deletes keys after a day; two days allow for a late cron. */
const KEY_MS_MAX = 48 * 60 * 60_000;

/** Only where the cron runs, which it does not on a developer's machine. */
export function keysAreYoung(now: number): Invariant {
  return {
    name: 'idempotency keys are forgotten after a day',
    offenders: offenders(`
      SELECT 'a key is from ' || datetime(created_at / 1000, 'unixepoch') AS offender
      FROM idempotency_keys WHERE created_at < ${now - KEY_MS_MAX}`),
  };
}

export const directoryInvariants: readonly Invariant[] = [
  {
    name: 'memberships are of people and workspaces that exist',
    offenders: offenders(`
      SELECT 'membership of ' || p.user_id || ' in ' || p.workspace_id || ' lacks one of the two' AS offender
      FROM memberships p
      WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id)
        OR NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = p.workspace_id)`),
  },
  {
    name: 'every workspace has a member',
    offenders: offenders(`
      SELECT 'workspace ' || w.id || ' has no member' AS offender FROM workspaces w
      WHERE NOT EXISTS (SELECT 1 FROM memberships p WHERE p.workspace_id = w.id)`),
  },
  {
    name: 'the size of a cell is the number of its workspaces',
    offenders: offenders(
      drift(
        'cell_sizes',
        ['cell'],
        ['workspaces'],
        'SELECT cell, workspaces FROM cell_sizes UNION ALL SELECT cell, -count(*) FROM workspaces GROUP BY cell',
      ),
    ),
  },
  {
    name: 'deleted accounts keep their id and nothing else',
    offenders: offenders(`
      SELECT 'account ' || u.id || ' was deleted and keeps a name, an address or a password' AS offender FROM users u
      WHERE u.deleted_at IS NOT NULL AND (u.name <> 'Former member' OR u.email <> u.id || '@deleted.invalid'
        OR u.image IS NOT NULL OR u.password_hash IS NOT NULL)
      UNION ALL
      SELECT 'account ' || u.id || ' was deleted and is signed in' FROM users u
      CROSS JOIN browser_sessions s ON s.user_id = u.id WHERE u.deleted_at IS NOT NULL`),
  },
  {
    name: 'links and pictures are those of accounts that exist',
    offenders: offenders(`
      SELECT 'a link is of ' || l.user_id || ', who has no account' AS offender FROM account_links l
      WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = l.user_id AND u.deleted_at IS NULL)
      UNION ALL
      SELECT 'picture ' || p.id || ' is of ' || p.user_id || ', who has no account' FROM pictures p
      WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id)`),
  },
];
