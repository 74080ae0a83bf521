import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import worker from '../../../src/index.ts';
import { turnsOf } from '../../../src/upkeep/cron/jobs.ts';
import { createMeeting, MONDAY, WEEKLY } from '../../meetings/calendar.ts';
import { api } from '../../support/api.ts';
import { cellOf, env } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { all, head } from '../reading.ts';

const crons = ['* * * * *', '17 3 * * *'];

interface Telling {
  /** Leaves something for the job to do. */
  arrange: (world: World) => Promise<unknown>;
  tells: readonly string[];
}

/** Jobs that change rows which others can GET, and the events of one such change. */
const telling: Record<string, Telling> = {
  'meetings.generate': {
    arrange: (world) => createMeeting(world, { date: MONDAY, recurrence: WEEKLY }),
    tells: ['meeting.updated', 'task.created', 'task.created'],
  },
  'departures.finish': {
    arrange: async ({ no, people, projects }) => {
      await createTask(people.owner, projects.joined.id, { assigneeId: people.member.userId });
      await cellOf(0)
        .prepare('INSERT INTO departures (ws, member, heir, actor, created_at) VALUES (?, ?, 0, ?, 1)')
        .bind(no, people.member.member, people.owner.member)
        .run();
    },
    tells: ['task.updated'],
  },
  'people.settle': {
    arrange: ({ people }) =>
      env.DIRECTORY.prepare("UPDATE users SET name = 'Another name', is_settled = 0 WHERE id = ?")
        .bind(people.member.userId)
        .run(),
    tells: ['member.updated'],
  },
};

/** Jobs that tell nothing, each with the reason. */
const silent: Record<string, string> = {
  'outbox.deliver': 'mail is no row of a workspace',
  'mails.daily': 'mail is no row of a workspace',
  'mails.collect': 'mail is no row of a workspace',
  'invitations.send': 'an invitation is a mail until it is accepted',
  'outbox.clean': 'what is deleted has been sent',
  'verifications.clean': 'what is deleted has expired',
  'links.clean': 'what is deleted has expired',
  'sessions.clean': 'what is deleted has expired, and belongs to one person',
  'oauth.clean': 'what is deleted has expired, and belongs to one person',
  'credentials.clean': 'what is deleted was revoked, and belongs to one person',
  'idempotency.clean': 'keys of requests concern who sent them',
  'forms.clean': 'keys of forms concern who sent them',
  'notifications.clean': 'notifications belong to one person',
  'pictures.clean': 'only pictures are deleted that nobody shows',
  'objects.delete': 'the attachment was deleted before, and told',
  'removals.clean': 'what is deleted can no longer be undone',
  'search.index': 'searches find the same before and after',
  'objects.sweep': 'only objects are deleted that no row names',
  'uploads.expire': 'an upload that was not completed is no attachment yet',
  'projects.delete': 'the project was deleted before, and told; nobody sees its rows any more',
  'workspaces.delete': 'the workspace was deleted before; nobody can ask for its events',
  'memberships.settle': 'the cell has told before what the directory hears now',
  'names.forget': 'takes names out of old events; the account told when it was deleted',
  'hours.follow': 'sums follow the default hours of a category, which told when it was changed',
  'deadlines.sum': 'sums alone',
  'counters.repair': 'sums alone',
  'totals.repair': 'sums alone',
  'events.shorten': 'the log itself',
  'webhooks.wake': 'webhooks belong to one person',
  'webhooks.reseal': 'webhooks belong to one person',
};

it('every job tells, or is silent for a reason', () => {
  const names = crons.flatMap((cron) =>
    (turnsOf(cron, openScope()) ?? []).map(({ name }) => name.replace(/ \d+$/, '')),
  );
  expect([...new Set(names)].sort()).toEqual([...Object.keys(telling), ...Object.keys(silent)].sort());
});

describe('what a job changes is told', () => {
  it.each(Object.entries(telling))('by %s', async (_name, { arrange, tells }) => {
    const world = await createWorld();
    await arrange(world);
    const before = await head(world.people.owner);
    await runAll();
    const events = await all(world.people.owner, `after=${before}`);
    expect(events.map(({ type }) => type).sort()).toEqual(tells);
    await runAll();
    expect(await head(world.people.owner)).toBe(before + events.length);
  });
});

it('where no event is told, jobs change nothing that others can read', async () => {
  const world = await createWorld();
  const { owner, member } = world.people;
  const task = await createTask(owner, world.projects.joined.id, {
    assigneeId: member.userId,
    deadline: '2020-01-01',
  });
  await api(member.token).post(`/tasks/${task.id}/comments`, { content: 'A comment' });
  await api(member.token).post('/timer/start', { taskId: task.id });
  await createMeeting(world, { date: MONDAY });
  const [before, shown] = [await head(owner), await everything(world)];
  await runAll();
  expect(await head(owner)).toBe(before);
  expect(await everything(world)).toEqual(shown);
});

async function runAll(): Promise<void> {
  for (const cron of crons) {
    const context = createExecutionContext();
    await worker.scheduled(createScheduledController({ cron }), env, context);
    await waitOnExecutionContext(context);
  }
}

/** What the lists of the REST API show to somebody who sees the whole workspace. */
async function everything({ people: { owner } }: World) {
  const { get } = api(owner.token);
  const tasks = await get('/tasks?scope=all&expand=comments&limit=100');
  const paths = [
    '/projects',
    '/users',
    '/teams',
    '/task-categories',
    '/task-types',
    '/meetings',
    '/me',
    '/workspaces',
    '/dashboard/comments',
  ];
  const lists = await Promise.all(paths.map((path) => get(path)));
  for (const answer of [tasks, ...lists]) expect(answer.status, answer.text).toBe(200);
  return [tasks, ...lists].map(({ body }) => body);
}
