import { describe, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { cleanIdempotencyKeys } from '../../../src/kernel/idempotency/idempotency.ts';
import { createRequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { meteredEnv } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { addMember, createWorld } from '../../support/world.ts';
import { findInconsistencies } from './databases.ts';
import { createFaultyD1, failNthBatch } from './faulty-d1.ts';
import { sendTestRequest } from './test-requests.ts';

it('a retry of a request whose response contained a secret is rejected, even if the request wrote nothing', async () => {
  const { people } = await createWorld();
  const request = { method: 'POST', path: '/auth/refresh', person: people.member };
  expect((await sendTestRequest(request, 'r')).status).toBe(200);
  const again = await sendTestRequest(request, 'r');
  expect([again.status, again.body.error.code]).toEqual([400, 'invalid_request']);
});

it('an invalid request returns its validation error even if its idempotency key was already used', async () => {
  const { people, projects } = await createWorld();
  const file = { fileName: 'a.bin', fileType: 'application/octet-stream', fileSize: 5 };
  const buildRequest = (body: Record<string, unknown>) => ({
    method: 'POST',
    path: '/chunked-upload/init',
    body: { ...file, ...body },
    person: people.member,
  });
  expect((await sendTestRequest(buildRequest({ projectId: projects.joined.id }), 'i')).status).toBe(201);
  const rejected = await sendTestRequest(buildRequest({}), 'i');
  expect([rejected.status, rejected.body.error.code]).toEqual([400, 'invalid_request']);
});

it("a request isn't executed again on a retry, even if storing its response failed", async () => {
  const { people, projects } = await createWorld();
  const request = {
    method: 'POST',
    path: '/tasks',
    body: { projectId: projects.joined.id, name: 'x' },
    person: people.member,
  };
  await sendTestRequest({ method: 'GET', path: '/me', person: people.member }, null);
  for (const fault of ['overloaded', 'lost before it runs', 'lost after it ran'] as const) {
    // The third batch stores the response after it is sent.
    const faulty = createFaultyD1(meteredEnv.CELL_0, failNthBatch(3, fault));
    const first = await sendTestRequest(request, fault, { CELL_0: faulty.d1 });
    expect([first.status, faulty.failed]).toEqual([201, 1]);
    const again = await sendTestRequest(request, fault);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  }
});

it('a retry marks all notifications as read after one of two cells failed', async () => {
  const [here, there] = [await createWorld({ cell: 0 }), await createWorld({ cell: 1 })];
  const { member } = here.people;
  const away = await addMember(there, member, 'member');
  for (const [world, person] of [
    [here, member],
    [there, away],
  ] as const) {
    const { lead } = world.people;
    const body = { projectId: world.projects.joined.id, name: 'x', assigneeId: person.userId };
    expect((await sendTestRequest({ method: 'POST', path: '/tasks', body, person: lead }, null)).status).toBe(
      201,
    );
  }
  const request = { method: 'PUT', path: '/notifications/read-all', person: member };
  const CELL_1 = createFaultyD1(getCell(1), () => 'overloaded').d1;
  expect((await sendTestRequest(request, 'read', { CELL_1 } as Partial<Env>)).status).toBe(503);
  expect((await sendTestRequest(request, 'read')).status).toBe(200);
  const count = await sendTestRequest({ method: 'GET', path: '/notifications/count', person: member }, null);
  expect(count.body).toEqual({ count: 0 });
  expect(await findInconsistencies()).toEqual([]);
});

it('a cron job deletes thousands of expired idempotency keys in one run', async () => {
  await getCell(0)
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO idempotency_keys (id, request, created_at) SELECT 'old ' || i, 'r', 1 FROM n`,
    )
    .run();
  const waitUntil = () => undefined;
  const scope = createRequestScope({ env, config: parseEnv(env), origin: 'http://localhost', waitUntil });
  for (const no of scope.config.cells.keys()) await cleanIdempotencyKeys.run(scope, no, unlimitedAllowance);
  const query = getCell(0).prepare('SELECT count(*) AS n FROM idempotency_keys WHERE created_at = 1');
  expect(await query.first()).toEqual({ n: 0 });
});

describe("if the directory can't confirm that the password is unchanged", () => {
  const requests = {
    credentials: { path: '/connected-apps/api-keys', body: { name: 'Unchecked' } },
    webhooks: { path: '/webhooks', body: { url: 'https://hooks.example.com/' } },
  } as const;

  it.each(['credentials', 'webhooks'] as const)(
    'a request with a session token creates no row in %s, and its retry creates exactly one',
    async (table) => {
      const { people, no } = await createWorld();
      const request = { method: 'POST', person: people.member, ...requests[table] };
      const countRows = () =>
        getCell(0).prepare(`SELECT count(*) AS n FROM ${table} WHERE ws = ?`).bind(no).first<number>('n');
      await sendTestRequest({ method: 'GET', path: '/me', person: people.member }, null);
      for (const [index, fault] of (['overloaded', 'lost before it runs'] as const).entries()) {
        const faulty = createFaultyD1(meteredEnv.DIRECTORY, (batch) => (batch > 1 ? fault : undefined));
        const first = await sendTestRequest(request, fault, { DIRECTORY: faulty.d1 });
        expect([first.status, faulty.failed > 0, await countRows()]).toEqual([
          fault === 'overloaded' ? 503 : 500,
          true,
          index,
        ]);
        expect([(await sendTestRequest(request, fault)).status, await countRows()]).toEqual([201, index + 1]);
      }
      expect(await findInconsistencies()).toEqual([]);
    },
  );
});
