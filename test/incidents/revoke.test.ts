import { expect, it } from 'vitest';
import { revoke } from '../../src/incidents/revoke.ts';
import { CostMeter } from '../../src/kernel/cost.ts';
import { Database } from '../../src/kernel/database.ts';
import { grantToken } from '../contract/requests.ts';
import { api } from '../support/api.ts';
import { cellOf, env } from '../support/env.ts';
import { createApiKey, createWorld, join } from '../support/world.ts';
import { Screens } from '../web/screens.ts';

const open = (d1: D1Database) => new Database(d1, new CostMeter());
const databases = {
  directory: open(env.DIRECTORY),
  cells: new Map(([0, 1] as const).map((no) => [no, open(cellOf(no))])),
};
const revoked = async (subject: string) => (await revoke(databases, subject, Date.now()))?.length;
const worksWith = async (token: string) => (await api(token).get('/me')).status !== 401;

/** Somebody in a workspace of each cell, and somebody else beside them. */
async function leak() {
  const [home, abroad] = [await createWorld({ cell: 0 }), await createWorld({ cell: 1 })];
  const { lead, member } = home.people;
  const there = await join(abroad, lead, 'member');
  return {
    home,
    lead,
    key: await createApiKey(lead),
    abroad: await createApiKey(there),
    oauth: await grantToken(home, lead, ['tasks:read']),
    others: await createApiKey(member),
  };
}

it('ends a leaked key by its text, once, and nothing else', async () => {
  const { key, oauth, others } = await leak();
  expect([await revoked(key), await revoked(key)]).toEqual([1, 0]);
  expect([await worksWith(key), await worksWith(oauth), await worksWith(others)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await revoked(oauth)).toBe(1);
  expect(await worksWith(oauth)).toBe(false);
  // A letter is missing: no database is asked.
  expect(await revoked(others.slice(0, -1))).toBeUndefined();
});

it('ends all of a person in every cell, and signs their browsers out', async () => {
  const { home, lead, key, abroad, oauth, others } = await leak();
  const screens = await Screens.of(home, lead);
  expect((await screens.open('')).status).toBe(200);
  expect(await revoked(lead.userId)).toBe(3);
  for (const token of [key, abroad, oauth]) expect(await worksWith(token)).toBe(false);
  expect((await screens.open('')).status).toBe(303);
  expect(await worksWith(others)).toBe(true);
});

it('ends all of a workspace, or of an app', async () => {
  const { home, key, oauth, others, abroad } = await leak();
  await cellOf(0)
    .prepare("UPDATE credentials SET client_id = ? WHERE kind = 'oauth' AND ws = ?")
    .bind(`app${home.no}`, home.no)
    .run();
  expect(await revoked(`app${home.no}`)).toBe(1);
  expect([await worksWith(oauth), await worksWith(key)]).toEqual([false, true]);
  expect(await revoked(home.id)).toBe(2);
  expect([await worksWith(key), await worksWith(others), await worksWith(abroad)]).toEqual([
    false,
    false,
    true,
  ]);
});
