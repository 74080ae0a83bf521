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
import { createProject, createTask, createWorld, type Person, type World } from '../../support/world.ts';
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

  it('keeps showing what the filter matched when the link was created, because others may change the filter', async () => {
    const filterId = await save(people.lead, { q: 'Published' });
    const project = await createProject(world, { owner: people.lead, members: [] });
    await createTask(people.lead, project.id, { name: 'Published task' });
    await createTask(people.lead, project.id, { name: 'Internal task' });
    const { address } = await createLink(people.admin, { filterId });
    await requireForm(people.lead, replaceSavedFilter, { id: filterId });
    const { html } = await visit(address);
    expect(html).toContain('Published task');
    expect(html).not.toContain('Internal task');
  });

  it('stops working when the filter is unshared or deleted', async () => {
    const filterId = await save(people.owner, { priority: 'high' });
    const { address } = await createLink(people.owner, { filterId });
    const open = async () => (await visit(address)).status;
    expect(await open()).toBe(200);
    await requireForm(people.owner, renameSavedFilter, { id: filterId, isShared: false });
    expect(await open()).toBe(404);
    await requireForm(people.owner, renameSavedFilter, { id: filterId, isShared: true });
    expect(await open()).toBe(200);
    await requireForm(people.owner, deleteSavedFilter, { id: filterId });
    expect(await open()).toBe(404);
  });
});
