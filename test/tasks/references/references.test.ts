// This file is long because every kind of reference is tested with the same tasks and images.
import { beforeAll, describe, expect, it } from 'vitest';
import { removeTaskFile } from '../../../src/files/attachments/remove.ts';
import { restoreTaskFile } from '../../../src/files/attachments/restore.ts';
import { getDescriptionReferences } from '../../../src/tasks/references/references.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let client: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld();
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  client = await WorkspaceBrowser.signIn(world, world.people.client);
  // The first page of a browser copies its session to the cell.
  for (const screens of [member, client]) await screens.open('');
});

const createJoinedTask = (fields: Record<string, unknown> = {}, person: Person = world.people.member) =>
  createTask(person, world.projects.joined.id, { name: 'Plan', ...fields });

async function addImage(task: number, { type = 'image/png', by = world.people.member, place = world } = {}) {
  const id = await insertFile(place, by, { task });
  await getCell(place.cell).prepare('UPDATE attachments SET file_type = ? WHERE id = ?').bind(type, id).run();
  return id;
}

const describeTask = (id: number, description: string) =>
  api(world.people.owner.token).patch(`/tasks/${id}`, { description });

const comment = (id: number, content: string, person: Person = world.people.member) =>
  api(person.token).post(`/tasks/${id}/comments`, { content });

/** Returns the HTML of all displayed texts: the description first, then the comments. */
async function openTexts(screens: WorkspaceBrowser, task: number): Promise<string[]> {
  const { html, headers } = await screens.open(`/tasks/${task}`);
  expect(headers.get('X-Cost')).toMatch(/^trips=1 /);
  return [...html.matchAll(/<div class="rich(?: text)? ?">(.*?)<\/div>/gs)].map(([, text = '']) => text);
}

const buildShownImage = (task: number, id: number, alt: string) =>
  new RegExp(
    `^<p><a class="image" href="${member.base}/tasks/${task}/files/${id}" data-image="[^"]+" data-no-prefetch="?[^>]*><img src="${member.base}/tasks/${task}/files/${id}" alt="${alt}" loading="lazy" decoding="async"/></a></p>$`,
  );

