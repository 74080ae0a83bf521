// This file is long because each job needs different rows before it is due.
import { beforeAll, describe, expect, it } from 'vitest';
import { crons, listJobs } from '../../../src/upkeep/cron/due-jobs.ts';
import { type CellState, inspectCell } from '../../../src/upkeep/cron/inspect-cell.queries.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';
import { createApiKey, createMeeting, createTask, createWorld, type World } from '../../support/world.ts';

const MINUTE = '* * * * *';
const CELL = 0;
const IDLE_CELL = 1;

let world: World;

beforeAll(async () => {
  world = await createUsedWorld(CELL);
  await createUsedWorld(IDLE_CELL);
  for (let turn = 0; turn < 5; turn += 1) await runCron(MINUTE);
});

async function createUsedWorld(cell: 0 | 1): Promise<World> {
  const used = await createWorld({ cell });
  const { lead, member } = used.people;
  const task = await createTask(lead, used.projects.joined.id, { assigneeId: member.userId });
  await createMeeting(lead, used.projects.joined.id);
  await api(member.token).post(`/tasks/${task.id}/comments`, { content: 'A comment' });
  await api(member.token).put('/notifications/read-all');
  await createApiKey(lead);
  return used;
}

const listAllJobs = () => crons.flatMap((cron) => listJobs(cron, CELL, openScope()));

function listConditions(cell: number) {
  return listJobs(MINUTE, cell, openScope()).flatMap(({ job, isDue }) =>
    isDue ? [[job, isDue] as const] : [],
  );
}

async function inspectTestCell(
  cell = CELL,
  conditions = listConditions(cell),
): Promise<CellState & { rowsRead: number; bytes: number }> {
  const scope = openScope();
  const [state] = await scope.cell(cell).batch([inspectCell(new Map(conditions))]);
  return { ...state, rowsRead: scope.meter.rowsRead, bytes: scope.meter.getDatabaseBytes(getCell(cell)) };
}

interface JobWork {
  /** Statements that create work for this job only. */
  create: readonly string[];
  remove: readonly string[];
}

const insertNotification = (readAt: string, createdAt: number) =>
  `INSERT INTO notifications (user_id, ws, type, read_at, created_at)
    VALUES ('usr_due', ${world.no}, 'task_assigned', ${readAt}, ${createdAt})`;
const considerAllForPush = "UPDATE job_positions SET position = '9999' WHERE name = 'push.considered'";
const insertCredential = (hash: string) =>
  `INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at, revoked_at)
    VALUES ('${hash}', ${world.no}, ${world.people.lead.member}, 'api_key', 'old', 'x', 'tasks:read', 1, 1)`;
const insertInvitation = (createdAt: number, sentAt: string) =>
  `INSERT INTO invitations (ws, token_hash, email, email_key, role, invited_by, created_at, expires_at, sent_at)
    VALUES (${world.no}, 'due', 'a@example.com', 'due@example.com', 'member', ${world.people.lead.member},
      ${createdAt}, 2, ${sentAt})`;
const insertChangeSet = (status: string, items: number) =>
  `INSERT INTO change_sets (ws, member, client, app, status, items, created_at, changed_at, expires_at)
    VALUES (${world.no}, ${world.people.lead.member}, 'due', 'App', '${status}', ${items}, 1, 1, 2)`;
const insertTrash = (deletedAt: number, hiddenUpTo: string) =>
  `INSERT INTO trash (task, ws, project, deleted_by, deleted_at, hidden_up_to)
    SELECT min(id), ${world.no}, 9999, ${world.people.lead.member}, ${deletedAt}, ${hiddenUpTo} FROM tasks`;
const insertWebhook = (nextAttemptAt: string) =>
  `INSERT INTO webhooks (ws, member, url, secret, cursor, next_attempt_at, created_at)
    VALUES (${world.no}, ${world.people.lead.member}, 'https://example.com', 's', 0, ${nextAttemptAt}, 1)`;

