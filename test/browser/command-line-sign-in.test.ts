import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, beforeEach, test } from 'node:test';
import { CommandLine, waitUntil, withProfiles } from './command-line.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { signIn } from './visit.ts';

const { server, browser } = await openServerAndBrowser(async () => ew.remove());
const ew = new CommandLine(server.origin);

before(() => ew.prepare());
beforeEach(() => rmSync(ew.profiles, { force: true }));

const readProfiles = () => JSON.parse(readFileSync(ew.profiles, 'utf8'));
const withKey = {
  ...withProfiles,
  get input() {
    return `${ew.token}\n`;
  },
};
const callWithToken = (token: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.origin}/v1${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  });

/** Runs `ew` in a terminal, opens its sign-in URL in Chromium, and presses `button` on the consent page. */
async function signInWithBrowser(args: readonly string[], button: 'Allow' | 'Cancel') {
  const opened = join(ew.folder, 'opened');
  rmSync(opened, { force: true });
  const opener = join(ew.folder, 'opener');
  const script = `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`;
  writeFileSync(opener, script, { mode: 0o755 });
  const { printed, finished } = ew.start(args, {
    environment: { ...withProfiles.environment, EW_BROWSER: opener },
    isInTerminal: true,
  });
  await waitUntil(
    () => existsSync(opened),
    () => `no browser was opened: ${printed.output}`,
  );
  const url = new URL(readFileSync(opened, 'utf8'));
  // A request from another program must neither end the sign-in nor crash `ew`.
  const callback = url.searchParams.get('redirect_uri') ?? '';
  assert.equal((await fetch(`${callback}?code=forged&state=guessed`)).status, 404);
  const context = await browser.newContext({ storageState: await signIn(browser, server.origin) });
  const page = await context.newPage();
  await page.goto(url.href);
  await page.getByRole('heading', { name: /^Connect Edgework command line/ }).waitFor();
  const consent = await page.innerText('main');
  await page.getByRole('button', { name: button }).click();
  await page.getByText('return to your terminal').waitFor();
  await context.close();
  return { consent, ...(await finished) };
}

test('signing in with the browser stores a token, and signing out revokes it', async () => {
  const denied = await signInWithBrowser(['sign-in', server.origin], 'Cancel');
  assert.equal(denied.code, 3);
  assert.match(denied.output, /Access was denied/);
  assert.equal(existsSync(ew.profiles), false);

  const { code, output, consent } = await signInWithBrowser(['sign-in', server.origin], 'Allow');
  assert.equal(code, 0, output);
  assert.match(output, /Signed in to Northwind Studio as Mara Lindqvist\./);
  assert.doesNotMatch(consent, /webhook|audit/i);
  assert.equal(statSync(ew.profiles).mode & 0o777, 0o600);
  assert.equal((await ew.runJson(['me'], withProfiles)).email, demo.owner);

  const { token } = readProfiles().profiles.default;
  assert.equal((await ew.run(['sign-out'], withProfiles)).code, 0);
  assert.equal((await callWithToken(token, '/me')).status, 401);
  const { code: signedOut, errors } = await ew.run(['me'], withProfiles);
  assert.deepEqual(
    [signedOut, errors],
    [3, 'You are not signed in. Run `ew sign-in URL` with the URL of your server.\n'],
  );
});

test('signing in again revokes the previous token, and keeps a read-only profile read-only', async () => {
  const first = await signInWithBrowser(['sign-in', server.origin, '--read-only'], 'Allow');
  assert.doesNotMatch(first.consent, /Create and change tasks/);
  const { token: replaced } = readProfiles().profiles.default;
  await signInWithBrowser(['sign-in'], 'Allow');
  const { token, isReadOnly } = readProfiles().profiles.default;
  assert.equal(isReadOnly, true);
  assert.equal((await callWithToken(replaced, '/me')).status, 401);
  const init = { method: 'POST', body: JSON.stringify({ projectId: 1, name: 'Not created' }) };
  assert.equal((await callWithToken(token, '/tasks', init)).status, 403);
  const { code, errors } = await ew.run(['task', 'add', 'Not created', '--project', '1'], withProfiles);
  assert.deepEqual(
    [code, errors],
    [1, 'Nothing was changed, because this profile or command is read-only.\n'],
  );
});

test('additional scopes can be requested for ew api', async () => {
  const { consent } = await signInWithBrowser(
    ['sign-in', server.origin, '--scope', 'notifications:read'],
    'Allow',
  );
  assert.match(consent, /notifications/i);
  assert.equal((await ew.run(['api', 'GET', 'notifications'], withProfiles)).code, 0);
  assert.equal((await ew.run(['sign-in', server.origin, '--scope', 'everything'], withProfiles)).code, 2);
});

