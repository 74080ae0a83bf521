import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openServer, type TestServer } from '../browser/server.ts';
import { approveApp } from './consent.ts';
import { createProvider, type Provider } from './oauth-provider.ts';

let server: TestServer;
before(async () => {
  server = await openServer();
});
after(() => server?.stop());

/** The methods that the tests use. Version 1.x of the SDK lacks the optional method. */
interface Connection {
  readonly client: {
    listTools(): Promise<{ tools: unknown[] }>;
    callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
    getNegotiatedProtocolVersion?(): string | undefined;
    close(): Promise<void>;
  };
  connect(): Promise<void>;
  finish(code: string, iss: string | undefined): Promise<void>;
}

interface Sdk {
  readonly name: string;
  readonly version: string;
  open(url: URL, provider: Provider): Connection;
}

function openSdk2(mode: 'auto' | 'legacy', url: URL, provider: Provider): Connection {
  const client = new Client2({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new Transport2(url, { authProvider: provider });
  return {
    client,
    connect: () => client.connect(transport),
    finish: (code, iss) => transport.finishAuth(code, iss),
  };
}

function openSdk1(url: URL, provider: Provider): Connection {
  const client = new Client1({ name: 'test', version: '1' });
  const transport = new Transport1(url, { authProvider: provider });
  return {
    client,
    connect: () => client.connect(transport),
    finish: (code) => transport.finishAuth(code),
  };
}

const getRequestedScopes = ({ kept }: Provider) =>
  kept.authorizationUrl?.searchParams.get('scope')?.split(' ');

const sdks: readonly Sdk[] = [
  {
    name: 'SDK 2.x, revision 2026-07-28',
    open: (url, provider) => openSdk2('auto', url, provider),
    version: '2026-07-28',
  },
  {
    name: 'SDK 2.x, initialize',
    open: (url, provider) => openSdk2('legacy', url, provider),
    version: '2025-11-25',
  },
  { name: 'SDK 1.x', open: openSdk1, version: '2025-11-25' },
];

for (const { name, open, version } of sdks) {
  describe(name, () => {
    const connect = async (provider: Provider, options?: { unchecked: string[] }) => {
      const connection = open(new URL(`${server.origin}/mcp`), provider);
      try {
        await connection.connect();
      } catch (error) {
        if (!provider.kept.authorizationUrl) throw error;
        const { searchParams } = await approveApp(provider.kept.authorizationUrl, options);
        assert.equal(searchParams.get('state'), 'a state of the client');
        assert.equal(searchParams.get('iss'), server.origin);
        await connection.finish(searchParams.get('code') ?? '', searchParams.get('iss') ?? undefined);
        return connect(provider, options);
      }
      return connection;
    };

    it('completes discovery, registration and consent, and calls a tool', async () => {
      const provider = createProvider({ name });
      const { client } = await connect(provider);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 23);
      const me = await client.callTool({ name: 'get_me', arguments: {} });
      assert.partialDeepStrictEqual(me.structuredContent, { email: 'owner@demo.test' });
      const found = await client.callTool({ name: 'find_tasks', arguments: {} });
      const { total, data } = found.structuredContent as { total: number; data: { project: unknown }[] };
      assert.ok(total > 100 && data.length === 25);
      const created = await client.callTool({
        name: 'create_task',
        arguments: { tasks: [{ project: data[0]?.project, name: `Made with ${name}`, assignee: 'me' }] },
      });
      assert.ok(!created.isError, JSON.stringify(created));
      const negotiated = client.getNegotiatedProtocolVersion?.() ?? version;
      assert.equal(negotiated, version);
      assert.equal(provider.kept.tokens?.expires_in, 30 * 86_400);
      await client.close();
    });

    it("can't call a tool whose scope the person deselected, and requests that scope", async () => {
      const provider = createProvider({ name });
      const { client } = await connect(provider, { unchecked: ['tasks:write'] });
      const granted = provider.kept.tokens?.scope?.split(' ');
      assert.ok(granted && !granted.includes('tasks:write'));
      provider.kept.authorizationUrl = undefined;
      const write = { name: 'add_comment', arguments: { taskId: 1, content: 'No' } };
      await assert.rejects(client.callTool(write));
      const asked = getRequestedScopes(provider);
      assert.ok(asked?.includes('tasks:write'), `asked for ${asked}`);
      await client.close();
    });
  });
}
