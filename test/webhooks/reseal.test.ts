import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSecret } from '../../src/webhook-secrets/secret-seal.ts';
import { tick } from '../cron/busy.ts';
import { api } from '../support/api.ts';
import { cellOf, env } from '../support/env.ts';
import { createWorld } from '../support/world.ts';
import { createWebhook, openReceiver, openReceivers } from './receivers.ts';

const NIGHTLY = '17 3 * * *';
const NEW_SECRET = 'the-next-one-0123456789-0123456789';
const rotating = { SESSION_SECRET: NEW_SECRET, SESSION_SECRET_PREVIOUS: env.SESSION_SECRET };

beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

it('while the session secret changes, every secret is sealed anew, so that the old one can go', async () => {
  const world = await createWorld();
  const { token } = world.people.owner;
  const secrets = new Map<number, string>();
  for (let n = 0; n < 50; n += 1) {
    const { id, secret } = await createWebhook(token, openReceiver().url);
    secrets.set(id, secret);
  }
  const [rotatedId = 0] = secrets.keys();
  const previous = secrets.get(rotatedId);
  const rotated = await api(token).post(`/webhooks/${rotatedId}/rotate-secret`);
  secrets.set(rotatedId, rotated.body.secret);
  const seals = async () => {
    const { results } = await cellOf(world.cell)
      .prepare('SELECT id, secret, previous_secret FROM webhooks WHERE ws = ? ORDER BY id')
      .bind(world.no)
      .all<{ id: number; secret: string; previous_secret: string | null }>();
    return results;
  };
  const before = await seals();
  await tick(NIGHTLY);
  expect(await seals(), 'no rotation is under way').toEqual(before);
  await tick(NIGHTLY, { bindings: rotating });
  const opened = { sessionSecret: NEW_SECRET, sessionSecretPrevious: null };
  for (const { id, secret, previous_secret } of await seals()) {
    expect(await openSecret(opened, world.id, secret)).toBe(secrets.get(id));
    if (id === rotatedId) expect(await openSecret(opened, world.id, previous_secret ?? '')).toBe(previous);
  }
  const after = await seals();
  await tick(NIGHTLY, { bindings: rotating });
  expect(await seals(), 'once is enough').toEqual(after);
});
