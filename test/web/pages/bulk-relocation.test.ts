import { beforeAll, describe, expect, it } from 'vitest';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let session: ReturnType<typeof api>;
const browsers: Partial<Record<string, WorkspaceBrowser>> = {};
beforeAll(async () => {
  world = await createWorld();
  session = api(world.people.owner.token);
});

async function getBrowser(person: Person): Promise<WorkspaceBrowser> {
  browsers[person.userId] ??= await WorkspaceBrowser.signIn(world, person);
  return browsers[person.userId] as WorkspaceBrowser;
}
const createTasks = async (count: number, fields = {}) => {
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push((await createTask(world.people.lead, world.projects.joined.id, fields)).id);
  return ids;
};
const readPlace = async (id: number) => {
  const { body } = await session.get(`/tasks/${id}?expand=structure`);
  return [body.project.id, body.parent?.id ?? null];
};
const joinedList = () => `/tasks?project=${world.projects.joined.id}`;
const getStatus = async (id: number) => (await session.get(`/tasks/${id}`)).status;

/** Submits the bulk bar with one of its buttons, as a browser without JavaScript does. */
async function submitBar(
  who: WorkspaceBrowser,
  verb: 'move' | 'delete',
  ids: readonly number[],
  fields: Record<string, string> = {},
  list = joinedList(),
) {
  const action = `/tasks/bulk/${verb}`;
  const { html } = await who.open(list);
  const form = new URLSearchParams({ ...readHiddenFields(html, who.base + action), ...fields });
  for (const id of ids) form.append('ids', String(id));
  const answer = await who.post(action, form);
  return { ...answer, html: unescapeHtml(answer.html) };
}

async function undo(who: WorkspaceBrowser, action: string, list = joinedList()) {
  const { html } = await who.open(list);
  const undone = await who.post(action, readHiddenFields(html, who.base + action));
  expect(undone.status).toBe(303);
  return { shown: html, html: (await who.open(list)).html };
}

describe('the bulk bar', () => {
  it('moves the selected tasks to another project, and undo restores their projects and parents', async () => {
    const { joined, other } = world.projects;
    const member = await getBrowser(world.people.member);
    const [parent = 0] = await createTasks(1);
    const [child = 0] = await createTasks(1, { parentId: parent });
    const [single = 0] = await createTasks(1);
    const moved = await submitBar(member, 'move', [child, single], { projectId: String(other.id) });
    expect([moved.status, moved.location]).toEqual([
      303,
      expect.stringContaining(`/tasks?project=${joined.id}`),
    ]);
    expect(await readPlace(child)).toEqual([other.id, null]);
    expect(await readPlace(single)).toEqual([other.id, null]);
    const { shown, html } = await undo(member, '/tasks/bulk/move/undo');
    expect(shown).toContain('2 tasks moved to Other');
    expect(html).toContain('Undone');
    expect(await readPlace(child)).toEqual([joined.id, parent]);
    expect(await readPlace(single)).toEqual([joined.id, null]);
  });

  it('deletes the selected tasks, and undo restores those that are still in the trash', async () => {
    const owner = await getBrowser(world.people.owner);
    const [parent = 0] = await createTasks(1);
    const [child = 0] = await createTasks(1, { parentId: parent });
    const [one = 0, two = 0] = await createTasks(2);
    expect((await submitBar(owner, 'delete', [child, parent, one, two])).status).toBe(303);
    for (const id of [parent, child, one, two]) expect(await getStatus(id)).toBe(404);
    const trash = (await owner.open('/trash')).html;
    for (const id of [parent, one, two]) expect(trash).toContain(`/trash/${id}/restore`);
    await session.post(`/tasks/${two}/restore`);
    const { shown, html } = await undo(owner, '/trash/restore');
    expect(shown).toContain('4 tasks moved to the trash');
    expect(html).toContain('3 tasks restored, 1 no longer in the trash');
    for (const id of [parent, child, one, two]) expect(await getStatus(id)).toBe(200);
    expect(await readPlace(child)).toEqual([world.projects.joined.id, parent]);
  });

  it('deletes archived tasks from the list of archived tasks, but offers no move there', async () => {
    const owner = await getBrowser(world.people.owner);
    const [id = 0] = await createTasks(1);
    await session.post(`/tasks/${id}/archive`);
    const list = `/tasks?project=${world.projects.joined.id}&archived=true`;
    expect((await owner.open(list)).html).not.toContain('/tasks/bulk/move');
    expect((await submitBar(owner, 'delete', [id], {}, list)).status).toBe(303);
    expect(await getStatus(id)).toBe(404);
    await undo(owner, '/trash/restore', list);
    expect((await session.get(`/tasks/${id}`)).body.isArchived).toBe(true);
  });

  it('offers Delete to owners and admins everywhere, and to leads in their projects', async () => {
    await createTasks(1);
    await createTask(world.people.owner, world.projects.other.id);
    const isOffered = async (person: Person, query: string) =>
      (await (await getBrowser(person)).open(`/tasks${query}`)).html.includes('/tasks/bulk/delete');
    const [joined, other] = [world.projects.joined, world.projects.other].map(({ id }) => `?project=${id}`);
    const { owner, admin, lead, member, client } = world.people;
    for (const [person, expected] of [
      [owner, [true, true, true]],
      [admin, [true, true, true]],
      [lead, [false, true, false]],
      [member, [false, false, false]],
      [client, [false, false, false]],
    ] as const) {
      const offered = [];
      for (const query of ['', joined, other]) offered.push(await isOffered(person, query ?? ''));
      expect(offered, person.role).toEqual(expected);
    }
  });

  it('names the tasks that cannot be moved, keeps the selection, and writes nothing', async () => {
    const member = await getBrowser(world.people.member);
    const [one = 0, archived = 0] = await createTasks(2);
    const [gone = 0] = await createTasks(1);
    const { html } = await member.open('/tasks');
    const hidden = readHiddenFields(html, `${member.base}/tasks/bulk/move`);
    await session.post(`/tasks/${archived}/archive`);
    await session.delete(`/tasks/${gone}`);
    const before = await readAllContents(['idempotency_keys']);
    const send = async (ids: readonly number[], projectId: string) => {
      const form = new URLSearchParams({ ...hidden, projectId, once: crypto.randomUUID() });
      for (const id of ids) form.append('ids', String(id));
      const { status, html: page } = await member.post('/tasks/bulk/move', form);
      return { status, page: unescapeHtml(page) };
    };
    const target = String(world.projects.other.id);
    const rejected = await send([one, archived], target);
    expect(rejected.status).toBe(400);
    expect(rejected.page).toContain('is archived');
    expect(rejected.page).toMatch(new RegExp(`value="${one}"[^>]*checked`));
    expect((await send([one, gone], target)).status).toBe(404);
    const without = await send([one], '');
    expect([without.status, without.page]).toEqual([400, expect.stringMatching(/id="bulk-project-problem"/)]);
    expect(without.page).toMatch(/<details class="drop-down bulk-more bulk-move" open/);
    const none = await send([], target);
    expect([none.status, none.page]).toEqual([400, expect.stringContaining('Select at least one task.')]);
    expect(await readAllContents(['idempotency_keys'])).toEqual(before);
  });
});