describe('an image in a text', () => {
  it('is stored as a reference, which the API returns as HTML or Markdown', async () => {
    const { id } = await createJoinedTask();
    const image = await addImage(id);
    const html = `<p>See <img src="attachment:${image}" alt="The &quot;plan&quot;"></p>`;
    expect((await describeTask(id, html)).body.description).toBe(html);
    const { token } = world.people.owner;
    const read = await api(token).get(`/tasks/${id}?descriptionFormat=markdown`);
    expect(read.body.description).toBe(`See ![The "plan"](attachment:${image})`);
    const written = await api(token).patch(`/tasks/${id}?descriptionFormat=markdown`, {
      description: `![Two](attachment:${image}) ![Three](https://example.com/x.png)`,
    });
    expect(written.body.description).toBe(`![Two](attachment:${image})`);
    expect((await api(token).get(`/tasks/${id}`)).body.description).toBe(
      `<p><img src="attachment:${image}" alt="Two"> </p>`,
    );
    const content = `![Two](attachment:${image})`;
    expect((await comment(id, content)).body.content).toBe(content);
  });

  it('is shown in descriptions and comments if it is an image among the files of the task', async () => {
    const { id } = await createJoinedTask();
    const image = await addImage(id);
    await describeTask(id, `<p><img src="attachment:${image}" alt="One &lt;b&gt;"></p>`);
    await comment(id, `**See** ![Two](attachment:${image})`);
    await comment(id, `${'x'.repeat(5_000)} ![Long](attachment:${image})`);
    const [description = '', short = '', long = ''] = await openTexts(client, id);
    expect(description).toMatch(buildShownImage(id, image, 'One &lt;b&gt;'));
    expect(short).toContain(`/tasks/${id}/files/${image}" alt="Two"`);
    expect(long).toContain(`/tasks/${id}/files/${image}" alt="Long"`);
  });

  it("looks the same if it is missing, isn't an image, or belongs to another task or workspace", async () => {
    const { id } = await createJoinedTask();
    const elsewhere = await createWorld();
    const foreign = await createTask(elsewhere.people.owner, elsewhere.projects.other.id, { name: 'x' });
    const hidden = await createTask(world.people.owner, world.projects.other.id, { name: 'x' });
    const ids = [
      9_999_999,
      await addImage(id, { type: 'image/svg+xml' }),
      await addImage(id, { type: 'application/pdf' }),
      await addImage((await createJoinedTask()).id),
      await addImage(hidden.id, { by: world.people.owner }),
      await addImage(foreign.id, { by: elsewhere.people.owner, place: elsewhere }),
    ];
    for (const image of ids) {
      await describeTask(
        id,
        `<p><img src="attachment:${image}" alt="One"><img src="attachment:${image}" alt=""></p>`,
      );
      const { html } = await member.open(`/tasks/${id}`);
      expect(html, String(image)).toContain(
        '<p><span class="missing-image">One (not available)</span><span class="missing-image">Image not available</span></p>',
      );
      expect(html).not.toContain(`/files/${image}" alt`);
    }
  });

  it('is hidden while its file is removed, and shown after it is restored or replaced by a new version', async () => {
    const { id } = await createJoinedTask();
    const image = await addImage(id);
    await comment(id, `![One](attachment:${image})`);
    const isShown = async () => (await openTexts(member, id))[0]?.includes(`files/${image}" alt="One"`);
    expect(await isShown()).toBe(true);
    const { token } = world.people.member;
    const file = { id, attachmentId: image };
    expect((await runForm(token, removeTaskFile, file)).body).toEqual({ success: true });
    expect(await isShown()).toBe(false);
    expect((await runForm(token, restoreTaskFile, file)).body).toEqual({ success: true });
    expect(await isShown()).toBe(true);
    await getCell(world.cell).prepare('UPDATE attachments SET latest = 0 WHERE id = ?').bind(image).run();
    expect(await isShown()).toBe(true);
  });

  it('moves with its task, and is not available in a copy of the task', async () => {
    const { id } = await createJoinedTask();
    const image = await addImage(id);
    const { token } = world.people.owner;
    await describeTask(id, `<p><img src="attachment:${image}" alt="One"></p>`);
    const copy = (await api(token).post(`/tasks/${id}/duplicate`)).body;
    expect(copy.description).toBe(`<p><img src="attachment:${image}" alt="One"></p>`);
    expect((await openTexts(member, copy.id))[0]).toContain('One (not available)');
    const moved = await api(token).post(`/tasks/${id}/move`, { projectId: world.projects.other.id });
    expect(moved.status).toBe(200);
    expect((await openTexts(member, id))[0]).toMatch(buildShownImage(id, image, 'One'));
  });

  it('is found by its alternative text in searches, and shown as that text in excerpts', async () => {
    const { id } = await createJoinedTask();
    await describeTask(id, '<p>x<img src="attachment:7" alt="Zebrawood"></p>');
    const { body } = await api(world.people.member.token).get('/tasks?search=zebrawood');
    expect(body.data.map((each: { id: number }) => each.id)).toEqual([id]);
    await comment(id, `@[${world.people.owner.userId}] ![A zebra](attachment:7) ![](attachment:8)`);
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    expect((await owner.open('/inbox')).html).toContain(' [image: A zebra] [image]</q>');
  });
});

