// The official conformance suite against `/mcp`. It knows no credentials, so a proxy before it adds the token.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { root } from '../../scripts/databases.mjs';
import { openServer } from '../browser/server.mjs';
import { approve } from './person.mjs';
import { createProvider } from './provider.mjs';

/** What applies to a server that has tools of its own and nothing else, by revision. */
const meaningful = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
  ],
};

/** Checks that ask for something that a product does not have: the id of the check, and why it may fail. */
const expectedFailures = {};

let server;
let proxy;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgework-conformance-'));
  server = await openServer();
  proxy = await startProxy(server.origin, await signIn(server.origin));
});
after(async () => {
  proxy?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const [revision, scenarios] of Object.entries(meaningful)) {
  describe(`conformance with ${revision}`, () => {
    for (const scenario of scenarios) {
      it(scenario, async () => {
        const checks = await run(scenario, revision);
        assert.ok(checks.length > 0, 'it checked nothing');
        const failed = checks.filter(({ id, status }) => status === 'FAILURE' && !(id in expectedFailures));
        assert.deepEqual(
          failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
          [],
        );
      });
    }
  });
}

async function signIn(origin) {
  const provider = createProvider({ name: 'conformance' });
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
  await new Client({ name: 'test', version: '1' }).connect(transport).catch(() => undefined);
  const back = await approve(provider.kept.authorizationUrl);
  await transport.finishAuth(back.searchParams);
  return provider.kept.tokens.access_token;
}

/** Passes requests on with the token; what names the proxy's own address names the server's behind it. */
function startProxy(origin, token) {
  const { host, hostname, port } = new URL(origin);
  const listening = createServer((incoming, outgoing) => {
    const own = `localhost:${listening.address().port}`;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    if (headers.host === own) headers.host = host;
    if (headers.origin === `http://${own}`) headers.origin = origin;
    const options = { hostname, port, path: incoming.url, method: incoming.method, headers };
    const passed = forward(options, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => outgoing.writeHead(502).end(String(error)));
    incoming.pipe(passed);
  });
  return new Promise((done) => listening.listen(0, '127.0.0.1', () => done(listening)));
}

async function run(scenario, revision) {
  const results = mkdtempSync(join(folder, `${scenario}-`));
  const cli = join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const url = `http://localhost:${proxy.address().port}/mcp`;
  const args = [
    cli,
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
    '-o',
    results,
  ];
  await new Promise((done) => execFile(process.execPath, args, { timeout: 60_000 }, done));
  const file = readdirSync(results, { recursive: true }).find((name) => name.endsWith('checks.json'));
  return file ? JSON.parse(readFileSync(join(results, file), 'utf8')) : [];
}
