import { expect, it } from 'vitest';
import { api, ORIGIN, send } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import {
  createEmailAddress,
  createIpAddress,
  logIn,
  postForm,
  readMailedToken,
  registerAccount,
  registerAndVerify,
} from '../../support/people.ts';

const openLink = (token: string) => send(new Request(`${ORIGIN}/verify-email?token=${token}`));

async function countEmails(email: string) {
  const found = await env.DIRECTORY.prepare('SELECT count(*) AS n FROM outbox WHERE recipient = ?')
    .bind(email)
    .first<{ n: number }>();
  return found?.n;
}

it("opening a verification link shows a button, but doesn't verify the account", async () => {
  const email = createEmailAddress();
  const token = await registerAccount(email);
  const page = await openLink(token);
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  const html = await page.text();
  expect(html).toContain('<form method="post" action="/verify-email" class="card">');
  // The page suggests a new password, because another person may have created the account.
  expect(html).toContain('<a href="/forgot-password">choose a new password</a>');
  expect((await logIn(email)).status).toBe(401);
});

it('a verification creates one workspace and one starter project, even if the button is pressed repeatedly', async () => {
  const email = createEmailAddress();
  const token = await registerAccount(email);
  const answers = await Promise.all([
    postForm('/verify-email', { token }),
    postForm('/verify-email', { token }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await postForm('/verify-email', { token })).status).toBe(200);
  const { body } = await logIn(email);
  const session = api(body.token);
  expect((await session.get('/workspaces')).body.meta.total).toBe(1);
  const projects = await session.get('/projects');
  expect(projects.body.data.map((each: { name: string }) => each.name)).toEqual(['Getting started']);
});

it('a new account can create a task with a category and a type', async () => {
  const email = createEmailAddress();
  await registerAndVerify(email);
  const { body } = await logIn(email);
  const session = api(body.token);
  const [project] = (await session.get('/projects')).body.data;
  const categories = await session.get('/task-categories');
  expect(categories.body.meta.total).toBeGreaterThanOrEqual(5);
  const [type] = (await session.get('/task-types')).body.data;
  const task = await session.post('/tasks', {
    projectId: project.id,
    name: 'First',
    categoryId: type.categoryId,
    typeId: type.id,
  });
  expect(task.status).toBe(201);
});

it('a new workspace is created in the open cell with the fewest workspaces', async () => {
  await fillCell('cell 0 is fuller', 0, 2);
  expect(await createAccountAndFindCell()).toBe(1);
  await fillCell('cell 1 is fuller', 1, 4);
  expect(await createAccountAndFindCell()).toBe(0);
  await env.DIRECTORY.prepare('INSERT INTO closed_cells (cell) VALUES (0)').run();
  try {
    expect(await createAccountAndFindCell()).toBe(1);
  } finally {
    await env.DIRECTORY.prepare('DELETE FROM closed_cells').run();
  }
});

/** Adds workspaces to a cell until it exceeds the other cell by `more` workspaces. */
async function fillCell(prefix: string, cell: number, more: number) {
  await env.DIRECTORY.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (
       SELECT count(*) FILTER (WHERE cell <> ?1) - count(*) FILTER (WHERE cell = ?1) + ?2 FROM workspaces))
     INSERT INTO workspaces (id, cell, created_at) SELECT ?3 || ' ' || i, ?1, 0 FROM n`,
  )
    .bind(cell, more, prefix)
    .run();
}

async function createAccountAndFindCell(): Promise<number | undefined> {
  const email = createEmailAddress();
  await registerAndVerify(email);
  const placed = await env.DIRECTORY.prepare(
    'SELECT w.cell FROM workspaces w JOIN memberships m ON m.workspace_id = w.id JOIN users u ON u.id = m.user_id WHERE u.email = ?',
  )
    .bind(email)
    .first<{ cell: number }>();
  return placed?.cell;
}

it('pressing the verification button again completes an interrupted verification', async () => {
  const email = createEmailAddress();
  const token = await registerAccount(email);
  await postForm('/verify-email', { token });
  await env.DIRECTORY.prepare('UPDATE users SET verified_at = NULL WHERE email = ?').bind(email).run();
  expect((await logIn(email)).status).toBe(401);
  expect((await postForm('/verify-email', { token })).status).toBe(200);
  const { body } = await logIn(email);
  expect((await api(body.token).get('/projects')).body.meta.total).toBe(1);
});

it.each(['unknown', ''])('the verification page offers a new link if the token is %j', async (token) => {
  for (const page of [await openLink(token), await postForm('/verify-email', { token })]) {
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('action="/verify-email/resend"');
  }
});

it('a verification link is rejected after 48 hours', async () => {
  const email = createEmailAddress();
  const token = await registerAccount(email);
  await env.DIRECTORY.prepare(
    'UPDATE email_verifications SET expires_at = ? WHERE user_id = (SELECT id FROM users WHERE email = ?)',
  )
    .bind(Date.now(), email)
    .run();
  expect((await openLink(token)).status).toBe(400);
  expect((await postForm('/verify-email', { token })).status).toBe(400);
  expect((await logIn(email)).status).toBe(401);
});

it('a request for a new link returns the same response for every address, but sends email only to unverified accounts', async () => {
  const [waiting, verified, unknown] = [createEmailAddress(), createEmailAddress(), createEmailAddress()];
  await registerAccount(waiting);
  await registerAndVerify(verified);
  const texts: string[] = [];
  for (const email of [waiting, verified, unknown]) {
    const answer = await postForm(
      '/verify-email/resend',
      { email },
      { 'CF-Connecting-IP': createIpAddress() },
    );
    expect(answer.status).toBe(200);
    texts.push(await answer.text());
  }
  expect(new Set(texts).size).toBe(1);
  expect([await countEmails(waiting), await countEmails(verified), await countEmails(unknown)]).toEqual([
    2, 1, 0,
  ]);
  expect((await postForm('/verify-email', { token: await readMailedToken(waiting) })).status).toBe(200);
});

function resendAsJson(body: string, ip = createIpAddress()) {
  const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': ip };
  return send(new Request(`${ORIGIN}/verify-email/resend`, { method: 'POST', body, headers }));
}

it('a JSON request for a new link returns JSON, even for errors', async () => {
  const answer = await resendAsJson(JSON.stringify({ email: createEmailAddress() }));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ success: true, message: expect.any(String) });
  for (const body of ['{', '{"email":"nobody"}', '{"email":"a@example.com","x":1}', '{}']) {
    const rejected = await resendAsJson(body);
    expect(rejected.status).toBe(400);
    expect(await rejected.json()).toMatchObject({ error: { code: 'invalid_request' } });
  }
});

it("an address gets at most five new links per hour, and the response doesn't reveal that limit", async () => {
  const email = createEmailAddress();
  await registerAccount(email);
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    expect((await resendAsJson(JSON.stringify({ email }))).status).toBe(200);
  }
  expect(await countEmails(email)).toBe(6);
});

it('the twenty-first request for a new link from one IP address returns 429', async () => {
  const ip = createIpAddress();
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    expect((await resendAsJson(JSON.stringify({ email: createEmailAddress() }), ip)).status).toBe(200);
  }
  const rejected = await resendAsJson(JSON.stringify({ email: createEmailAddress() }), ip);
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get('Retry-After')).toMatch(/^\d+$/);
  const page = await postForm(
    '/verify-email/resend',
    { email: createEmailAddress() },
    { 'CF-Connecting-IP': ip },
  );
  expect(page.status).toBe(429);
  expect(page.headers.get('Content-Type')).toContain('text/html');
});

it.each(['text/plain', 'multipart/form-data; boundary=x'])(
  'a request for a new link returns an HTML error page if its content type is %s',
  async (type) => {
    const request = new Request(`${ORIGIN}/verify-email/resend`, {
      method: 'POST',
      body: 'garbage',
      headers: { 'Content-Type': type },
    });
    const answer = await send(request);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toContain('text/html');
  },
);