describe('a link to a task', () => {
  const toUrl = (id: number) => `${ORIGIN}${member.base}/tasks/${id}`;

  it('shows the name of the task to people who can see it, and the URL to others', async () => {
    const { id } = await createJoinedTask();
    const linked = await createTask(world.people.owner, world.projects.other.id, { name: 'Secret <plan>' });
    const url = toUrl(linked.id);
    const panel = `${ORIGIN}${member.base}/projects/1?q=a&task=${linked.id}`;
    await describeTask(
      id,
      `<p><a href="${url}">${url}</a> ${url}#comment-1, <a href="${url}">mine</a> <code>${url}</code></p>`,
    );
    await comment(id, `See ${url}, (${panel}) and **[mine](${url})**`);
    await comment(id, url);
    const label = `<bdi>Secret &lt;plan&gt;</bdi> #${linked.id}</a>`;
    const [description, formatted, plain] = await openTexts(member, id);
    expect(description).toBe(
      `<p><a href="${url}">${label} <a href="${url}#comment-1">${label}, <a href="${url}">mine</a> <code>${url}</code></p>`,
    );
    expect(formatted).toContain(
      `See <a href="${url}">${label}, (<a href="${panel.replace('&', '&amp;')}">${label}) and <strong><a href="${url}"`,
    );
    expect(plain).toBe(`<a href="${url}">${label}`);
    const hidden = await openTexts(client, id);
    expect(hidden.join()).not.toContain('Secret');
    expect(hidden[2]).toBe(`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${url}</a>`);
  });

  it('shows the URL if the task is missing, deleted, in another workspace or on another site', async () => {
    const { id } = await createJoinedTask();
    const elsewhere = await createWorld();
    const foreign = await createTask(elsewhere.people.owner, elsewhere.projects.other.id, {
      name: 'Foreign',
    });
    const linked = await createJoinedTask({ name: 'Linked' });
    const urls = [
      toUrl(9_999_999),
      toUrl(foreign.id),
      toUrl(linked.id).replace(ORIGIN, 'https://other.example'),
      toUrl(linked.id).replace(world.id, elsewhere.id),
      `${toUrl(linked.id)}/history`,
      `${toUrl(linked.id)}0000`,
    ];
    await comment(id, urls.join('\n'));
    const [shown] = await openTexts(member, id);
    for (const url of urls) expect(shown).toContain(`>${url}</a>`);
    expect(shown).not.toMatch(/Linked|Foreign/);
    await comment(id, toUrl(linked.id));
    expect((await openTexts(member, id)).join()).toContain('<bdi>Linked</bdi>');
    await api(world.people.owner.token).delete(`/tasks/${linked.id}`);
    expect((await openTexts(member, id)).join()).not.toContain('<bdi>Linked</bdi>');
  });

  it('is looked up for the first 20 links and images of each text', async () => {
    const { id } = await createJoinedTask();
    const linked = await Promise.all(Array.from({ length: 22 }, () => createJoinedTask({ name: 'Linked' })));
    await comment(id, linked.map((each) => toUrl(each.id)).join('\n'));
    const [shown = ''] = await openTexts(member, id);
    expect(shown.match(/<bdi>Linked<\/bdi>/g)).toHaveLength(20);
  });

  it.each([
    ['a tab before a separator', '\task=5 \task=5'],
    ['line breaks before a separator', '\new\n/tasks/5\r\n](attachment:5)'],
    ['backslashes', '\\/tasks/5 \\\\?task=5 \\](attachment:5 \\="attachment:5'],
    ['quotes', '"/tasks/5" ="attachment:5" ","?task=5'],
    ['numbers that are no ids', '/tasks/-1 /tasks/99999999999999999999 ?task=1e3 ![](attachment:0)'],
  ])('is found in a text with %s', async (_, odd) => {
    const { id } = await createJoinedTask();
    const linked = await createJoinedTask({ name: 'Linked' });
    const text = `${odd} ${toUrl(linked.id)} ${odd}`;
    await comment(id, text);
    await describeTask(id, `${text}<br>`);
    const shown = await openTexts(member, id);
    expect(shown).toHaveLength(2);
    for (const each of shown) expect(each).toContain('<bdi>Linked</bdi>');
  });
});

it('the references of a description are hidden from people who cannot see the task', async () => {
  const { id } = await createTask(world.people.owner, world.projects.other.id, {
    description: '<p><img src="attachment:7" alt=""></p>',
  });
  const image = await addImage(id, { by: world.people.owner });
  await describeTask(id, `<p><img src="attachment:${image}" alt=""></p>`);
  const { owner } = world.people;
  expect((await runForm(owner.token, getDescriptionReferences, { id })).body).toEqual({
    people: [],
    tasks: [],
    images: [image],
  });
  for (const stranger of [world.people.client, (await createWorld()).people.owner])
    expect((await runForm(stranger.token, getDescriptionReferences, { id })).body.error.code).toBe(
      'not_found',
    );
});

it('an image is served without reading the rest of the page, and a missing one shows the error page', async () => {
  const { id } = await createJoinedTask();
  const image = await addImage(id);
  const found = await member.open(`/tasks/${id}/files/${image}`);
  expect([found.status, found.headers.get('Cache-Control')]).toEqual([302, 'no-store']);
  expect(found.headers.get('Location')).toContain('response-content-type=image%2Fpng');
  expect(found.headers.get('X-Cost')).toMatch(/^trips=1 /);
  const missing = await member.open(`/tasks/${id}/files/9999999`);
  expect([missing.status, missing.html.includes('id="menu"')]).toEqual([404, true]);
});
