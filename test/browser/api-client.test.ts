// Loads /client.js in a page of another origin, and in every installed Node version that is 20 or newer.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/databases.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getAddressHeaders } from './visit.ts';

const GZIP_BYTES_MAX = 12 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'edgework-client-'));
const foreign = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><title>Another site</title>');
}).listen(0, '127.0.0.1');
await once(foreign, 'listening');
const { server, browser } = await openServerAndBrowser(async () => {
  foreign.close();
  rmSync(folder, { recursive: true, force: true });
});

// Sign-ins are rate-limited by IP address, so this file uses its own address.
const login = await fetch(`${server.origin}/v1/auth/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...getAddressHeaders('a client') },
  body: JSON.stringify({ email: demo.owner, password: demo.password }),
});
const { token } = (await login.json()) as { token: string };

/** A function that runs in the page and in each Node version. */
const program = `async function run({ createClient, EdgeworkError, verifyWebhook }, baseUrl, token) {
  const client = createClient({ baseUrl, token });
  const { data: [project] } = await client.listProjects({ limit: 1, fields: ['id'] });
  const { id } = await client.createTask({ projectId: project.id, name: 'From a client' });
  const large = new Uint8Array(8 * 1024 * 1024 + 1);
  const attachment = await client.uploadFile({ taskId: id, file: large, fileName: 'film.bin' });
  const small = await client.uploadFile({ taskId: id, file: new Blob(['hello']), fileName: 'plan.txt' });
  let pages = 0;
  for await (const task of client.listTasks.all({ limit: 1, fields: ['id'] })) if (task.id && ++pages === 3) break;
  const { meta } = await client.listEvents();
  const next = client.followEvents({ after: meta.nextAfter, types: ['task.*'] }).next();
  await client.archiveTask({ id });
  const event = (await next).value;
  const failure = await client.archiveTask({ id: 0 }).catch((error) => error);
  const forged = await verifyWebhook('whsec_AAAA', {}, '{}').catch(({ code }) => code);
  await client.unarchiveTask({ id });
  await client.deleteTask({ id });
  return {
    sizes: [attachment.fileSize, small.fileSize], pages, isSame: event.task.id === id, type: event.type, forged,
    isError: failure instanceof EdgeworkError, code: failure.code, hasId: failure.requestId !== null,
  };
}`;
const expected = {
  sizes: [8 * 1024 * 1024 + 1, 5],
  pages: 3,
  isSame: true,
  type: 'task.archived',
  forged: 'invalid_signature',
  isError: true,
  code: 'not_found',
  hasId: true,
};

test('/client.js is small, and browsers can revalidate it and load it from other origins', async () => {
  const script = await fetch(`${server.origin}/client.js`);
  assert.equal(script.status, 200);
  assert.match(script.headers.get('Content-Type') ?? '', /javascript/);
  assert.equal(script.headers.get('Access-Control-Allow-Origin'), '*');
  assert.match(script.headers.get('Cache-Control') ?? '', /must-revalidate/);
  const text = await script.text();
  assert.ok(gzipSync(text).byteLength < GZIP_BYTES_MAX);
  assert.doesNotMatch(text, /\beval\(|new Function|node:|\brequire\(|\bimport\b/);
  const tag = script.headers.get('ETag') ?? '';
  const revalidated = await fetch(`${server.origin}/client.js`, { headers: { 'If-None-Match': tag } });
  assert.equal(revalidated.status, 304);
  const types = await fetch(`${server.origin}/client.d.ts`);
  assert.match(types.headers.get('Content-Type') ?? '', /^text\/plain/);
  assert.match(await types.text(), /export declare function createClient/);
});

test('a page from another origin can import and use /client.js', async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
  const done = await page.evaluate(
    `import('${server.origin}/client.js').then((client) => (${program})(client, '${server.origin}', '${token}'))`,
  );
  assert.deepEqual(done, expected);
  await page.close();
});

test('the example in docs/client.md runs', async () => {
  const guide = readFileSync(join(root, 'docs', 'client.md'), 'utf8');
  const [, example = ''] = /```js\n([\s\S]+?)```/.exec(guide) ?? [];
  const script = await (await fetch(`${server.origin}/client.js`)).text();
  writeFileSync(join(folder, 'edgework.mjs'), script);
  const main = join(folder, 'example.mjs');
  writeFileSync(main, example.replaceAll('http://localhost:8787', server.origin));
  const { stdout } = await promisify(execFile)(process.execPath, [main], {
    env: { PATH: process.env.PATH, KEY: token },
  });
  assert.match(stdout, /^\d+ Write the launch letter\n\d+ /);
});

test('the downloaded client runs on every installed Node version that is 20 or newer', async () => {
  const path = join(folder, 'client.mjs');
  writeFileSync(path, await (await fetch(`${server.origin}/client.js`)).text());
  const main = join(folder, 'main.mjs');
  const args = [server.origin, token];
  writeFileSync(
    main,
    `import * as client from './client.mjs';\n${program}\nconsole.log(JSON.stringify(await run(client, ...process.argv.slice(2))));`,
  );
  const nodes = new Map<string, string>();
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(directory, 'node');
    if (!existsSync(node)) continue;
    const [major = ''] = execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1).split('.');
    if (Number(major) >= 20) nodes.set(major, node);
  }
  assert.ok(nodes.size > 0);
  for (const [major, node] of nodes) {
    const { stdout } = await promisify(execFile)(node, [main, ...args], { env: { PATH: process.env.PATH } });
    assert.deepEqual(JSON.parse(stdout), expected, `Node ${major}`);
  }
});
