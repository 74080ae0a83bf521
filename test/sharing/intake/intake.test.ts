import { beforeAll, describe, expect, it } from 'vitest';
import { updateProject } from '../../../src/projects/operations/change-projects.ts';
import { removeProjectMember } from '../../../src/projects/operations/project-people.ts';
import { SUBMISSIONS_PER_DAY_MAX } from '../../../src/sharing/intake/intake-forms.schema.ts';
import { deleteIntakeForm } from '../../../src/sharing/intake/intake-forms.ts';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { textsForPages } from '../../support/hostile-texts.ts';
import { createProject, createWorld, type Person, type Project, type World } from '../../support/world.ts';
import { createForm, createLink, requireForm, visit } from '../share.ts';

let world: World;
let people: World['people'];

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  ({ people } = world);
});

const createProjectWithForm = async (settings: Record<string, unknown> = {}) => {
  const project = await createProject(world, {
    name: 'Requests',
    owner: people.lead,
    members: [people.member],
  });
  const { address } = await createForm(people.lead, project.id, settings);
  return { project, address, path: new URL(address).pathname };
};
const listTasks = async (project: Project, person: Person = people.lead) =>
  (await api(person.token).get(`/tasks?projectId=${project.id}&fields=id,name,status,tags,assignee`)).body
    .data;

/** Opens the form and sends it, as a browser without JavaScript does. */
async function sendForm(
  path: string,
  fields: Record<string, string>,
  browser = new TestBrowser(),
  headers = {},
) {
  const html = await (await browser.get(path)).text();
  const sent = { ...readFormFields(html, path), ...fields };
  const answer = await browser.post(path, sent, headers);
  if (answer.status === 303) {
    const page = await browser.get(answer.headers.get('Location') ?? '');
    return { status: page.status, headers: page.headers, html: await page.text(), sent, browser };
  }
  return { status: answer.status, headers: answer.headers, html: await answer.text(), sent, browser };
}

