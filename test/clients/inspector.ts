// Lists and calls the tools of a new demo server, using the command line of the MCP Inspector and a token that a person
// has granted. The Inspector is large, so it is installed on first use and isn't part of `npm test`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { installTools } from '../../scripts/foreign-tools.ts';
import { startServer, type TestServer } from '../browser/server.ts';
import { grantToken } from './consent.ts';

const tools = installTools('inspector', { '@modelcontextprotocol/inspector': '2.12.0' });
let server: TestServer;
let token: string;
before(async () => {
  server = await startServer();
  token = await grantToken(server.origin);
});
after(() => server?.stop());

it('MCP Inspector lists the tools', async () => {
  assert.equal((await runInspector('--method', 'tools/list')).tools.length, 23);
});

it('MCP Inspector calls a tool, with and without arguments', async () => {
  const me = await runInspector('--method', 'tools/call', '--tool-name', 'get_me');
  assert.equal(me.structuredContent.email, 'owner@demo.test');
  const found = await runInspector(
    '--method',
    'tools/call',
    '--tool-name',
    'find_tasks',
    '--tool-arg',
    'limit=2',
  );
  assert.equal(found.structuredContent.data.length, 2);
});

// biome-ignore lint/suspicious/noExplicitAny: the output of the Inspector has no type.
async function runInspector(...args: string[]): Promise<any> {
  const header = `Authorization: Bearer ${token}`;
  const child = spawn(
    join(tools, 'mcp-inspector'),
    ['--cli', `${server.origin}/mcp`, '--transport', 'http', '--header', header, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [printed, errors] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => {
    printed += piece;
  });
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece;
  });
  const status = await new Promise((done) => child.once('close', done));
  assert.equal(status, 0, errors + printed);
  return JSON.parse(printed);
}