/** Each key is the name of a job, followed by the kind of work if the job has several. */
const workByJob: Record<string, () => JobWork> = {
  'deadlines.sum': () => ({
    create: [`UPDATE workspaces SET past_cutoff = '2020-01-01' WHERE no = ${world.no}`],
    remove: [`UPDATE workspaces SET past_cutoff = '9999-01-01' WHERE no = ${world.no}`],
  }),
  'idempotency.clean': () => ({
    create: ["INSERT INTO idempotency_keys (id, request, created_at) VALUES ('due', 'x', 1)"],
    remove: ["DELETE FROM idempotency_keys WHERE id = 'due'"],
  }),
  'meetings.generate': () => ({
    create: [`UPDATE meetings SET due_at = 1 WHERE ws = ${world.no}`],
    remove: [`UPDATE meetings SET due_at = NULL WHERE ws = ${world.no}`],
  }),
  'tasks.repeat': () => ({
    create: [
      `INSERT INTO recurrences (task, ws, rule, mode, first_day, slot, due_at, created_by)
        SELECT id, ws, 'FREQ=DAILY', 'schedule', '2026-01-01', '2026-01-01', 1, created_by FROM tasks
        WHERE ws = ${world.no} LIMIT 1`,
    ],
    remove: [`DELETE FROM recurrences WHERE ws = ${world.no}`],
  }),
  'reminders.deliver': () => ({
    create: [
      `INSERT INTO reminders (task, member, place, ws, minutes_before, remind_at)
        SELECT id, created_by, 0, ws, 5, 1 FROM tasks WHERE ws = ${world.no} LIMIT 1`,
    ],
    remove: [`DELETE FROM reminders WHERE ws = ${world.no}`],
  }),
  'imports.run': () => ({
    create: [
      `INSERT INTO imports (ws, project, member, via, attachment, file_name, object_key, etag, source, options, report,
        status, total, existing, created_at)
        SELECT ${world.no}, id, ${world.people.owner.member}, 'session', 1, 'f', '0/none', 'x', 'csv', '{}', '{}',
        'running', 1, 0, 1 FROM projects WHERE ws = ${world.no} LIMIT 1`,
    ],
    remove: [`DELETE FROM imports WHERE ws = ${world.no}`],
  }),
  'imports.clean': () => ({
    create: [
      `INSERT INTO imports (ws, project, member, via, attachment, file_name, object_key, etag, source, options, report,
        status, total, existing, created_at, expires_at)
        SELECT ${world.no}, id, ${world.people.owner.member}, 'session', 1, 'f', '0/none', 'x', 'csv', '{}', '{}',
        'ready', 1, 0, 1, 1 FROM projects WHERE ws = ${world.no} LIMIT 1`,
    ],
    remove: [`DELETE FROM imports WHERE ws = ${world.no}`],
  }),
  'exports.run': () => ({
    create: [
      `INSERT INTO exports (ws, member, status, has_files, object_key, part_bytes, position, failures, created_at)
        VALUES (${world.no}, ${world.people.owner.member}, 'running', 1, '0/none', 8388608, '{}', 5, 1)`,
    ],
    remove: [`DELETE FROM exports WHERE ws = ${world.no}`],
  }),
  'exports.clean': () => ({
    create: [
      `INSERT INTO exports (ws, member, status, has_files, object_key, part_bytes, position, created_at, expires_at)
        VALUES (${world.no}, ${world.people.owner.member}, 'completed', 1, '0/none', 8388608, '{}', 1, 1)`,
    ],
    remove: [`DELETE FROM exports WHERE ws = ${world.no}`],
  }),
  'uploads.expire': () => ({
    create: [
      `INSERT INTO uploads (s3_key, ws, member, file_name, file_type, file_size, reserved, expires_at)
        VALUES ('0/due', ${world.no}, ${world.people.lead.member}, 'f', 't', 1, 0, 1)`,
    ],
    remove: ["DELETE FROM uploads WHERE s3_key = '0/due'"],
  }),
  'objects.delete': () => ({
    create: ["INSERT INTO objects_to_delete (object_key, delete_at) VALUES ('0/due', 1)"],
    remove: ["DELETE FROM objects_to_delete WHERE object_key = '0/due'"],
  }),
  'removals.clean': () => ({
    create: [
      `INSERT INTO removals (ws, kind, entity, user_id, rows, removed_at) VALUES (${world.no}, 'task', 1, 'x', '{}', 1)`,
    ],
    remove: [`DELETE FROM removals WHERE ws = ${world.no}`],
  }),
  'change-sets.clean, decided': () => ({
    create: [insertChangeSet('rejected', 0)],
    remove: [`DELETE FROM change_sets WHERE ws = ${world.no}`],
  }),
  'change-sets.clean, expired': () => ({
    create: [insertChangeSet('open', 1)],
    remove: [`DELETE FROM change_sets WHERE ws = ${world.no}`],
  }),
  'change-sets.clean, abandoned': () => ({
    create: [insertChangeSet('open', 0)],
    remove: [`DELETE FROM change_sets WHERE ws = ${world.no}`],
  }),
  'workspaces.delete': () => ({
    create: [`INSERT INTO workspace_deletions (ws, created_at) VALUES (${world.no}, 1)`],
    remove: ['DELETE FROM workspace_deletions'],
  }),
  'projects.delete': () => ({
    create: [
      `INSERT INTO project_deletions (project, ws, name, tasks, tasks_left, created_at) VALUES (9999, ${world.no}, 'p', 0, 0, 1)`,
    ],
    remove: ['DELETE FROM project_deletions'],
  }),
  'trash.clean, expired': () => ({
    create: [insertTrash(1, 'NULL')],
    remove: ['DELETE FROM trash'],
  }),
  'trash.clean, unfinished': () => ({
    create: [insertTrash(Date.now(), '1')],
    remove: ['DELETE FROM trash'],
  }),
  'comments.update': () => ({
    create: [`INSERT INTO outdated_comments (task, ws) SELECT min(id), ${world.no} FROM tasks`],
    remove: ['DELETE FROM outdated_comments'],
  }),
  'memberships.settle': () => ({
    create: [`UPDATE members SET is_settled = 0 WHERE no = ${world.people.member.member}`],
    remove: [`UPDATE members SET is_settled = 1 WHERE no = ${world.people.member.member}`],
  }),
  'names.forget': () => ({
    create: [
      `INSERT INTO forgotten_members (member, ws) VALUES (${world.people.member.member}, ${world.no})`,
    ],
    remove: ['DELETE FROM forgotten_members'],
  }),
  'departures.finish': () => ({
    create: [
      `INSERT INTO departures (ws, member, heir, actor, created_at)
        VALUES (${world.no}, ${world.people.member.member}, 0, ${world.people.lead.member}, 1)`,
    ],
    remove: ['DELETE FROM departures'],
  }),
  'hours.follow': () => ({
    create: [
      `INSERT INTO hour_changes (category, ws, position)
        SELECT id, ws, 0 FROM task_categories WHERE ws = ${world.no} LIMIT 1`,
    ],
    remove: ['DELETE FROM hour_changes'],
  }),
  'custom-fields.remove': () => ({
    create: [`INSERT INTO custom_fields (ws, name, type, deleted_at) VALUES (${world.no}, 'Old', 'text', 1)`],
    remove: ["DELETE FROM custom_fields WHERE name = 'Old'"],
  }),
  'invitations.send, unsent': () => ({
    create: [insertInvitation(Date.now() - 2 * 60_000, 'NULL')],
    remove: ["DELETE FROM invitations WHERE token_hash = 'due'"],
  }),
  'invitations.send, old': () => ({
    create: [insertInvitation(1, '1')],
    remove: ["DELETE FROM invitations WHERE token_hash = 'due'"],
  }),
  'emails.collect': () => ({
    create: [
      considerAllForPush,
      `INSERT INTO job_positions (name, position)
        SELECT 'mails.considered', coalesce(max(id), 0) FROM notifications WHERE true
        ON CONFLICT (name) DO UPDATE SET position = excluded.position`,
      insertNotification('NULL', 1),
    ],
    remove: ["UPDATE job_positions SET position = '9999' WHERE name = 'mails.considered'"],
  }),
  'push.collect': () => ({
    create: [
      `INSERT INTO job_positions (name, position)
        SELECT 'push.considered', coalesce(max(id), 0) FROM notifications WHERE true
        ON CONFLICT (name) DO UPDATE SET position = excluded.position`,
      insertNotification('NULL', Date.now()),
    ],
    remove: [considerAllForPush],
  }),
  'notifications.clean': () => ({
    create: [considerAllForPush, insertNotification('1', 1), insertNotification('NULL', Date.now())],
    remove: ["UPDATE notifications SET read_at = NULL WHERE user_id = 'usr_due'"],
  }),
  'credentials.clean': () => ({
    create: [insertCredential('due 1'), insertCredential('due 2')],
    remove: ["UPDATE credentials SET revoked_at = NULL WHERE hash LIKE 'due %'"],
  }),
  'audit.clean': () => ({
    create: [
      `INSERT INTO audit_entries (id, ws, type, credential_kind, occurred_at)
        VALUES (-1, ${world.no}, 'member.joined', 'service', 1)`,
    ],
    remove: ['DELETE FROM audit_entries'],
  }),
  'webhooks.wake': () => ({
    create: [insertWebhook('NULL')],
    remove: ['DELETE FROM webhooks'],
  }),
  'webhooks.wake, after a failure': () => ({
    create: [insertWebhook('1')],
    remove: ['DELETE FROM webhooks'],
  }),
  'search.index': () => ({
    create: [`INSERT INTO search_waiting (task, ws) VALUES (1, ${world.no})`],
    remove: ['DELETE FROM search_waiting', 'DELETE FROM details_waiting'],
  }),
};