describe('an intake form', () => {
  it('creates a task with the tag and the assignee, and notifies the assignee', async () => {
    const { project, path } = await createProjectWithForm({
      tag: 'Intake',
      assigneeId: people.member.userId,
    });
    const { status, html } = await sendForm(path, {
      name: 'A new logo',
      description: 'Line one\r\nLine two\r\n\r\nAnother <b>paragraph</b>',
      senderName: 'Ada Lovelace',
      senderEmail: 'ada@example.com',
    });
    expect(status).toBe(200);
    expect(html).toContain('Request sent');
    const [task] = await listTasks(project);
    expect(task).toMatchObject({
      name: 'A new logo',
      status: 'todo',
      tags: ['Intake'],
      assignee: { id: people.member.userId },
    });
    const detail = (await api(people.lead.token).get(`/tasks/${task.id}`)).body;
    expect(detail.description).toBe('<p>Line one<br>Line two</p><p>Another &lt;b&gt;paragraph&lt;/b&gt;</p>');
    const { data } = (await api(people.member.token).get('/notifications?limit=1')).body;
    expect(data[0]).toMatchObject({ type: 'task_assigned', actor: null, task: { id: task.id } });
  });

  it("records in the task's history and in the event log that it came from the form, and its sender", async () => {
    const { project, path } = await createProjectWithForm();
    await sendForm(path, { name: 'From outside', senderName: 'Ada', senderEmail: 'ada@example.com' });
    await sendForm(path, { name: 'Anonymous' });
    const [anonymous, named] = await listTasks(project);
    const session = api(people.lead.token);
    const readHistory = async (id: number) => (await session.get(`/tasks/${id}/activities`)).body.data;
    expect(await readHistory(named.id)).toMatchObject([
      { type: 'created', via: 'form', from: null, to: 'Ada (ada@example.com)' },
    ]);
    expect(await readHistory(anonymous.id)).toMatchObject([{ type: 'created', via: 'form', to: null }]);
    const events = (await session.get(`/events?after=0&types=task.created&projectId=${project.id}`)).body
      .data;
    expect(events[0]).toMatchObject({
      actor: null,
      via: 'form',
      changes: { sender: { from: null, to: 'Ada (ada@example.com)' } },
    });
    expect(events[1].changes).not.toHaveProperty('sender');
    const browser = new TestBrowser();
    await browser.signIn(people.lead);
    const html = await (await browser.get(`/app/${world.id}/tasks/${named.id}`)).text();
    expect(html).toContain(
      '<strong>Intake form</strong> created the task for <bdi>Ada (ada@example.com)</bdi>',
    );
  });

  it("never shows the sender on the project's public link", async () => {
    const { project, path } = await createProjectWithForm();
    await sendForm(path, {
      name: 'Private sender',
      senderName: 'Ada Lovelace',
      senderEmail: 'ada@example.com',
    });
    const [task] = await listTasks(project);
    const { address } = await createLink(people.lead, { projectId: project.id }, { showsNames: true });
    for (const page of [address, `${address}/tasks/${task.id}`]) {
      const { html } = await visit(page);
      expect(html).toContain('Private sender');
      expect(html).not.toMatch(/Ada|ada@/);
    }
  });

  it('creates one task if it is sent twice, even at the same time', async () => {
    const { project, path } = await createProjectWithForm();
    const { sent, browser } = await sendForm(path, { name: 'Sent twice' });
    const again = await Promise.all([browser.post(path, sent), browser.post(path, sent)]);
    expect(again.map(({ status }) => status)).toEqual([303, 303]);
    expect(await listTasks(project)).toHaveLength(1);
    await sendForm(path, { name: 'Sent twice' }, browser);
    expect(await listTasks(project)).toHaveLength(2);
  });

  it('keeps what was entered if a field is invalid, and explains the problem at the field', async () => {
    const { project, path } = await createProjectWithForm();
    const { status, html } = await sendForm(path, {
      name: '',
      description: 'Kept <text>',
      senderName: 'Ada',
      senderEmail: 'not an address',
    });
    expect(status).toBe(400);
    expect(html).toContain('Kept &lt;text&gt;');
    expect(html).toContain('value="not an address"');
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect(await listTasks(project)).toEqual([]);
  });

  it('stores hostile text as text, and mentions no one', async () => {
    const { project, path } = await createProjectWithForm();
    const names: string[] = [];
    for (const text of [...textsForPages.slice(0, 12), `Hello @[${people.member.userId}]`]) {
      const fields = { name: text.slice(0, 200), description: text, senderName: text.slice(0, 90) };
      const { status, html } = await sendForm(path, fields);
      expect([200, 400]).toContain(status);
      expect(html).not.toMatch(/<(script|img|iframe)/i);
      if (status === 200) names.push(text);
    }
    expect(names.length).toBeGreaterThan(5);
    const browser = new TestBrowser();
    await browser.signIn(people.lead);
    for (const { id } of await listTasks(project)) {
      const html = await (await browser.get(`/app/${world.id}/tasks/${id}`)).text();
      const body = html.replaceAll(/<script type="module"[^>]*><\/script>/g, '');
      expect(body).not.toMatch(/<(script|iframe)|onerror=|javascript:[^<]*"/i);
      expect(html).not.toContain(`data-person="${people.member.userId}"`);
    }
    const { data } = (await api(people.member.token).get('/notifications?kinds=mentioned')).body;
    expect(data).toEqual([]);
  });

  it('ignores what programs send in the hidden field, without saying so', async () => {
    const { project, path } = await createProjectWithForm();
    const { status, html } = await sendForm(path, { name: 'Buy now', website: 'https://spam.example' });
    expect(status).toBe(200);
    expect(html).toContain('Request sent');
    expect(await listTasks(project)).toEqual([]);
  });

  it('rejects a form that another site sent', async () => {
    const { project, path } = await createProjectWithForm();
    const { status } = await sendForm(path, { name: 'Forged' }, new TestBrowser(), {
      Origin: 'https://evil.example',
    });
    expect(status).toBe(403);
    expect(await listTasks(project)).toEqual([]);
  });

  it('accepts 20 requests per hour from an IP address', async () => {
    const { project, path } = await createProjectWithForm();
    const from = { 'CF-Connecting-IP': '203.0.113.7' };
    for (let count = 0; count < 20; count += 1)
      expect((await sendForm(path, { name: `Request ${count}` }, new TestBrowser(), from)).status).toBe(200);
    const { status, headers, html } = await sendForm(path, { name: 'One more' }, new TestBrowser(), from);
    expect(status).toBe(429);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(html).toContain('value="One more"');
    expect(await listTasks(project)).toHaveLength(20);
  });

  it(`accepts ${SUBMISSIONS_PER_DAY_MAX} requests per day, and starts again the next day`, async () => {
    const { project, path } = await createProjectWithForm();
    await sendForm(path, { name: 'First' });
    const setSent = (sent: number, day?: string) =>
      getCell(1)
        .prepare('UPDATE intake_forms SET sent = ?, sent_on = coalesce(?, sent_on) WHERE project = ?')
        .bind(sent, day ?? null, project.id)
        .run();
    await setSent(SUBMISSIONS_PER_DAY_MAX - 1);
    expect((await sendForm(path, { name: 'Last' })).status).toBe(200);
    expect((await sendForm(path, { name: 'Too many' })).status).toBe(429);
    expect(await listTasks(project)).toHaveLength(2);
    await setSent(SUBMISSIONS_PER_DAY_MAX, '2026-01-01');
    expect((await sendForm(path, { name: 'Next day' })).status).toBe(200);
    expect(await listTasks(project)).toHaveLength(3);
  });

  it('stops working with the next request when it is turned off or its project ends', async () => {
    const { project, path } = await createProjectWithForm();
    const browser = new TestBrowser();
    const fields = readFormFields(await (await browser.get(path)).text(), path);
    await requireForm(people.lead, updateProject, { id: project.id, status: 'completed' });
    expect((await browser.post(path, { ...fields, name: 'Late' })).status).toBe(404);
    await requireForm(people.lead, updateProject, { id: project.id, status: 'active' });
    expect((await browser.get(path)).status).toBe(200);
    await requireForm(people.lead, deleteIntakeForm, { projectId: project.id });
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.post(path, { ...fields, name: 'Late' })).status).toBe(404);
    expect(await listTasks(project)).toEqual([]);
  });

  it('has no assignee once the person leaves the project', async () => {
    const { project, path } = await createProjectWithForm({ assigneeId: people.member.userId });
    await requireForm(people.lead, removeProjectMember, { id: project.id, userId: people.member.userId });
    await sendForm(path, { name: 'For no one' });
    expect(await listTasks(project)).toMatchObject([{ name: 'For no one', assignee: null }]);
  });

  it('has a page that search engines and caches ignore, and whose hidden field is empty', async () => {
    const { path } = await createProjectWithForm({ greeting: 'Hello <you>\nSee https://example.com' });
    const page = await visit(path);
    expect(page.headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.html).toContain('Hello &lt;you&gt;');
    expect(page.html).not.toContain('<script');
    expect(page.html).toMatch(/<input id="website" name="website" type="text" tabindex="-1"/);
    for (const { userId, email, name } of Object.values(people)) {
      for (const each of [userId, email, name]) expect(page.html).not.toContain(each);
    }
  });
});
