/**
 * Signs you in with OAuth and lists your open tasks: `node my-tasks.mjs http://localhost:8787`.
 * `node my-tasks.mjs http://localhost:8787 sign-out` revokes access. Needs Node 20 or newer, and has no dependencies.
 *
 * @typedef {{ clientId?: string, token?: string }} Saved
 * @typedef {{ id: number, name: string, status: string, deadline: string | null, project: { name: string } }} Task
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const [, , origin = 'http://localhost:8787', command = 'list'] = process.argv;
const FILE = 'my-tasks.json';
const SCOPE = 'tasks:read profile:read';
/** Registered without a port, so the app can listen on any free port of this machine. */
const REDIRECT_URI = 'http://127.0.0.1/callback';

const saved = /** @type {Saved} */ (JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}')));
const save = () => writeFile(FILE, JSON.stringify(saved), { mode: 0o600 });

if (command === 'sign-out') await signOut();
else await listTasks();

async function listTasks() {
  saved.token ??= await signIn();
  let { status, body } = await get('/v1/me');
  // The token expires after 30 days or when you revoke it. Ask for consent again.
  if (status === 401) {
    saved.token = await signIn();
    ({ status, body } = await get('/v1/me'));
  }
  if (status !== 200) throw new Error(body.error.message);
  console.log(`Open tasks of ${body.name} in ${body.workspace.name}:`);

  const tasks = await get('/v1/tasks?assigneeId=me&status=open&sort=due&limit=10');
  if (tasks.status !== 200) throw new Error(tasks.body.error.message);
  for (const { id, name, deadline, project } of /** @type {Task[]} */ (tasks.body.data)) {
    console.log(`#${id} ${name} (${project.name}${deadline ? `, due ${deadline}` : ''})`);
  }
  console.log(`${tasks.body.data.length} of ${tasks.body.meta.total}`);
}

/** @param {string} path */
async function get(path) {
  const response = await fetch(new URL(path, origin), {
    headers: { Authorization: `Bearer ${saved.token}` },
  });
  return { status: response.status, body: await response.json() };
}

/** Registers once, opens the consent page, waits for the code and exchanges it. Returns the access token. */
async function signIn() {
  saved.clientId ??= await register();
  const callback = await listen();
  const redirectUri = `http://127.0.0.1:${callback.port}/callback`;
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: saved.clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: SCOPE,
    state,
  });
  console.log(`Open this page in your browser:\n${origin}/api/oauth/authorize?${query}\n`);

  const answer = await callback.answer;
  if (answer.get('state') !== state) throw new Error('The response belongs to another request.');
  if (answer.get('iss') !== new URL(origin).origin) throw new Error('The response is from another server.');
  const error = answer.get('error');
  if (error) throw new Error(`${error}: ${answer.get('error_description')}`);

  const issued = await postForm('/api/oauth/token', {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    code_verifier: verifier,
    client_id: saved.clientId,
    redirect_uri: redirectUri,
  });
  saved.token = issued.access_token;
  await save();
  return issued.access_token;
}

async function register() {
  const response = await fetch(new URL('/api/oauth/register', origin), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'My tasks', redirect_uris: [REDIRECT_URI] }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${body.error}: ${body.error_description}`);
  return body.client_id;
}

/** Listens on a free port of this machine for the redirect from the consent page. */
async function listen() {
  /** @type {(answer: URLSearchParams) => void} */
  let resolve;
  const answer = /** @type {Promise<URLSearchParams>} */ (
    new Promise((done) => {
      resolve = done;
    })
  );
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname !== '/callback') return response.writeHead(404).end();
    response.end('Done. You can close this page.');
    server.close();
    resolve(url.searchParams);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
  const address = server.address();
  return { answer, port: typeof address === 'object' ? address?.port : 0 };
}

async function signOut() {
  if (saved.token && saved.clientId) {
    await postForm('/api/oauth/revoke', { token: saved.token, client_id: saved.clientId });
  }
  saved.token = undefined;
  await save();
  console.log('Signed out.');
}

/** @param {string} path @param {Record<string, string>} fields */
async function postForm(path, fields) {
  const response = await fetch(new URL(path, origin), { method: 'POST', body: new URLSearchParams(fields) });
  const text = await response.text();
  const body = text ? JSON.parse(text) : {};
  if (!response.ok) throw new Error(`${body.error}: ${body.error_description}`);
  return body;
}
