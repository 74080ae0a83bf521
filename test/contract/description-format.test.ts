import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { readAllContents } from '../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../support/world.ts';

const MARKDOWN = '## Plan\n\n- one **bold**\n- two';
const HTML = '<h2>Plan</h2>\n<ul>\n<li>one <strong>bold</strong></li>\n<li>two</li>\n</ul>';
const MARKDOWN_QUERY = 'descriptionFormat=markdown';

let world: World;
let me: ReturnType<typeof api>;
let projectId: number;
beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.lead.token);
  projectId = world.projects.joined.id;
});

const readHtml = async (id: number) => (await me.get(`/tasks/${id}`)).body.description;

describe('the API with the descriptionFormat parameter', () => {
  it("reads and writes a task's description as Markdown", async () => {
    const created = await me.post(`/tasks?${MARKDOWN_QUERY}`, {
      projectId,
      name: 'x',
      description: MARKDOWN,
    });
    expect([created.status, created.body.description]).toEqual([201, MARKDOWN]);
    const { id } = created.body;
    expect(await readHtml(id)).toBe(HTML);
    expect((await me.get(`/tasks/${id}?${MARKDOWN_QUERY}`)).body.description).toBe(MARKDOWN);
    expect((await me.get(`/tasks/${id}?${MARKDOWN_QUERY}&fields=description`)).body).toEqual({
      description: MARKDOWN,
    });
    const patched = await me.patch(`/tasks/${id}?${MARKDOWN_QUERY}`, { description: '*new*' });
    expect([patched.body.description, await readHtml(id)]).toEqual(['*new*', '<p><em>new</em></p>']);
    const version = patched.headers.get('ETag')?.split('-')[0];
    // The same Markdown produces the same HTML, so the task doesn't change.
    const again = await me.patch(`/tasks/${id}?${MARKDOWN_QUERY}`, { description: '*new*' });
    expect(again.headers.get('ETag')?.split('-')[0]).toBe(version);
    for (const action of ['duplicate', 'archive', 'unarchive']) {
      expect((await me.post(`/tasks/${id}/${action}?${MARKDOWN_QUERY}`)).body.description, action).toBe(
        '*new*',
      );
    }
    expect((await me.patch(`/tasks/${id}?${MARKDOWN_QUERY}`, { description: null })).body.description).toBe(
      null,
    );
  });

  it('reads and writes Markdown descriptions in bulk requests and lists', async () => {
    const tasks = [MARKDOWN, '`code`', null].map((description) => ({ projectId, name: 'x', description }));
    const created = await me.post(`/tasks/bulk?${MARKDOWN_QUERY}`, { tasks });
    const readDescriptions = ({ body }: typeof created) =>
      body.data.map(({ task }: { task: { description: string | null } }) => task.description);
    expect([created.status, readDescriptions(created)]).toEqual([201, [MARKDOWN, '`code`', null]]);
    const ids = created.body.data.map(({ task }: { task: { id: number } }) => task.id);
    expect(await readHtml(ids[0])).toBe(HTML);
    const page = await me.get(`/tasks?ids=${ids}&expand=detail&${MARKDOWN_QUERY}`);
    expect(page.body.data.map(({ description }: { description: string }) => description)).toEqual([
      null,
      '`code`',
      MARKDOWN,
    ]);
    const updates = ids.map((id: number) => ({ id, description: `**${id}**` }));
    const updated = await me.patch(`/tasks/bulk?${MARKDOWN_QUERY}`, { updates });
    expect(readDescriptions(updated)).toEqual(ids.map((id: number) => `**${id}**`));
    const set = { description: MARKDOWN };
    expect(readDescriptions(await me.patch(`/tasks/bulk?${MARKDOWN_QUERY}`, { ids, set }))).toEqual(
      ids.map(() => MARKDOWN),
    );
    expect(await readHtml(ids[2])).toBe(HTML);
    expect(readDescriptions(await me.post(`/tasks/bulk/archive?${MARKDOWN_QUERY}`, { ids }))).toEqual(
      ids.map(() => MARKDOWN),
    );
  });

  it('converts 3 MB of descriptions in one bulk response', async () => {
    const description = `**${'word '.repeat(15_000)}end**`;
    const tasks = Array.from({ length: 40 }, () => ({ projectId, name: 'x' }));
    const { body } = await me.post('/tasks/bulk', { tasks });
    const ids = body.data.map(({ task }: { task: { id: number } }) => task.id);
    const answer = await me.patch(`/tasks/bulk?${MARKDOWN_QUERY}`, { ids, set: { description } });
    expect(answer.status).toBe(200);
    for (const { task } of answer.body.data) expect(task.description === description).toBe(true);
  });

  it("reads and writes a meeting's description as Markdown", async () => {
    const draft = {
      projectId,
      name: 'Review',
      description: MARKDOWN,
      date: '2027-01-11',
      time: '10:00',
      duration: { days: 0, hours: 1, minutes: 0 },
      participantIds: [world.people.lead.userId],
    };
    const created = await me.post(`/meetings?${MARKDOWN_QUERY}`, draft);
    expect([created.status, created.body.description]).toEqual([201, MARKDOWN]);
    const { id } = created.body;
    expect((await me.get(`/meetings/${id}`)).body.description).toBe(HTML);
    expect((await me.get(`/meetings/${id}?${MARKDOWN_QUERY}`)).body.description).toBe(MARKDOWN);
    const { body } = await me.get(`/meetings?${MARKDOWN_QUERY}`);
    expect(body.data.map((each: { description: string }) => each.description)).toContain(MARKDOWN);
    expect((await me.patch(`/meetings/${id}?${MARKDOWN_QUERY}`, { time: '11:00' })).body.description).toBe(
      MARKDOWN,
    );
    expect((await me.patch(`/meetings/${id}?${MARKDOWN_QUERY}`, {})).status).toBe(400);
  });

  it('returns the stored response when a request is repeated with its idempotency key', async () => {
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const body = { projectId, name: 'x', description: MARKDOWN };
    const first = await me.post(`/tasks?${MARKDOWN_QUERY}`, body, key);
    const again = await me.post(`/tasks?${MARKDOWN_QUERY}`, body, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await me.post('/tasks', body, key)).status).toBe(400);
  });

  it('returns 400 for an unknown format and for Markdown whose HTML is too long, and writes nothing', async () => {
    const { id } = await createTask(world.people.lead, projectId);
    const before = await readAllContents();
    const html = await me.patch(`/tasks/${id}?descriptionFormat=text`, { description: 'x' });
    expect([html.status, html.headers.get('Error-Field')]).toEqual([400, 'descriptionFormat']);
    const long = { description: '> > > > > a\n\n'.repeat(7_500) };
    const single = await me.patch(`/tasks/${id}?${MARKDOWN_QUERY}`, long);
    expect([single.status, single.headers.get('Error-Field')]).toEqual([400, 'description']);
    const bulk = await me.patch(`/tasks/bulk?${MARKDOWN_QUERY}`, { updates: [{ id, ...long }] });
    expect([bulk.status, bulk.headers.get('Error-Field')]).toEqual([400, 'updates[0].description']);
    expect(
      (await me.patch(`/tasks/${id}?${MARKDOWN_QUERY}`, { description: 'x'.repeat(100_001) })).status,
    ).toBe(400);
    expect(await readAllContents()).toEqual(before);
  });

  it('accepts 100,000 characters even if they become 600,000 characters of HTML', async () => {
    const { id } = await createTask(world.people.lead, projectId);
    const { status } = await me.patch(`/tasks/${id}?${MARKDOWN_QUERY}`, { description: '"'.repeat(100_000) });
    expect([status, (await readHtml(id)).length]).toEqual([200, 600_007]);
  });

  it('removes unsafe HTML', async () => {
    const description =
      '<img src=x onerror=alert(1)><script>alert(1)</script>[x](javascript:alert(1)) <b>y</b>';
    const { body } = await me.post(`/tasks?${MARKDOWN_QUERY}`, { projectId, name: 'x', description });
    expect(await readHtml(body.id)).not.toMatch(/img|script|alert/);
  });
});
