import { beforeAll, expect, it } from 'vitest';
import { cleanChangeSets } from '../../src/change-sets/lifecycle/clean-change-sets.ts';
import { callTool, createOAuthToken } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { openScope } from '../support/scope.ts';
import { createWorld, type World } from '../support/world.ts';
import { proposeChange } from './propose.ts';

const DAY_MS = 24 * 60 * 60_000;

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

const expireChangeSet = (id: number, daysAgo: number, changes = '') =>
  getCell(world.cell)
    .prepare(`UPDATE change_sets SET expires_at = ? ${changes} WHERE id = ?`)
    .bind(Date.now() - daysAgo * DAY_MS, id)
    .run();
const exists = async (id: number) =>
  (await getCell(world.cell).prepare('SELECT 1 FROM change_sets WHERE id = ?').bind(id).first()) !== null;

it("an open change set that has expired is kept while its app's token could be valid, and then deleted", async () => {
  const token = await createOAuthToken(world, world.people.lead);
  const { changeSet: id } = await callTool(token, 'begin_changes', {});
  await expireChangeSet(id, 29);
  await cleanChangeSets.run(openScope(), world.cell, { left: 100 });
  expect(await exists(id)).toBe(true);
  await expireChangeSet(id, 31);
  expect(await cleanChangeSets.run(openScope(), world.cell, { left: 100 })).toBe(false);
  expect(await exists(id)).toBe(false);
});

it("a rejected change set without changes doesn't keep later change sets from being deleted", async () => {
  const sets = [
    await proposeChange(world, world.people.owner),
    await proposeChange(world, world.people.owner),
    await proposeChange(world, world.people.owner),
  ];
  for (const [at, { id }] of sets.entries())
    await expireChangeSet(
      id,
      40 - at,
      at === 0 ? ", status = 'rejected', items = 0" : ", status = 'rejected'",
    );
  await cleanChangeSets.run(openScope(), world.cell, { left: 100 });
  for (const { id } of sets) expect(await exists(id)).toBe(false);
});

it('the API lists a notification about proposed changes only if its type is requested', async () => {
  const { member } = world.people;
  const before = (await api(member.token).get('/notifications')).text;
  await proposeChange(world, member);
  const { body } = await api(member.token).get('/notifications?kinds=changes_proposed');
  expect(body.data).toMatchObject([{ type: 'changes_proposed', actor: null, task: null }]);
  expect((await api(member.token).get('/notifications')).text).toBe(before);
});
