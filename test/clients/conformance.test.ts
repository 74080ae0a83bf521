// Runs the official conformance suite against `/mcp`. The suite sends no credentials, so a proxy adds the token.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward, type OutgoingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { root } from '../../scripts/databases.ts';
import { getPort } from '../../scripts/local.ts';
import { openServer, type TestServer } from '../browser/server.ts';
import { HANG_MS } from '../support/timeout.ts';
import { approveApp } from './consent.ts';
import { createProvider } from './oauth-provider.ts';

/** Scenarios for a server with only tools, by protocol revision. */
const meaningfulScenarios = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
  ],
};

const NO_FIXTURE = 'asks for a diagnostic tool, which a product does not have';
const NO_SUCH_CAPABILITY = 'neither prompts nor resources are announced, so there is nothing to cache';
const expectedFailures: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': NO_FIXTURE,
  'sep-2575-missing-capability-http-400': NO_FIXTURE,
  'sep-2575-http-server-no-independent-requests-on-stream': NO_FIXTURE,
  'sep-2575-server-no-log-without-loglevel': NO_FIXTURE,
  'sep-2549-prompts-list-caching-hints': NO_SUCH_CAPABILITY,
  'sep-2549-resources-list-caching-hints': NO_SUCH_CAPABILITY,
  'sep-2549-resources-templates-list-caching-hints': NO_SUCH_CAPABILITY,
};
const failedAsExpected = new Set<string>();

let server: TestServer;
let proxy: Server;
let folder: string;
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

for (const [revision, scenarios] of Object.entries(meaningfulScenarios)) {
  describe(`the MCP server with revision ${revision}`, () => {
    for (const scenario of scenarios) {
      it(`passes ${scenario}`, async () => {
        const checks = await runScenario(scenario, revision);
        assert.ok(checks.length > 0, 'it checked nothing');
        assert.equal(checks.find(({ id }) => id === 'wire-schema-valid')?.status ?? 'SUCCESS', 'SUCCESS');
        const failed = checks.filter(({ status }) => status === 'FAILURE');
        for (const { id } of failed) if (id in expectedFailures) failedAsExpected.add(id);
        const unexpected = failed.filter(({ id }) => !(id in expectedFailures));
        assert.deepEqual(
          unexpected.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
          [],
        );
      });
    }
  });
}

it('every check in the list of expected failures still fails', () => {
  assert.deepEqual([...failedAsExpected].sort(), Object.keys(expectedFailures).sort());
});

async function signIn(origin: string): Promise<string> {
  const provider = createProvider({ name: 'conformance' });
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
  await new Client({ name: 'test', version: '1' }).connect(transport).catch(() => undefined);
  const back = await approveApp(provider.kept.authorizationUrl ?? '');
  await transport.finishAuth(back.searchParams);
  return provider.kept.tokens?.access_token ?? '';
}

/**
 * Forwards requests with the token, and replaces the proxy's origin with the server's. Keeps the `Host` header, because
 * the suite also sends foreign hosts, which the server must reject.
 */
function startProxy(origin: string, token: string): Promise<Server> {
  const { hostname, port } = new URL(origin);
  const listening = createServer((incoming, outgoing) => {
    const headers: OutgoingHttpHeaders = { ...incoming.headers, authorization: `Bearer ${token}` };
    if (headers.origin === `http://localhost:${getPort(listening)}`) headers.origin = origin;
    const options = { hostname, port, path: incoming.url, method: incoming.method, headers };
    const passed = forward(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => outgoing.writeHead(502).end(String(error)));
    incoming.pipe(passed);
  });
  return new Promise((done) => listening.listen(0, '127.0.0.1', () => done(listening)));
}

interface CheckResult {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

async function runScenario(scenario: string, revision: string): Promise<CheckResult[]> {
  const results = mkdtempSync(join(folder, `${scenario}-`));
  const cli = join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const url = `http://localhost:${getPort(proxy)}/mcp`;
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
  await new Promise<void>((done) => execFile(process.execPath, args, { timeout: HANG_MS }, () => done()));
  const file = readdirSync(results, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('checks.json'),
  );
  return file ? JSON.parse(readFileSync(join(results, file), 'utf8')) : [];
}
