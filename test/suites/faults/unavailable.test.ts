import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BATCH_DEADLINE_MS } from '../../../src/kernel/sql/deadline.ts';
import { buildFramedRequest, createOAuthToken, post } from '../../mcp/client.ts';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { meteredEnv } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { findInconsistencies } from './databases.ts';
import { createFaultyD1, type Fault, failNthBatch, type SilentFault } from './faulty-d1.ts';
import { sendTestRequest } from './test-requests.ts';

let world: World;
let key: string;
const TASK_NAME = 'Written while the database was away';

const createRequest = () => ({
  method: 'POST',
  path: '/tasks',
  body: { projectId: world.projects.joined.id, name: TASK_NAME },
  person: world.people.member,
});

beforeEach(async () => {
  world = await createWorld();
  key = crypto.randomUUID();
  await sendTestRequest({ method: 'GET', path: '/me', person: world.people.member }, null);
  // Fakes only timers, which end batches, combine queries and delay retries. The clock continues to run.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances the fake timers until the work is done. Database calls also need some real time. */
async function skipWaiting<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(BATCH_DEADLINE_MS / 10);
    await scheduler.wait(1);
  }
  return settled;
}

const countTasks = () =>
  getCell(0)
    .prepare('SELECT count(*) AS n FROM tasks WHERE ws = ? AND name = ?')
    .bind(world.no, TASK_NAME)
    .first<number>('n');

const failEveryBatch = (fault: Fault | SilentFault) => ({
  CELL_0: createFaultyD1(meteredEnv.CELL_0, () => fault).d1,
});

describe.each(['silent before it runs', 'overloaded'] as const)(
  'the app while a cell is unavailable (fault: %s)',
  (fault) => {
    it('returns 503 with Retry-After to reads and writes, and applies a write once when it is retried', async () => {
      const list = { method: 'GET', path: '/tasks', person: world.people.member };
      for (const request of [list, createRequest()]) {
        const seen = await skipWaiting(sendTestRequest(request, key, failEveryBatch(fault)));
        expect([seen.status, seen.body.error.code]).toEqual([503, 'internal']);
        expect(seen.headers.get('Retry-After')).toBe('5');
        expect(seen.body.error.message).toContain('Wait 5 seconds');
      }
      expect(await countTasks()).toBe(0);
      for (const attempt of ['first', 'second']) {
        expect([attempt, (await skipWaiting(sendTestRequest(createRequest(), key))).status]).toEqual([
          attempt,
          201,
        ]);
      }
      expect(await countTasks()).toBe(1);
    });

    it('shows an error page with a link to try again', async () => {
      const browser = new TestBrowser();
      await browser.signInAs(world.people.owner);
      const page = await skipWaiting(browser.get(`/app/${world.id}/board`, failEveryBatch(fault)));
      expect([page.status, page.headers.get('Retry-After')]).toEqual([503, '5']);
      expect(await page.text()).toMatch(
        /Can&#39;t reach your data right now\. Try again in a few seconds\..*href="[^"]*\/board">Try again/,
      );
    });

    it('shows the values entered in a form, and saves them once when the form is resubmitted', async () => {
      const browser = new TestBrowser();
      await browser.signInAs(world.people.member);
      const html = await (await skipWaiting(browser.get('/sign-out'))).text();
      const { csrf = '' } = readFormFields(html, '/sign-out');
      const action = `/app/${world.id}/tasks`;
      const fields = { csrf, once: key, name: TASK_NAME, projectId: String(world.projects.joined.id) };
      const failed = await skipWaiting(browser.post(action, fields, {}, failEveryBatch(fault)));
      expect(failed.status).toBe(503);
      expect(await failed.text()).toContain(TASK_NAME);
      for (const _ of ['again', 'twice'])
        expect((await skipWaiting(browser.post(action, fields))).status).toBe(303);
      expect(await countTasks()).toBe(1);
    });

    it('returns an error that tells agents how long to wait', async () => {
      const token = await createOAuthToken(world, world.people.member);
      const { body, headers } = buildFramedRequest('legacy', 'tools/call', {
        name: 'find_tasks',
        arguments: {},
      });
      await skipWaiting(post(token, body, { headers }));
      const response = await skipWaiting(post(token, body, { headers, variables: failEveryBatch(fault) }));
      expect(await response.text()).toContain('Wait 5 seconds');
    });

    it('serves workspaces in other cells, and runs their cron jobs', async () => {
      const other = await createWorld({ cell: 1 });
      await getCell(1)
        .prepare("INSERT INTO idempotency_keys (id, request, created_at) VALUES ('expired', 'r', 1)")
        .run();
      const list = { method: 'GET', path: '/tasks', person: other.people.member };
      expect((await skipWaiting(sendTestRequest(list, null, failEveryBatch(fault)))).status).toBe(200);
      await skipWaiting(runCron('* * * * *', failEveryBatch(fault)));
      const expired = getCell(1).prepare("SELECT count(*) AS n FROM idempotency_keys WHERE id = 'expired'");
      expect(await expired.first('n')).toBe(0);
    });
  },
);

it("a request returns 503 if the database runs its batch without responding, and a retry succeeds but doesn't write twice", async () => {
  for (const batch of [1, 2]) {
    const { d1 } = createFaultyD1(meteredEnv.CELL_0, failNthBatch(batch, 'silent after it ran'));
    const request = createRequest();
    const seen = await skipWaiting(sendTestRequest(request, `${key} ${batch}`, { CELL_0: d1 }));
    expect([seen.status, batch]).toEqual([503, batch]);
    expect((await skipWaiting(sendTestRequest(request, `${key} ${batch}`))).status).toBe(201);
    expect(await countTasks()).toBe(batch);
  }
});

it('every write is eventually applied if many callers retry while a cell is overloaded', async () => {
  vi.useRealTimers();
  const { member } = world.people;
  const task = await createTask(member, world.projects.joined.id);
  const deadlines = Array.from({ length: 20 }, (_, index) => `2027-01-${String(index + 1).padStart(2, '0')}`);
  let isOverloaded = false;
  // Two out of every three batches fail, as if the database's queue were full.
  const faulty = createFaultyD1(meteredEnv.CELL_0, (batch) =>
    isOverloaded && batch % 3 > 0 ? 'overloaded' : undefined,
  );
  const bindings = { CELL_0: faulty.d1 };
  const send = async (deadline: string) => {
    const own = crypto.randomUUID();
    const requests = [
      { ...createRequest(), body: { ...createRequest().body, deadline } },
      { method: 'PATCH', path: `/tasks/${task.id}`, body: { deadline }, person: member },
    ];
    for (const [index, request] of requests.entries()) {
      for (;;) {
        const { status } = await sendTestRequest(request, `${own} ${index}`, bindings);
        if (status < 300) break;
        expect(status).toBe(503);
        if (faulty.failed > 60) isOverloaded = false;
      }
    }
  };
  isOverloaded = true;
  await Promise.all([...deadlines.map(send), runCron('* * * * *', bindings)]);
  isOverloaded = false;
  expect(faulty.failed).toBeGreaterThan(20);
  expect(await countTasks()).toBe(deadlines.length);
  await runCron('* * * * *');
  expect(await findInconsistencies()).toEqual([]);
});
