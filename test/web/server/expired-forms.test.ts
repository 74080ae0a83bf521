// This file is long because its tests share the functions that read a form and end a session.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteSessionCopies } from '../../../src/accounts/browser-sessions/end-sessions.ts';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { setPassword } from '../../support/people.ts';
import { openScope } from '../../support/scope.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from './workspace-browser.ts';

const TYPED_TEXT = 'Typed for an hour <b>&amp;</b>\nand a second line';
const SHOWN_TEXT = 'Typed for an hour &lt;b&gt;&amp;amp;&lt;/b&gt;\nand a second line';
const EXPIRED_MESSAGE = 'This page has expired. Check your changes and save again.';

let world: World;
let me: WorkspaceBrowser;
let path: string;
let action: string;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { id } = await createTask(world.people.member, world.projects.joined.id);
  path = `/tasks/${id}`;
  action = `${path}/comments`;
});
beforeEach(async () => {
  me = await WorkspaceBrowser.signIn(world, world.people.member);
});

const readForm = async (): Promise<Record<string, string>> => ({
  ...readHiddenFields((await me.open(path)).html, me.base + action),
  content: TYPED_TEXT,
});
const countComments = async () =>
  (await api(world.people.member.token).get(action)).body.meta.total as number;
const endSessions = async () => {
  const { userId } = world.people.member;
  await env.DIRECTORY.prepare('DELETE FROM browser_sessions WHERE user_id = ?').bind(userId).run();
  await deleteSessionCopies(openScope(), userId);
};