test('profiles with API keys can be listed, selected and removed', async () => {
  for (const name of ['one', 'two'])
    await ew.runJson(['sign-in', server.origin, '--with-token', '--profile', name], withKey);
  const list = async () =>
    (await ew.runJson(['profile', 'list'], withProfiles)).map(
      ({ name, isCurrent }: { name: string; isCurrent: boolean }) => [name, isCurrent],
    );
  assert.deepEqual(await list(), [
    ['one', true],
    ['two', false],
  ]);
  assert.equal((await ew.runJson(['profile', 'use', 'two'], withProfiles)).current, 'two');
  assert.equal((await ew.run(['profile', 'use', 'constructor'], withProfiles)).code, 3);
  const asOne = { environment: { ...withProfiles.environment, EW_PROFILE: 'one' } };
  assert.equal((await ew.run(['sign-out'], asOne)).code, 0);
  assert.deepEqual(await list(), [['two', true]]);
  assert.equal((await ew.run(['sign-out'], withProfiles)).code, 0);
  assert.equal((await ew.run(['me'], withProfiles)).code, 3);
  const wrong = await ew.run(['sign-in', server.origin, '--with-token', '--profile', 'three'], {
    ...withProfiles,
    input: 'ew_wrong',
  });
  assert.equal(wrong.code, 3);
  assert.doesNotMatch(readFileSync(ew.profiles, 'utf8'), /ew_wrong/);
});

test('signing in to a second server keeps the profile of the first', async () => {
  const other = new URL(server.origin);
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  await ew.runJson(['sign-in', server.origin, '--with-token'], withKey);
  await ew.runJson(['sign-in', other.origin, '--with-token'], withKey);
  const { current, profiles } = readProfiles();
  assert.deepEqual([current, Object.keys(profiles)], ['default', ['default', other.host]]);
});

test('EW_URL and EW_TOKEN work only together, and sign-out is rejected while both are set', async () => {
  await ew.runJson(['sign-in', server.origin, '--with-token'], withKey);
  for (const environment of [{ EW_TOKEN: '' }, { EW_URL: '' }])
    assert.equal((await ew.run(['me'], { environment })).code, 2);
  assert.equal((await ew.run(['sign-out'])).code, 2);
  assert.deepEqual(Object.keys(readProfiles().profiles), ['default']);
  assert.equal(
    (await ew.runJson(['me'], { environment: { EW_URL: `${server.origin}/v1/` } })).email,
    demo.owner,
  );
});

test("signing out removes a profile even if its server can't be reached", async () => {
  await ew.runJson(['sign-in', server.origin, '--with-token'], withKey);
  const { profiles } = readProfiles();
  const gone = { ...profiles.default, url: 'http://127.0.0.1:9', clientId: 'client_gone' };
  writeFileSync(ew.profiles, JSON.stringify({ current: 'default', profiles: { default: gone } }));
  const { code, output } = await ew.run(['sign-out'], withProfiles);
  assert.equal(code, 0);
  assert.match(output, /The token is still valid/);
  assert.deepEqual(readProfiles().profiles, {});
});

test("a server can't make the browser open anything but its own pages", async () => {
  const hostile = createServer((request, response) => {
    const { host } = request.headers;
    const issuer = `http://${host}`;
    const endpoints = Object.fromEntries(
      ['token', 'registration', 'revocation'].map((name) => [`${name}_endpoint`, `${issuer}/${name}`]),
    );
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ issuer, ...endpoints, authorization_endpoint: 'file:///etc/passwd' }));
  });
  hostile.listen(0, '127.0.0.1');
  await once(hostile, 'listening');
  const opened = join(ew.folder, 'hostile');
  const opener = join(ew.folder, 'hostile-opener');
  writeFileSync(opener, `#!/bin/sh\ntouch '${opened}'\n`, { mode: 0o755 });
  const environment = { ...withProfiles.environment, EW_BROWSER: opener };
  const { port } = hostile.address() as AddressInfo;
  const { code, errors } = await ew.run(['sign-in', `http://127.0.0.1:${port}`], { environment });
  hostile.close();
  assert.deepEqual([code, existsSync(opened)], [5, false]);
  assert.match(errors, /There is no Edgework server/);
});

test('a token is never sent without encryption, except to this machine', async () => {
  for (const url of ['http://edgework.example.com', 'ftp://edgework.example.com', 'ew_live_key'])
    assert.equal((await ew.run(['sign-in', url, '--with-token'], withKey)).code, 2, url);
  const environment = { EW_URL: 'http://edgework.example.com' };
  assert.equal((await ew.run(['me'], { environment })).code, 2);
});
