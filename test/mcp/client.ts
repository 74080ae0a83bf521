import { type Schema, Validator } from '@cfworker/json-schema';
import { scopes } from '../../src/kernel/access/access.ts';
import { describeTool } from '../../src/mcp/describe-tool.ts';
import { tools } from '../../src/registry.ts';
import { grantToken } from '../contract/requests.ts';
import { ORIGIN, send } from '../support/api.ts';
import type { Person, Workspace } from '../support/world.ts';

export const MODERN_REVISION = '2026-07-28';
export type ProtocolEra = 'modern' | 'legacy';
export const eras: readonly ProtocolEra[] = ['modern', 'legacy'];

type Json = Record<string, unknown>;

export interface ToolResult {
  content: { type: 'text'; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: results are validated against the tool's output schema.
  structuredContent?: any;
  isError?: boolean;
}

export function createOAuthToken(
  workspace: Pick<Workspace, 'no' | 'cell'>,
  person: Person,
  granted = scopes as readonly string[],
) {
  return grantToken(workspace, person, granted);
}

export interface PostOptions {
  headers?: Record<string, string>;
  variables?: Partial<Env>;
}

export function post(token: string | undefined, body: unknown, options: PostOptions = {}): Promise<Response> {
  const request = new Request(`${ORIGIN}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return send(request, options.variables);
}

export function buildMessage(method: string, params: Json = {}, id: number | string = 1) {
  return { jsonrpc: '2.0', id, method, params };
}

export function buildFramedRequest(
  era: ProtocolEra,
  method: string,
  params: Json = {},
  id: number | string = 1,
) {
  if (era === 'legacy') {
    return { body: buildMessage(method, params, id), headers: { 'MCP-Protocol-Version': '2025-11-25' } };
  }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN_REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: buildMessage(method, { ...params, _meta: meta }, id),
    headers: {
      'MCP-Protocol-Version': MODERN_REVISION,
      'Mcp-Method': method,
      ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
    },
  };
}

export function sendRequest(era: ProtocolEra, token: string | undefined, method: string, params: Json = {}) {
  const { body, headers } = buildFramedRequest(era, method, params);
  return post(token, body, { headers });
}

const validators = new Map(
  tools.flatMap((tool) => {
    const { outputSchema } = describeTool(tool);
    return outputSchema
      ? [[tool.name, new Validator(outputSchema as Schema, '2020-12', false)] as const]
      : [];
  }),
);

/** Calls a tool. Checks that the response is at most 25 KB, and that a successful result matches the tool's schema. */
export async function getToolResult(
  token: string,
  name: string,
  args: Json = {},
  era: ProtocolEra = 'modern',
): Promise<ToolResult> {
  const response = await sendRequest(era, token, 'tools/call', { name, arguments: args });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${name} returned ${response.status}: ${text}`);
  const type = response.headers.get('Content-Type');
  if (!type?.startsWith('application/json')) throw new Error(`${name} returned ${type}`);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > 25_000) throw new Error(`${name} returned ${bytes} bytes`);
  const { result, error } = JSON.parse(text) as { result?: ToolResult; error?: { message: string } };
  if (!result) throw new Error(`${name} failed: ${error?.message}`);
  const validity = result.isError ? null : validators.get(name)?.validate(result.structuredContent);
  if (validity && !validity.valid) throw new Error(`${name}: ${JSON.stringify(validity.errors)}`);
  return result;
}

/** Throws if the call returns an error. */
export async function callTool(token: string, name: string, args: Json = {}) {
  const result = await getToolResult(token, name, args);
  if (result.isError) throw new Error(`${name}: ${getResultText(result)}`);
  return result.structuredContent;
}

export function getResultText(result: ToolResult): string {
  return result.content.map(({ text }) => text).join('\n');
}
