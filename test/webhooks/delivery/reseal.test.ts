import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listEarlierSecrets } from '../../../src/webhooks/delivery/signing-secrets.ts';
import { openSecret } from '../../../src/webhooks/secrets/secret-seal.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createWorld } from '../../support/world.ts';
import { runCronTick } from '../../upkeep/cron/cron-work.ts';
import { createWebhook, openReceiver, openReceivers } from './receivers.ts';

const NIGHTLY = '17 3 * * *';
const NEW_SECRET = 'the-next-one-0123456789-0123456789';
const variablesDuringRotation = { SESSION_SECRET: NEW_SECRET, SESSION_SECRET_PREVIOUS: env.SESSION_SECRET };

beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

it('the nightly cron job re-encrypts every webhook secret while the session secret is being rotated', async () => {
  const world = await createWorld();
  const { token } = world.people.owner;
  const secrets = new Map<number, string>();
  for (let n = 0; n < 50; n += 1) {
    const { id, secret } = await createWebhook(token, openReceiver().url);
    secrets.set(id, secret);
  }
  const [rotatedId = 0] = secrets.keys();
  const earlier: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    earlier.unshift(secrets.get(rotatedId) ?? '');
    const rotated = await api(token).post(`/webhooks/${rotatedId}/rotate-secret`);
    secrets.set(rotatedId, rotated.body.secret);
  }
  const readSeals = async () => {
    const { results } = await getCell(world.cell)
      .prepare(
        'SELECT id, secret, previous_secret, previous_until, older_secrets FROM webhooks WHERE ws = ? ORDER BY id',
      )
      .bind(world.no)
      .all<{ id: number; secret: string } & Parameters<typeof listEarlierSecrets>[0]>();
    return results;
  };
  const before = await readSeals();
  await runCronTick(NIGHTLY);
  expect(await readSeals(), 'no rotation is under way').toEqual(before);
  await runCronTick(NIGHTLY, { bindings: variablesDuringRotation });
  const opened = { sessionSecret: NEW_SECRET, sessionSecretPrevious: null };
  for (const row of await readSeals()) {
    expect(await openSecret(opened, world.id, row.secret)).toBe(secrets.get(row.id));
    const found = listEarlierSecrets(row).map(({ secret }) => openSecret(opened, world.id, secret));
    expect(await Promise.all(found)).toEqual(row.id === rotatedId ? earlier : []);
  }
  const after = await readSeals();
  await runCronTick(NIGHTLY, { bindings: variablesDuringRotation });
  expect(await readSeals(), 'once is enough').toEqual(after);
});
