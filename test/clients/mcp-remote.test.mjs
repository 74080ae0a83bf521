import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { root } from '../../scripts/databases.mjs';
import { openServer } from '../browser/server.mjs';
import { approve } from './person.mjs';

let server;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgework-mcp-remote-'));
  server = await openServer();
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('mcp-remote signs in through the address that it prints, and passes tools on over stdio', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(root, 'node_modules', 'mcp-remote', 'dist', 'proxy.js'),
      `${server.origin}/mcp`,
      String(await freePort()),
      '--transport',
      'http-only',
    ],
    // No PATH, so that it finds no browser to open.
    env: { MCP_REMOTE_CONFIG_DIR: folder, HOME: folder, PATH: '' },
    stderr: 'pipe',
  });
  const said = [];
  let visited;
  transport.stderr.on('data', (chunk) => {
    said.push(chunk.toString());
    const url = /Please authorize this client by visiting:\s+(http\S+)/.exec(said.join(''))?.[1];
    if (url) visited ??= approve(url).then((back) => fetch(back));
  });
  const client = new Client({ name: 'test', version: '1' });
  try {
    await client.connect(transport);
    assert.equal((await visited)?.status, 200);
    assert.equal((await client.listTools()).tools.length, 20);
    const me = await client.callTool({ name: 'get_me', arguments: {} });
    assert.equal(me.structuredContent.email, 'owner@demo.test');
  } catch (error) {
    throw new Error(said.join(''), { cause: error });
  } finally {
    await client.close();
  }
});

function freePort() {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