describe('a workspace form with an expired token', () => {
  it('is displayed again, filled in, and can then be saved', async () => {
    const stale = { ...(await readForm()), csrf: 'x'.repeat(43) };
    const before = await countComments();
    const { status, html } = await me.post(action, stale);
    expect([status, await countComments()]).toEqual([403, before]);
    expect(html).toContain(EXPIRED_MESSAGE);
    expect(html).toContain(`${SHOWN_TEXT}</textarea>`);
    const again = await me.post(action, { ...readHiddenFields(html, me.base + action), content: TYPED_TEXT });
    expect([again.status, await countComments()]).toEqual([303, before + 1]);
  });

  it('is displayed again, filled in, even after the session secret has been replaced', async () => {
    const form = await readForm();
    const variables = { SESSION_SECRET: 'another-secret-of-at-least-32-characters' };
    const answer = await me.browser.post(me.base + action, form, {}, variables);
    expect([answer.status, (await answer.text()).includes(`${SHOWN_TEXT}</textarea>`)]).toEqual([403, true]);
  });

  it.each([
    ['another site', { Origin: 'https://evil.example' }],
    ['a sandboxed page', { Origin: 'null' }],
    ['another site on the same domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['a page with a cross-site Sec-Fetch-Site header', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('shows no values that %s sent', async (_who, headers) => {
    for (const csrf of ['', 'x'.repeat(43), (await readForm()).csrf ?? '']) {
      const { status, html } = await me.post(action, { ...(await readForm()), csrf }, headers);
      expect([status, html.includes('Typed for an hour')]).toEqual([403, false]);
    }
  });

  it("shows its values only if the browser's headers prove that it is from this site", async () => {
    const body = new URLSearchParams({ ...(await readForm()), csrf: '' });
    const postComment = async (headers: Record<string, string>) =>
      (await me.browser.request(me.base + action, { method: 'POST', body, headers })).text();
    expect(await postComment({ 'Sec-Fetch-Site': 'same-origin' })).toContain(`${SHOWN_TEXT}</textarea>`);
    for (const headers of [{}, { 'Sec-Fetch-Site': 'none' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect(await postComment(headers)).not.toContain('Typed for an hour');
  });

  it('shows the typed values even if its page no longer exists', async () => {
    const { owner } = world.people;
    const { id } = await createProject(world, { owner, members: [world.people.member] });
    const task = await createTask(world.people.member, id);
    const own = `/tasks/${task.id}`;
    const stale = readHiddenFields((await me.open(own)).html, `${me.base}${own}/comments`);
    await (await WorkspaceBrowser.signIn(world, owner)).send(
      `/projects/${id}/settings`,
      `/projects/${id}/people/${world.people.member.userId}/remove`,
    );
    const lead = await WorkspaceBrowser.signIn(world, owner);
    const { body } = await api(owner.token).get(`/projects/${id}`);
    await lead.send(`/projects/${id}/settings`, `/projects/${id}/remove`, { name: body.name });
    for (const csrf of [stale.csrf ?? '', '']) {
      const { status, html } = await me.post(`${own}/comments`, { ...stale, csrf, content: TYPED_TEXT });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(html).toContain('What you entered');
      expect(html).toContain(SHOWN_TEXT);
    }
  });

  it('requires the file again if the form contained a file', async () => {
    const form = readFormFields((await me.open(path)).html, `${me.base}${path}/files`);
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...form, csrf: 'stale' })) body.set(name, value);
    body.set('file', new File(['bytes'], 'a.txt', { type: 'text/plain' }));
    const before = await readAllContents();
    const answer = await me.browser.request(`${me.base}${path}/files`, {
      method: 'POST',
      body,
      headers: { Origin: ORIGIN },
    });
    const html = await answer.text();
    expect([answer.status, html.includes('This page has expired. Choose the file again.')]).toEqual([
      403,
      true,
    ]);
    expect(html).toContain(`action="${me.base}${path}/files"`);
    expect(await readAllContents()).toEqual(before);
  });
});

describe('a form submitted after the session ended', () => {
  it.each([
    ['a token that was valid', (csrf: string) => csrf],
    ['an invalid token', () => 'x'.repeat(43)],
  ])('keeps its values on a page until the person signs in (form with %s)', async (_what, tokenOf) => {
    const form = await readForm();
    await endSessions();
    const before = await readAllContents();
    const { status, html } = await me.post(action, { ...form, csrf: tokenOf(form.csrf ?? '') });
    expect([status, html.includes(SHOWN_TEXT)]).toEqual([403, true]);
    expect(html).toContain(`href="/sign-in?next=${encodeURIComponent(me.base + path)}" target="_blank"`);
    const carried = readFormFields(html, me.base + action);
    expect([carried.content, carried.csrf]).toEqual([TYPED_TEXT, '']);
    // The person submits the page again before signing in.
    const early = await me.post(action, carried);
    expect([early.status, early.html.includes(SHOWN_TEXT)]).toEqual([403, true]);
    expect(await readAllContents()).toEqual(before);

    await me.browser.signInAs(world.people.member);
    const comments = await countComments();
    const back = await me.post(action, carried);
    expect([back.status, await countComments()]).toEqual([403, comments]);
    expect(back.html).toContain(EXPIRED_MESSAGE);
    expect(back.html).toContain(`${SHOWN_TEXT}</textarea>`);
    const saved = await me.post(action, {
      ...readHiddenFields(back.html, me.base + action),
      content: TYPED_TEXT,
    });
    expect([saved.status, await countComments()]).toEqual([303, comments + 1]);
  });

  it('redirects to the sign-in page if a script submitted it or nothing was typed', async () => {
    const form = await readForm();
    const { html } = await me.open(path);
    const follow = readHiddenFields(html, `${me.base}${path}/archive`);
    await endSessions();
    const answers = [
      await me.post(action, form, { 'Sec-Fetch-Mode': 'cors' }),
      await me.post(action, { ...form, csrf: '' }, { 'Sec-Fetch-Mode': 'cors' }),
      await me.post(`${path}/archive`, follow),
    ];
    const signIn = `/sign-in?next=${encodeURIComponent(me.base + path)}`;
    expect(answers.map(({ status, location }) => [status, location])).toEqual(
      answers.map(() => [303, signIn]),
    );
  });

  it('shows a non-member only the values that they typed', async () => {
    const form = await readForm();
    await endSessions();
    const stranger = await createWorld({ cell: 0 });
    await me.browser.signInAs(stranger.people.owner);
    const { status, html } = await me.post(action, form);
    expect([status, html.includes(SHOWN_TEXT), html.includes(world.people.lead.name)]).toEqual([
      404,
      true,
      false,
    ]);
  });
});

describe('a form with an expired token outside a workspace', () => {
  const PASSWORD = 'a secret that is never shown';
  const pages = {
    '/sign-in': { email: 'typed@example.com', password: PASSWORD },
    '/sign-up': { name: 'Typed name', email: 'typed@example.com', password: PASSWORD },
    '/forgot-password': { email: 'typed@example.com' },
    '/reset-password': { token: 'secret-token', password: PASSWORD },
    '/account/name': { name: 'Typed name' },
    '/account/email': { email: 'typed@example.com', password: PASSWORD },
    '/account/password': { password: PASSWORD, newPassword: PASSWORD },
    '/account/workspaces': { name: 'Typed name' },
    '/account/remove': { email: 'typed@example.com', password: PASSWORD },
    '/invitation': { token: 'secret-token', name: 'Typed name', password: PASSWORD },
  };

  it.each(Object.entries(pages))(
    'at %s keeps typed values, but no passwords or tokens',
    async (address, fields) => {
      for (const isSignedIn of [true, false]) {
        const browser = new TestBrowser();
        if (isSignedIn) await browser.signInAs(world.people.member);
        await browser.get('/sign-up');
        const before = await readAllContents();
        const form = { csrf: 'stale', once: crypto.randomUUID(), ...fields };
        const answer = await browser.post(address, form, { Referer: `${ORIGIN}/sign-up?next=%2Fapp` });
        const html = await answer.text();
        expect([address, isSignedIn, await readAllContents()]).toEqual([address, isSignedIn, before]);
        if (answer.status === 303) {
          // This form contains only passwords, so there is nothing to keep.
          expect([address, isSignedIn]).toEqual(['/account/password', false]);
          continue;
        }
        expect(answer.status).toBe(403);
        for (const [name, value] of Object.entries(fields)) {
          const isSecret = /password|token/i.test(name);
          expect([address, name, html.includes(value)]).toEqual([address, name, !isSecret]);
        }
      }
    },
  );

  it('has "password" in the name of each password field, so passwords are never kept', async () => {
    const browser = new TestBrowser();
    await setPassword(world.people.member.userId);
    await browser.signInAs(world.people.member);
    const visitor = new TestBrowser();
    const html = [
      await (await browser.get('/account')).text(),
      ...(await Promise.all(['/sign-in', '/sign-up'].map(async (at) => (await visitor.get(at)).text()))),
    ].join();
    const names = [...html.matchAll(/<input [^>]*type="password"[^>]*>/g)].map(
      ([field]) => / name="([^"]*)"/.exec(field)?.[1] ?? '',
    );
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !/password/i.test(name))).toEqual([]);
  });

  it('shows no values that another site sent', async () => {
    for (const [address, fields] of Object.entries(pages)) {
      const browser = new TestBrowser();
      await browser.get('/sign-in');
      const answer = await browser.post(
        address,
        { csrf: 'x', ...fields },
        { Origin: 'https://evil.example' },
      );
      const html = await answer.text();
      expect([address, answer.status, /Typed name|typed@/.test(html)]).toEqual([address, 403, false]);
    }
  });
});
