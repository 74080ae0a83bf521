import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { root } from '../../scripts/databases.ts';
import { findFreePort } from '../../scripts/local.ts';
import { openServer, type TestServer } from '../browser/server.ts';
import { approveApp } from './consent.ts';

let server: TestServer;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgework-mcp-remote-'));
  server = await openServer();
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('mcp-remote signs in through the URL it prints, and exposes the tools over stdio', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(root, 'node_modules', 'mcp-remote', 'dist', 'proxy.js'),
      `${server.origin}/mcp`,
      String(await findFreePort()),
      '--transport',
      'http-only',
    ],
    // Without a PATH, mcp-remote finds no browser to open.
    env: { MCP_REMOTE_CONFIG_DIR: folder, HOME: folder, PATH: '' },
    stderr: 'pipe',
  });
  const output: string[] = [];
  const visits: Promise<Response>[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => {
    output.push(chunk.toString());
    const url = /Please authorize this client by visiting:\s+(http\S+)/.exec(output.join(''))?.[1];
    if (url && visits.length === 0) visits.push(approveApp(url).then((back) => fetch(back)));
  });
  const client = new Client({ name: 'test', version: '1' });
  try {
    await client.connect(transport);
    assert.equal((await visits[0])?.status, 200);
    assert.equal((await client.listTools()).tools.length, 23);
    const me = await client.callTool({ name: 'get_me', arguments: {} });
    assert.partialDeepStrictEqual(me.structuredContent, { email: 'owner@demo.test' });
  } catch (error) {
    throw new Error(output.join(''), { cause: error });
  } finally {
    await client.close();
  }
});
