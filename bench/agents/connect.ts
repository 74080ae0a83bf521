import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallResult, Server } from './score-card.ts';

export async function connect(
  url: string,
  token: string,
): Promise<{ server: Server; toolBytes: number; close: () => Promise<void> }> {
  const client = new Client({ name: 'score-card', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  const { tools } = await client.listTools();
  const server: Server = {
    tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as CallResult,
  };
  const toolBytes = new TextEncoder().encode(JSON.stringify(tools)).length;
  return { server, toolBytes, close: () => client.close() };
}