async function runStatements(statements: readonly string[]) {
  await getCell(CELL).batch(statements.map((statement) => getCell(CELL).prepare(statement)));
}

it('every job has a tested condition, or is always due', () => {
  const conditional = listAllJobs().filter(({ isDue }) => isDue !== null);
  const tested = Object.keys(workByJob).map((name) => name.split(',')[0]);
  expect([...new Set(tested)].sort()).toEqual(conditional.map(({ job }) => job).sort());
  const always = listAllJobs().filter(({ isDue }) => isDue === null);
  expect(always.map(({ job }) => job)).toEqual([
    'counters.repair',
    'totals.repair',
    'objects.sweep',
    'events.shorten',
    'webhooks.reseal',
  ]);
});

describe('the query for due jobs', () => {
  it.each(Object.keys(workByJob))('reports %s only while it has work', async (key) => {
    const name = key.split(',')[0];
    const { create, remove } = workByJob[key]?.() ?? { create: [], remove: [] };
    expect([...(await inspectTestCell()).due]).toEqual([]);
    await runStatements(create);
    try {
      expect([...(await inspectTestCell()).due]).toEqual([name]);
    } finally {
      await runStatements(remove);
    }
    expect([...(await inspectTestCell()).due]).toEqual([]);
  });
});

it("the webhook job is always due in a cell with many active webhooks, and the query doesn't check each webhook", async () => {
  await runStatements([
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
      INSERT INTO webhooks (ws, member, url, secret, cursor, created_at)
      SELECT ${world.no}, ${world.people.lead.member}, 'https://example.com', 's', 999999, 1 FROM n`,
  ]);
  const { due, rowsRead } = await inspectTestCell();
  await runStatements(['DELETE FROM webhooks']);
  expect([...due]).toEqual(['webhooks.wake']);
  expect(rowsRead).toBeLessThan(1_300);
});

it('the query for due jobs returns no jobs in an idle cell, and reads at most two rows per job', async () => {
  const { due, rowsRead, created, bytes } = await inspectTestCell(IDLE_CELL);
  expect([...due]).toEqual([]);
  expect(rowsRead).toBe(37);
  expect(created).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan(100_000);
  const { rowsRead: none } = await inspectTestCell(IDLE_CELL, []);
  for (const condition of listConditions(IDLE_CELL)) {
    const alone = await inspectTestCell(IDLE_CELL, [condition]);
    expect(alone.rowsRead - none, condition[0]).toBeLessThanOrEqual(2);
  }
});

it('the query for due jobs scans only tables and indexes that contain nothing but pending work', async () => {
  const { sql, params } = inspectCell(new Map(listConditions(CELL)));
  const { results } = await getCell(CELL)
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  // A scan of these tables or indexes stops at the first row, because they contain only pending work.
  const queues =
    /^SCAN ([dfhw]|CONSTANT ROW|\(subquery-\d+\)|[dm] USING COVERING INDEX (members_unsettled|project_deletions_by_workspace))$/;
  const scans = results.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN'));
  expect(scans.filter((detail) => !queues.test(detail))).toEqual([]);
});
