import { beforeAll, describe, expect, it } from 'vitest';
import { TestBrowser } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { createWorkspace, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from './workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let task: { id: number; name: string };

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  const session = api(world.people.member.token);
  task = (await session.post('/tasks', { projectId: world.projects.joined.id, name: 'Paint the fence' }))
    .body;
});

const getBoardPath = () => `/projects/${world.projects.joined.id}`;

describe('a page in the web app', () => {
  it('redirects a signed-out person to the sign-in page, with its own URL as `next`', async () => {
    const stranger = new TestBrowser();
    const answer = await stranger.get(`${member.base}${getBoardPath()}?q=fence`);
    expect(answer.status).toBe(303);
    const next = encodeURIComponent(`${member.base}${getBoardPath()}?q=fence`);
    expect(answer.headers.get('Location')).toBe(`/sign-in?next=${next}`);
  });

  it("returns the same 404 for another workspace as for a workspace that doesn't exist", async () => {
    const other = await createWorkspace({ cell: 0 });
    const bodies = await Promise.all(
      [other.id, 'ws_nowhere'].map(async (id) => {
        const answer = await member.browser.get(`/app/${id}/tasks/${task.id}`);
        expect(answer.status).toBe(404);
        // Each rendered page has a new form key.
        return (await answer.text()).replaceAll(id, '').replaceAll(/name="once" value="[\w-]{27}"/g, '');
      }),
    );
    expect(bodies[0]).toBe(bodies[1]);
  });

  it('returns 404 to a client without access to the project', async () => {
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    expect((await client.open(`/projects/${world.projects.other.id}`)).status).toBe(404);
    expect((await client.open(getBoardPath())).status).toBe(200);
  });

  it.each(['/nowhere', '/tasks/0', '/tasks/x', '/projects/99999999999', '/tasks/%ff', '/tasks/1/files/x'])(
    'returns an HTML 404 for %s',
    async (path) => {
      const answer = await member.open(path);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8']);
      expect(answer.html).toContain('<h1>Page not found</h1>');
    },
  );

  it('takes one database round trip if the worker has cached the person', async () => {
    await member.open(getBoardPath());
    const { headers } = await member.open(getBoardPath());
    expect(headers.get('X-Cost')).toMatch(/^trips=1 /);
  });

  it('redirects to the sign-in page after the person signs out', async () => {
    const leaver = await WorkspaceBrowser.signIn(world, world.people.admin);
    expect((await leaver.open(getBoardPath())).status).toBe(200);
    const { html } = await leaver.open(getBoardPath());
    await leaver.browser.post('/sign-out', readHiddenFields(html, '/sign-out'));
    expect((await leaver.open(getBoardPath())).status).toBe(303);
  });

  it("keeps its ETag while it doesn't change, and returns 304 for that ETag", async () => {
    const [first, second] = [await member.open(getBoardPath()), await member.open(getBoardPath())];
    const tag = first.headers.get('ETag') ?? '';
    expect(second.headers.get('ETag')).toBe(tag);
    expect(first.html).not.toBe(second.html);
    const unchanged = await member.open(getBoardPath(), { 'If-None-Match': tag });
    expect([unchanged.status, unchanged.html]).toEqual([304, '']);
  });

  it('allows only scripts from its own origin, and nothing inline', async () => {
    const { headers, html } = await member.open('/projects');
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('Speculation-Rules')).toBe('"/speculation-rules.json"');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    expect(html).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style| style="| on\w+="/);
  });

  it("can't be framed, and can't contain frames", async () => {
    const paths = [
      '/projects',
      getBoardPath(),
      '/board',
      `/tasks/${task.id}`,
      `/tasks/${task.id}/nothing`,
      '/tasks/0',
    ];
    for (const path of paths) {
      const policy = (await member.open(path)).headers.get('Content-Security-Policy') ?? '';
      expect(policy.match(/(?:frame|child)-[^;]+/g), path).toEqual(["frame-ancestors 'none'"]);
    }
  });
});

