import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openServer } from '../browser/server.mjs';
import { approve } from './person.mjs';
import { createProvider } from './provider.mjs';

let server;
before(async () => {
  server = await openServer();
});
after(() => server?.stop());

const sdks = [
  {
    name: 'SDK 2.x, revision 2026-07-28',
    open: () => new Client2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } }),
    Transport: Transport2,
    version: '2026-07-28',
  },
  {
    name: 'SDK 2.x, initialize',
    open: () => new Client2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } }),
    Transport: Transport2,
    version: '2025-11-25',
  },
  {
    name: 'SDK 1.x',
    open: () => new Client1({ name: 'test', version: '1' }),
    Transport: Transport1,
    version: '2025-11-25',
  },
];

for (const { name, open, Transport, version } of sdks) {
  describe(name, () => {
    const url = () => new URL(`${server.origin}/mcp`);
    const connect = async (provider, options) => {
      const client = open();
      const transport = new Transport(url(), { authProvider: provider });
      try {
        await client.connect(transport);
      } catch (error) {
        if (!provider.kept.authorizationUrl) throw error;
        const back = await approve(provider.kept.authorizationUrl, options);
        assert.equal(back.searchParams.get('state'), 'a state of the client');
        assert.equal(back.searchParams.get('iss'), server.origin);
        await transport.finishAuth(back.searchParams.get('code'), back.searchParams.get('iss') ?? undefined);
        return connect(provider, options);
      }
      return { client, transport };
    };

    it('goes from discovery over registration and consent to a tool', async () => {
      const provider = createProvider({ name });
      const { client } = await connect(provider);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 20);
      const me = await client.callTool({ name: 'get_me', arguments: {} });
      assert.equal(me.structuredContent.email, 'owner@demo.test');
      const { total, data } = (await client.callTool({ name: 'find_tasks', arguments: {} }))
        .structuredContent;
      assert.ok(total > 100 && data.length === 25);
      const created = await client.callTool({
        name: 'create_task',
        arguments: { project: data[0].project, name: `Made with ${name}`, assignee: 'me' },
      });
      assert.ok(!created.isError, JSON.stringify(created));
      const negotiated = client.getNegotiatedProtocolVersion?.() ?? version;
      assert.equal(negotiated, version);
      assert.equal(provider.kept.tokens.expires_in, 30 * 86_400);
      await client.close();
    });

    it('is asked for the scope that the person unticked', async () => {
      const provider = createProvider({ name });
      const { client } = await connect(provider, { untick: ['tasks:write'] });
      assert.ok(!provider.kept.tokens.scope.split(' ').includes('tasks:write'));
      provider.kept.authorizationUrl = undefined;
      const write = { name: 'add_comment', arguments: { taskId: 1, content: 'No' } };
      await assert.rejects(client.callTool(write));
      const asked = provider.kept.authorizationUrl?.searchParams.get('scope')?.split(' ');
      assert.ok(asked?.includes('tasks:write'), `asked for ${asked}`);
      await client.close();
    });
  });
}
