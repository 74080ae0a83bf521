import { describe, expect, it } from 'vitest';
import { crons, listJobs } from '../../../src/upkeep/cron/due-jobs.ts';
import { prepareImport } from '../../imports/prepare-import.ts';
import { createMeeting, MONDAY, WEEKLY_RULE } from '../../meetings/meeting-fixtures.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readAllEvents, readLatestSeq } from '../read-events.ts';

interface LoggingJob {
  arrange: (world: World) => Promise<unknown>;
  logs: readonly string[];
}

const loggingJobs: Record<string, LoggingJob> = {
  'meetings.generate': {
    arrange: (world) => createMeeting(world, { date: MONDAY, recurrence: WEEKLY_RULE }),
    logs: ['meeting.updated', 'task.created', 'task.created'],
  },
  'imports.run': {
    arrange: async (world) => {
      const id = await prepareImport(world, world.people.owner, world.projects.joined.id);
      await getCell(0).prepare("UPDATE imports SET status = 'running' WHERE id = ?").bind(id).run();
    },
    logs: ['task.created', 'task.created'],
  },
  'tasks.repeat': {
    arrange: async ({ people, projects }) => {
      const deadline = new Date().toISOString().slice(0, 10);
      const task = await createTask(people.member, projects.joined.id, { deadline });
      const rule = { rule: 'FREQ=WEEKLY', mode: 'schedule' };
      await api(people.member.token).put(`/tasks/${task.id}/recurrence`, rule);
    },
    logs: ['task.created', 'task.updated'],
  },
  'departures.finish': {
    arrange: async ({ no, people, projects }) => {
      await createTask(people.owner, projects.joined.id, { assigneeId: people.member.userId });
      await getCell(0)
        .prepare('INSERT INTO departures (ws, member, heir, actor, created_at) VALUES (?, ?, 0, ?, 1)')
        .bind(no, people.member.member, people.owner.member)
        .run();
    },
    logs: ['task.updated'],
  },
  'people.settle': {
    arrange: ({ people }) =>
      env.DIRECTORY.prepare("UPDATE users SET name = 'Another name', is_settled = 0 WHERE id = ?")
        .bind(people.member.userId)
        .run(),
    logs: ['member.updated'],
  },
};

const jobsWithoutEvents: Record<string, string> = {
  'outbox.deliver': 'mail is not part of a workspace',
  'emails.daily': 'mail is not part of a workspace',
  'emails.collect': 'mail is not part of a workspace',
  'push.collect': 'changes nothing in a workspace',
  'invitations.send': 'an invitation is only an email until it is accepted',
  'outbox.clean': 'deletes only sent mail',
  'verifications.clean': 'deletes only expired links',
  'links.clean': 'deletes only expired links',
  'sessions.clean': 'deletes only expired sessions of one person',
  'oauth.clean': 'deletes only expired requests and codes of one person',
  'audit.clean': 'deletes only old entries of the audit log',
  'change-sets.clean': 'deletes only changes that were never made, or were made long ago',
  'credentials.clean': 'deletes only revoked credentials of one person',
  'exports.run': 'only reads the workspace',
  'exports.clean': 'deletes only the copies of expired exports',
  'imports.clean': 'deletes only imports that never started, and old reports',
  'idempotency.clean': 'keys of requests belong to the person who sent them',
  'forms.clean': 'keys of forms belong to the person who sent them',
  'reminders.deliver': 'notifications belong to one person',
  'notifications.clean': 'notifications belong to one person',
  'pictures.clean': 'deletes only pictures that are no longer shown',
  'objects.delete': 'the removal of the attachment was already logged',
  'removals.clean': 'deletes only removals that can no longer be undone',
  'search.index': "doesn't change what searches find",
  'trash.clean': 'the deletion of the task was already logged',
  'comments.update': 'copies values of tasks after their move or deletion was logged',
  'objects.sweep': 'deletes only objects without a row',
  'uploads.expire': 'an incomplete upload is not an attachment yet',
  'projects.delete': 'the deletion was already logged, and the rows are already hidden',
  'workspaces.delete': 'no one can read the events of a deleted workspace',
  'memberships.settle': 'the cell has already logged the change',
  'names.forget': 'removes names from old events after the deletion of the account was logged',
  'hours.follow': 'updates sums after the change of the category was logged',
  'custom-fields.remove': 'the deletion of the field was already logged, and its values are already hidden',
  'deadlines.sum': 'changes only sums',
  'counters.repair': 'changes only sums',
  'totals.repair': 'changes only sums',
  'events.shorten': 'shortens the log itself',
  'webhooks.wake': 'webhooks are private',
  'apps.revoke': 'connected apps are private',
  'webhooks.reseal': 'webhooks are private',
};

it('every job is listed as logging events or logging none', () => {
  const names = crons
    .flatMap((cron) => [null, 0].flatMap((cell) => listJobs(cron, cell, openScope())))
    .map(({ job }) => job);
  expect([...new Set(names)].sort()).toEqual(
    [...Object.keys(loggingJobs), ...Object.keys(jobsWithoutEvents)].sort(),
  );
});

describe('a job that changes data', () => {
  it.each(Object.entries(loggingJobs))('logs its events (%s)', async (_name, { arrange, logs }) => {
    const world = await createWorld();
    await arrange(world);
    const before = await readLatestSeq(world.people.owner);
    await runAllJobs();
    const events = await readAllEvents(world.people.owner, `after=${before}`);
    expect(events.map(({ type }) => type).sort()).toEqual(logs);
    await runAllJobs();
    expect(await readLatestSeq(world.people.owner)).toBe(before + events.length);
  });
});

it('no job changes API data without logging an event', async () => {
  const world = await createWorld();
  const { owner, member } = world.people;
  const task = await createTask(owner, world.projects.joined.id, {
    assigneeId: member.userId,
    deadline: '2020-01-01',
  });
  await api(member.token).post(`/tasks/${task.id}/comments`, { content: 'A comment' });
  await api(member.token).post('/timer/start', { taskId: task.id });
  await createMeeting(world, { date: MONDAY });
  const [before, shown] = [await readLatestSeq(owner), await readAsOwner(world)];
  await runAllJobs();
  expect(await readLatestSeq(owner)).toBe(before);
  expect(await readAsOwner(world)).toEqual(shown);
});

async function runAllJobs(): Promise<void> {
  for (const cron of crons) await runCron(cron);
}

async function readAsOwner({ people: { owner } }: World) {
  const { get } = api(owner.token);
  const tasks = await get('/tasks?scope=all&expand=comments&limit=100');
  const paths = [
    '/projects',
    '/users',
    '/teams',
    '/task-categories',
    '/task-types',
    '/labels',
    '/custom-fields',
    '/meetings',
    '/me',
    '/workspaces',
    '/dashboard/comments',
  ];
  const lists = await Promise.all(paths.map((path) => get(path)));
  for (const answer of [tasks, ...lists]) expect(answer.status, answer.text).toBe(200);
  return [tasks, ...lists].map(({ body }) => body);
}
