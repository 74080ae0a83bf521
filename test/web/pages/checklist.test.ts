import { beforeAll, describe, expect, it } from 'vitest';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let client: WorkspaceBrowser;
let session: ReturnType<typeof api>;
beforeAll(async () => {
  world = await createWorld();
  client = await WorkspaceBrowser.signIn(world, world.people.client);
  session = api(world.people.client.token);
});

async function createChecklist(texts: readonly string[]) {
  const { id } = await createTask(world.people.lead, world.projects.joined.id);
  const items = texts.map((text) => ({ text }));
  const { body } = await api(world.people.lead.token).put(`/tasks/${id}/checklist`, { items });
  const page = `/tasks/${id}`;
  return { id, page, itemsPath: `${page}/checklist/items`, itemIds: body.items.map(toId) as number[] };
}
const toId = ({ id }: { id: number }) => id;
const readItems = async (id: number) =>
  (await session.get(`/tasks/${id}/checklist`)).body.items.map(
    ({ text, isDone }: { text: string; isDone: boolean }) => `${isDone ? '[x]' : '[ ]'} ${text}`,
  );
async function readSection(page: string) {
  const { html } = await client.open(page);
  return (
    /<section class="section" aria-labelledby="checklist-name">[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
  );
}
async function undo(page: string, action: string, wanted: Record<string, string>) {
  const hidden = readHiddenFields((await client.open(page)).html, client.base + action, wanted);
  expect((await client.post(action, hidden)).status).toBe(303);
}

describe("the checklist on a task's page", () => {
  it('adds, completes, renames and moves items, without JavaScript and for a client', async () => {
    const { id, page, itemsPath, itemIds } = await createChecklist(['Write', 'Print']);
    expect((await client.send(page, itemsPath, { text: 'Post <b>' })).status).toBe(303);
    expect(await readItems(id)).toEqual(['[ ] Write', '[ ] Print', '[ ] Post <b>']);
    const item = `${itemsPath}/${itemIds[0]}`;
    expect((await client.send(page, item, { isDone: 'true' })).status).toBe(303);
    expect((await client.send(page, item, { text: 'Write twice' })).status).toBe(303);
    expect((await client.send(page, item, { position: '1' })).status).toBe(303);
    expect(await readItems(id)).toEqual(['[ ] Print', '[x] Write twice', '[ ] Post <b>']);
    const section = await readSection(page);
    expect(section).toContain('1/3');
    expect(section).toContain('Post &lt;b&gt;');
    expect(section).toContain('aria-pressed="true" aria-label="Done: Write twice"');
  });

  it('shows an empty item as an error, and adds nothing', async () => {
    const { id, page, itemsPath } = await createChecklist(['Write']);
    const rejected = await client.send(page, itemsPath, { text: ' ' });
    expect([rejected.status, unescapeHtml(rejected.html)]).toEqual([
      400,
      expect.stringMatching(/id="new-line-problem">[^<]+</),
    ]);
    expect(await readItems(id)).toEqual(['[ ] Write']);
  });

  it('deletes an item, and undo restores it in its place', async () => {
    const { id, page, itemsPath, itemIds } = await createChecklist(['Write', 'Print', 'Post']);
    await client.send(page, `${itemsPath}/${itemIds[1]}/remove`);
    expect(await readItems(id)).toEqual(['[ ] Write', '[ ] Post']);
    await undo(page, itemsPath, { position: '1' });
    expect(await readItems(id)).toEqual(['[ ] Write', '[ ] Print', '[ ] Post']);
  });

  it('converts an item to a subtask, and undo turns it back into an item', async () => {
    const { id, page, itemsPath, itemIds } = await createChecklist(['Write', 'Print']);
    await client.send(page, `${itemsPath}/${itemIds[0]}/convert`);
    expect(await readItems(id)).toEqual(['[ ] Print']);
    const names = async () =>
      (await session.get(`/tasks/${id}/subtasks`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['Write']);
    await undo(page, `${itemsPath}/${itemIds[0]}/restore`, { position: '0' });
    expect(await readItems(id)).toEqual(['[ ] Write', '[ ] Print']);
    expect(await names()).toEqual([]);
  });

  it("doesn't overwrite an item that someone else has renamed since the page was opened", async () => {
    const { id, page, itemsPath, itemIds } = await createChecklist(['Write']);
    const item = `${itemsPath}/${itemIds[0]}`;
    const { html } = await client.open(page);
    await api(world.people.lead.token).patch(`/tasks/${id}/checklist/items/${itemIds[0]}`, {
      text: 'Theirs',
    });
    const hidden = readHiddenFields(html, client.base + item, { text: 'Mine' });
    const rejected = await client.post(item, { ...hidden, text: 'Mine' });
    expect(rejected.status).not.toBe(303);
    expect(rejected.html).toContain('Theirs');
    expect(await readItems(id)).toEqual(['[ ] Theirs']);
  });

  it('is read-only on an archived task, and missing if it would be empty', async () => {
    const { id, page } = await createChecklist(['Write']);
    const empty = await createTask(world.people.lead, world.projects.joined.id);
    for (const each of [id, empty.id]) await session.post(`/tasks/${each}/archive`);
    const section = await readSection(page);
    expect(section).toContain('Write');
    expect(section).not.toContain('<form');
    expect(await readSection(`/tasks/${empty.id}`)).toBe('');
  });
});
