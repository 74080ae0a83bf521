// Prints and limits the calls and bytes that the twelve jobs cost.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openServer, type TestServer } from '../browser/server.ts';
import { jobs } from './jobs.ts';
import { approve } from './person.ts';
import { createProvider } from './provider.ts';

const CALLS_MAX = 40;
const BYTES_MAX = 120_000;

let server: TestServer;
let client: Client;
const spent: { job: string; calls: number; bytes: number }[] = [];

before(async () => {
  server = await openServer();
  const provider = createProvider({ name: 'jobs' });
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), { authProvider: provider });
  const transport = open();
  await new Client({ name: 'jobs', version: '1' }).connect(transport).catch(() => undefined);
  const back = await approve(provider.kept.authorizationUrl ?? '');
  await transport.finishAuth(back.searchParams);
  client = new Client({ name: 'jobs', version: '1' });
  await client.connect(open());
});
after(async () => {
  await client?.close();
  await server?.stop();
});

for (const { name, callsMax, play } of jobs) {
  it(`${name} takes at most ${callsMax} calls`, async (t) => {
    // Count everything that a model would read.
    const cost = { job: name, calls: 0, bytes: 0 };
    spent.push(cost);
    await play(async (tool, args = {}) => {
      const result = await client.callTool({ name: tool, arguments: args });
      cost.calls += 1;
      cost.bytes += new TextEncoder().encode(JSON.stringify(result)).length;
      assert.ok(!result.isError, `${tool}: ${JSON.stringify(result.content)}`);
      // biome-ignore lint/suspicious/noExplicitAny: results are checked against their schemas in test/mcp.
      return result.structuredContent as any;
    });
    t.diagnostic(`${cost.calls} calls, ${cost.bytes} bytes`);
    assert.ok(cost.calls <= callsMax, `${cost.calls} calls`);
  });
}

it(`all twelve jobs take at most ${CALLS_MAX} calls and ${BYTES_MAX / 1000} KB`, (t) => {
  assert.equal(spent.length, 12);
  const sum = (of: 'calls' | 'bytes') => spent.reduce((total, each) => total + each[of], 0);
  t.diagnostic(`${sum('calls')} calls, ${sum('bytes')} bytes`);
  assert.ok(sum('calls') <= CALLS_MAX, `${sum('calls')} calls`);
  assert.ok(sum('bytes') <= BYTES_MAX, `${sum('bytes')} bytes`);
});
