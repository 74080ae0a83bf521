import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { addMember, createApiKey, createWorkspace } from '../../support/world.ts';

async function createPersonInTwoCells() {
  const first = await createWorkspace({ cell: 0, plan: 'pro' });
  const second = await createWorkspace({ cell: 1, plan: 'free' });
  const person = first.people.member;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await addMember(second, person, 'admin');
  return { first, second, person };
}

it("the workspace list contains a person's workspaces from all cells in the order of joining, and marks the active workspace", async () => {
  const { first, second, person } = await createPersonInTwoCells();
  const answer = await api(person.token).get('/workspaces');
  expect(answer.body.data).toEqual([
    { id: first.id, name: expect.any(String), plan: 'pro', role: 'member', isActive: true },
    { id: second.id, name: expect.any(String), plan: 'free', role: 'admin', isActive: false },
  ]);
  expect(answer.body.meta).toEqual({ total: 2, limit: 25, offset: 0, hasMore: false });
  const paged = await api(person.token).get('/workspaces?limit=1&offset=1');
  expect(paged.body.data.map((each: { id: string }) => each.id)).toEqual([second.id]);
  expect(paged.body.meta).toMatchObject({ total: 2, hasMore: false });
});

it("switching workspaces returns a token for another workspace with the person's role there", async () => {
  const { second, person } = await createPersonInTwoCells();
  const answer = await api(person.token).post(`/workspaces/${second.id}/switch`);
  expect(answer.status).toBe(200);
  expect(answer.body.user).toMatchObject({ id: person.userId, role: 'admin', workspace: { id: second.id } });
  const me = await api(answer.body.token).get('/me');
  expect(me.body).toEqual(answer.body.user);
});

it("switching workspaces returns the same 404 for another person's workspace and an unknown workspace", async () => {
  const { people } = await createWorkspace();
  const foreign = await createWorkspace({ cell: 1 });
  const session = api(people.owner.token);
  const hidden = await session.post(`/workspaces/${foreign.id}/switch`);
  const missing = await session.post('/workspaces/ws_none/switch');
  expect([hidden.status, missing.status]).toEqual([404, 404]);
  expect(hidden.text.replace(foreign.id, 'ws_none')).toBe(missing.text);
});

it("API keys can't list or switch workspaces", async () => {
  const { id, people } = await createWorkspace();
  const key = await createApiKey(people.owner);
  for (const answer of [await api(key).get('/workspaces'), await api(key).post(`/workspaces/${id}/switch`)]) {
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  }
});