describe('a form in the web app', () => {
  const readTaskName = async () => (await api(world.people.member.token).get(`/tasks/${task.id}`)).body.name;

  it('saves its change, and redirects to its page', async () => {
    const answer = await member.send(`/tasks/${task.id}`, `/tasks/${task.id}`, {
      field: 'name',
      name: 'Paint it red',
    });
    expect([answer.status, answer.location]).toEqual([303, `${member.base}/tasks/${task.id}`]);
    expect(await readTaskName()).toBe('Paint it red');
  });

  it.each([
    ['no CSRF token', { csrf: '' }, {}],
    ['a wrong CSRF token', { csrf: 'x'.repeat(43) }, {}],
    ['another origin', {}, { Origin: 'https://evil.example' }],
    ['the origin null', {}, { Origin: 'null' }],
  ])('changes nothing if it has %s', async (_what, fields, headers) => {
    const before = await readTaskName();
    const { html } = await member.open(`/tasks/${task.id}`);
    const form = readHiddenFields(html, `${member.base}/tasks/${task.id}`, { field: 'name' });
    const answer = await member.post(`/tasks/${task.id}`, { ...form, name: 'Stolen', ...fields }, headers);
    expect(answer.status).toBe(403);
    expect(await readTaskName()).toBe(before);
  });

  it('keeps its values if the person has signed in again since opening it, and can then be saved', async () => {
    const path = `/tasks/${task.id}`;
    const me = await WorkspaceBrowser.signIn(world, world.people.member);
    const { html } = await me.open(path);
    const countComments = async () =>
      (await api(world.people.member.token).get(`${path}/comments`)).body.meta.total as number;
    const before = await countComments();
    await me.browser.signInAs(world.people.member);
    const form = { ...readHiddenFields(html, `${me.base}${path}/comments`), content: 'Typed "before"' };
    const answer = await me.post(`${path}/comments`, form);
    expect([answer.status, await countComments()]).toEqual([403, before]);
    expect(answer.html).toContain('This page has expired. Check your changes and save again.');
    expect(answer.html).toContain('Typed &quot;before&quot;</textarea>');
    const renewed = { ...readHiddenFields(answer.html, `${me.base}${path}/comments`), content: form.content };
    expect((await me.post(`${path}/comments`, renewed)).status).toBe(303);
    expect(await countComments()).toBe(before + 1);
    // A request without an Origin header could come from any site, so its values aren't displayed.
    const anybody = await me.browser.request(`${me.base}${path}/comments`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, content: 'Planted' }),
    });
    expect([anybody.status, (await anybody.text()).includes('Planted')]).toEqual([403, false]);
  });

  it('takes effect once, however often it is submitted', async () => {
    const { html } = await member.open(getBoardPath());
    const form = readHiddenFields(html, `${member.base}/tasks`, { status: 'todo' });
    const submitTask = (name: string) => member.post('/tasks', { ...form, name });
    const answers = await Promise.all([submitTask('Once'), submitTask('Once')]);
    expect([...answers, await submitTask('Once')].map(({ status }) => status)).toEqual([303, 303, 303]);
    // The same form key with another name creates another task.
    expect((await submitTask('Twice')).status).toBe(303);
    const { data } = (
      await api(world.people.member.token).get(`/tasks?projectId=${world.projects.joined.id}`)
    ).body;
    const filterByName = (name: string) => data.filter((each: { name: string }) => each.name === name).length;
    expect([filterByName('Once'), filterByName('Twice')]).toEqual([1, 1]);
  });

  it('keeps its values if it has an error, and shows the error next to the field', async () => {
    const answer = await member.send(`/tasks/${task.id}`, `/tasks/${task.id}`, {
      field: 'customEstimatedHours',
      customEstimatedHours: 'a "long" while',
    });
    expect(answer.status).toBe(400);
    const [input = ''] = /<input id="customEstimatedHours"[^>]*>/.exec(answer.html) ?? [];
    expect(input).toContain('value="a &quot;long&quot; while"');
    expect(input).toContain('aria-invalid="true"');
    expect(input).toContain('aria-describedby="customEstimatedHours-problem"');
    expect(input).toContain('autofocus');
    expect(answer.html).toContain('<p class="problem" id="customEstimatedHours-problem">');
    expect(answer.html.match(/aria-invalid/g)).toHaveLength(1);
  });

  it('asks the person to reload the page if it is from an older version of the app', async () => {
    const page = `/tasks/${task.id}`;
    const own = readHiddenFields((await member.open(page)).html, member.base + page, { assigneeId: '' });
    const { status, html } = await member.post(page, { ...own, assigneeId: '', gone: 'x' });
    expect(status).toBe(400);
    expect(html).toContain('role="alert">This form is out of date. Reload the page and try again.<');
  });

  it('keeps a typed description if someone else saves another description first', async () => {
    const page = `/tasks/${task.id}`;
    const { html } = await member.open(page);
    const form = readHiddenFields(html, `${member.base}${page}/description`);
    const session = api(world.people.lead.token);
    await session.patch(`/tasks/${task.id}`, { description: '<p>Theirs</p>' });
    const answer = await member.post(`${page}/description`, { ...form, description: '<p>Mine</p>' });
    expect(answer.status).toBe(412);
    expect(answer.html).toContain('<p>Theirs</p>');
    expect(answer.html).toContain('&lt;p&gt;Mine&lt;/p&gt;</textarea>');
    expect((await session.get(`/tasks/${task.id}`)).body.description).toBe('<p>Theirs</p>');
    const again = readHiddenFields(answer.html, `${member.base}${page}/description`);
    expect((await member.post(`${page}/description`, { ...again, description: '<p>Mine</p>' })).status).toBe(
      303,
    );
  });

  it('never redirects out of its workspace', async () => {
    for (const back of [
      'https://evil.example/',
      '//evil.example',
      '/app/ws_other',
      '/sign-out',
      `${member.base}x`,
    ]) {
      const { html } = await member.open(`/tasks/${task.id}`);
      const form = readHiddenFields(html, `${member.base}/tasks/${task.id}`, { field: 'priority' });
      const answer = await member.post(`/tasks/${task.id}`, { ...form, priority: 'high', back });
      expect([back, answer.location]).toEqual([back, member.base]);
    }
  });

  it('returns 404 to people in another workspace, and changes nothing', async () => {
    const other = await createWorkspace();
    const stranger = await WorkspaceBrowser.signIn(other, other.people.owner);
    const own = readHiddenFields((await stranger.open('/nowhere')).html, '/sign-out');
    const answer = await stranger.browser.post(`${member.base}/tasks/${task.id}`, { ...own, name: 'Stolen' });
    expect(answer.status).toBe(404);
    expect(await readTaskName()).not.toBe('Stolen');
  });
});
