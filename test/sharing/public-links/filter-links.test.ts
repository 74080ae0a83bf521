import { beforeAll, describe, expect, it } from 'vitest';
import {
  createPublicLink,
  listPublicLinks,
  revokePublicLink,
} from '../../../src/sharing/public-links/public-links.ts';
import {
  deleteSavedFilter,
  renameSavedFilter,
  replaceSavedFilter,
  saveFilter,
} from '../../../src/tasks/saved-filters/saved-filters.ts';
import { runForm } from '../../support/forms.ts';
import { createWorld, type Person, type World } from '../../support/world.ts';
import { createLink, requireForm, visit } from '../share.ts';

let world: World;
let people: World['people'];

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  ({ people } = world);
});

describe('a link to a saved filter', () => {
  const save = async (person: Person, filter: Record<string, unknown>) =>
    (await requireForm(person, saveFilter, { name: 'Urgent', isShared: true, ...filter })).id as number;

  it('can be created only by owners and admins', async () => {
    const filterId = await save(people.lead, { priority: 'high' });
    for (const role of ['lead', 'member'] as const) {
      expect((await runForm(people[role].token, createPublicLink, { filterId })).status).toBe(403);
      expect((await runForm(people[role].token, listPublicLinks, { filterId })).status).toBe(403);
    }
    const { id, address } = await createLink(people.admin, { filterId });
    for (const role of ['lead', 'member'] as const) {
      expect((await runForm(people[role].token, revokePublicLink, { id })).status).toBe(403);
    }
    expect((await visit(address)).status).toBe(200);
  });

  it.each([
    ["isn't shared", { isShared: false }],
    ['depends on the reader', { assignee: 'me' }],
    ['shows archived tasks', { archived: 'true' }],
  ])("can't be created if the filter %s", async (_why, filter) => {
    const filterId = await save(people.owner, filter);
    const refused = await runForm(people.owner.token, createPublicLink, { filterId });
    expect(refused.status).toBe(400);
    const { problem, data } = await requireForm(people.owner, listPublicLinks, { filterId });
    expect([problem, data]).toEqual([refused.body.error.message, []]);
  });

  it('stops working when the filter is unshared, changed to one that depends on the reader, or deleted', async () => {
    const filterId = await save(people.owner, { priority: 'high' });
    const { address } = await createLink(people.owner, { filterId });
    const open = async () => (await visit(address)).status;
    expect(await open()).toBe(200);
    await requireForm(people.owner, renameSavedFilter, { id: filterId, isShared: false });
    expect(await open()).toBe(404);
    await requireForm(people.owner, renameSavedFilter, { id: filterId, isShared: true });
    expect(await open()).toBe(200);
    await requireForm(people.owner, replaceSavedFilter, { id: filterId, assignee: 'me' });
    expect(await open()).toBe(404);
    await requireForm(people.owner, replaceSavedFilter, { id: filterId, priority: 'low' });
    expect(await open()).toBe(200);
    await requireForm(people.owner, deleteSavedFilter, { id: filterId });
    expect(await open()).toBe(404);
  });
});
