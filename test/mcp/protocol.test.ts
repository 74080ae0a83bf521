// This file is long because it follows the order of the MCP specification, so that both can be read side by side.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { agentScopes } from '../../src/kernel/access/access.ts';
import { ORIGIN, send } from '../support/api.ts';
import { env } from '../support/env.ts';
import { createApiKey, createWorld, type World } from '../support/world.ts';
import {
  buildFramedRequest,
  buildMessage,
  createOAuthToken,
  eras,
  MODERN_REVISION,
  post,
  sendRequest,
} from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.member);
});

const METADATA_URL = `${ORIGIN}/.well-known/oauth-protected-resource/mcp`;
const ALL_SCOPES = agentScopes.join(' ');

async function readError(response: Response) {
  const body = await response.json<{
    id: unknown;
    error: { code: number; message: string; data?: unknown };
  }>();
  return { status: response.status, ...body.error, id: body.id };
}

describe('a request to the MCP endpoint', () => {
  it('returns 401 if the credential is missing, with the metadata URL but no error in WWW-Authenticate', async () => {
    const response = await post(undefined, buildMessage('ping'));
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe(
      `Bearer resource_metadata="${METADATA_URL}", scope="${ALL_SCOPES}"`,
    );
    expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });

  it.each<[string, () => Promise<string> | string]>([
    ['random text', () => 'garbage'],
    ['an API key', () => createApiKey(world.people.owner)],
    ['a session token', () => world.people.member.token],
    ['an unknown access token', () => 'ew_oat_00000000000000000000000000000000000'],
    ['an expired access token', () => createOAuthToken(world, world.people.member, ['expired'])],
  ])('returns 401 invalid_token if the credential is %s', async (what, of) => {
    const presented = await of();
    if (what.includes('expired')) {
      await env.CELL_0.prepare("UPDATE credentials SET expires_at = 1 WHERE scopes = 'expired'").run();
    }
    const response = await post(presented, buildMessage('ping'));
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${METADATA_URL}", scope="${ALL_SCOPES}"`,
    );
    expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });

  it("can't be authenticated with a credential in the query or body (RFC 6750 sections 2.2 and 2.3)", async () => {
    const sendHttpRequest = (path: string, body: string, type: string, bearer?: string) =>
      send(
        new Request(`${ORIGIN}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': type, ...(bearer && { Authorization: `Bearer ${bearer}` }) },
          body,
        }),
      );
    const ping = JSON.stringify(buildMessage('ping'));
    const json = 'application/json';
    const form = 'application/x-www-form-urlencoded';
    expect((await sendHttpRequest(`/mcp?access_token=${token}`, ping, json)).status).toBe(401);
    expect((await sendHttpRequest(`/mcp?access_token=${token}`, ping, json, token)).status).toBe(401);
    expect((await sendHttpRequest('/mcp', `access_token=${token}`, form)).status).toBe(401);
    expect((await sendHttpRequest('/mcp', JSON.stringify({ access_token: token }), json)).status).toBe(401);
  });

  it('returns 401 as soon as the credential is revoked, even if no tool is called', async () => {
    const revoked = await createOAuthToken(world, world.people.lead);
    expect((await sendRequest('modern', revoked, 'tools/list')).status).toBe(200);
    expect((await sendRequest('legacy', revoked, 'tools/call', { name: 'get_me' })).status).toBe(200);
    await env.CELL_0.prepare('UPDATE credentials SET revoked_at = 1 WHERE member = ?')
      .bind(world.people.lead.member)
      .run();
    for (const era of eras) {
      expect((await sendRequest(era, revoked, 'tools/list')).status).toBe(401);
      expect((await sendRequest(era, revoked, 'tools/call', { name: 'get_me' })).status).toBe(401);
      expect(
        (await sendRequest(era, revoked, 'tools/call', { name: 'find_tasks', arguments: { no: 1 } })).status,
      ).toBe(401);
    }
  });
});

describe('the MCP endpoint', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])(
    'returns 405 for %s, with POST in the Allow header',
    async (method) => {
      const response = await send(
        new Request(`${ORIGIN}/mcp`, { method, headers: { Authorization: `Bearer ${token}` } }),
      );
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('POST');
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
    },
  );

  it.each(['https://evil.test', 'null', 'http://edgework.test', 'https://edgework.test.evil.test'])(
    'returns a 403 that a page from %s can read',
    async (Origin) => {
      const response = await post(token, buildMessage('ping'), { headers: { Origin } });
      expect(response.status).toBe(403);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(await response.json()).toMatchObject({ error: { code: 'forbidden' } });
    },
  );

  it('accepts requests from pages on its own origin', async () => {
    expect((await post(token, buildMessage('ping'), { headers: { Origin: ORIGIN } })).status).toBe(200);
  });

  it('allows the protocol headers in a preflight request', async () => {
    const response = await send(
      new Request(`${ORIGIN}/mcp`, {
        method: 'OPTIONS',
        headers: {
          Origin: ORIGIN,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,mcp-protocol-version,mcp-method',
        },
      }),
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('Access-Control-Allow-Headers')).toMatch(/MCP-Protocol-Version.*Mcp-Method/);
  });

  it('returns JSON that has a request id and must not be cached', async () => {
    for (const era of eras) {
      const response = await sendRequest(era, token, 'tools/list');
      expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(response.headers.has('Mcp-Session-Id')).toBe(false);
      expect(response.headers.get('X-RateLimit-Limit')).toBe('300');
    }
  });

  it('logs the names of called tools, but not their arguments', async () => {
    const lines: string[] = [];
    const spy = vi.spyOn(console, 'log').mockImplementation((text: string) => lines.push(text));
    await sendRequest('modern', token, 'tools/call', {
      name: 'find_tasks',
      arguments: { search: 'a secret' },
    });
    await sendRequest('modern', token, 'tools/call', { name: 'no such tool' });
    spy.mockRestore();
    const routes = lines.map((text) => JSON.parse(text)).filter(({ event }) => event === 'request');
    expect(routes.map(({ route }) => route)).toEqual(['POST /mcp find_tasks', 'POST /mcp']);
    expect(lines.join()).not.toMatch(/secret|no such tool|ew_oat_/);
  });

  it('returns JSON to a client that accepts JSON or any type, and 406 to other clients', async () => {
    for (const Accept of ['*/*', 'application/json']) {
      expect((await post(token, buildMessage('ping'), { headers: { Accept } })).status).toBe(200);
    }
    expect((await post(token, buildMessage('ping'), { headers: { Accept: 'text/html' } })).status).toBe(406);
  });

  it('returns 415 for content types other than JSON', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    expect((await post(token, buildMessage('ping'), { headers })).status).toBe(415);
  });

  it.each([
    ['invalid JSON', '{"jsonrpc":', 400, -32_700],
    ['an empty body', '', 400, -32_700],
    ['deep nesting', '['.repeat(200_000), 400, -32_700],
    ['null', 'null', 400, -32_600],
    ['a number', '7', 400, -32_600],
    ['an empty batch', '[]', 400, -32_600],
    ['JSON without JSON-RPC', '{"hello":"world"}', 400, -32_600],
    ['more than 1 MiB', JSON.stringify(buildMessage('ping', { fill: 'x'.repeat(1_100_000) })), 413, -32_000],
  ])('rejects %s with the documented status and code', async (_what, body, status, code) => {
    expect(await readError(await post(token, body))).toMatchObject({ status, code });
  });

  it.each<[string, unknown]>([
    ['an id that is null', { ...buildMessage('tools/list'), id: null }],
    ['an id that is an object', { ...buildMessage('tools/list'), id: {} }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['another version of JSON-RPC', { ...buildMessage('tools/list'), jsonrpc: '1.0' }],
    ['params that are a list', { ...buildMessage('tools/call'), params: ['get_me'] }],
    ['params that are null', { ...buildMessage('tools/call'), params: null }],
    ['a tool name that is a number', buildMessage('tools/call', { name: 7 })],
    ['no tool name', buildMessage('tools/call', {})],
    ['arguments that are a list', buildMessage('tools/call', { name: 'get_me', arguments: [] })],
    ['arguments that are text', buildMessage('tools/call', { name: 'get_me', arguments: 'me' })],
    ['a response instead of a request', { jsonrpc: '2.0', id: 1, result: {} }],
    [
      'an argument called __proto__',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":{"__proto__":{"a":1}}}}',
    ],
    ['a tool name that is a property of every object', buildMessage('tools/call', { name: 'constructor' })],
  ])('never returns 500 or a stack trace for a message with %s', async (_what, body) => {
    for (const headers of [{}, buildFramedRequest('modern', 'tools/call', { name: 'get_me' }).headers]) {
      const response = await post(token, body, { headers });
      expect([200, 202, 400, 404]).toContain(response.status);
      expect(await response.text()).not.toMatch(/"isError":false|at Object|\.ts:/);
    }
  });

  it('returns the same 429 as REST when the rate limit is reached', async () => {
    const busy = await createOAuthToken(world, world.people.client);
    const variables = { ENFORCE_REST_RATE_LIMIT: 'true' };
    const statuses = new Set<number>();
    for (let index = 0; index < 310; index += 10) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post(busy, buildMessage('ping'), { variables })),
      );
      for (const answer of answers) statuses.add(answer.status);
    }
    const { body, headers } = buildFramedRequest('modern', 'tools/call', { name: 'get_me' });
    const rejected = await post(busy, body, { headers, variables });
    expect([...statuses]).toEqual([200, 429]);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await rejected.json()).toMatchObject({ error: { code: 'rate_limited' } });
  });
});

describe('the MCP endpoint with protocol revision 2026-07-28', () => {
  it('can be discovered without a session', async () => {
    const { result } = await (await sendRequest('modern', token, 'server/discover')).json<{
      result: object;
    }>();
    expect(result).toMatchObject({
      supportedVersions: [MODERN_REVISION],
      capabilities: { tools: { listChanged: false } },
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'edgework' } },
    });
  });

  it.each([
    ['the version', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['the method', { 'Mcp-Method': 'tools/list' }],
    ['the tool', { 'Mcp-Name': 'find_tasks' }],
    ['an empty tool name', { 'Mcp-Name': '' }],
  ])('returns 400 with error -32020 if %s in the headers differs from the body', async (_what, wrong) => {
    const { body, headers } = buildFramedRequest('modern', 'tools/call', { name: 'get_me', arguments: {} });
    const response = await post(token, body, { headers: { ...headers, ...wrong } });
    expect(await readError(response)).toMatchObject({ status: 400, code: -32_020, id: 1 });
  });

  it('returns 400 with error -32022 and the supported versions for an unknown version', async () => {
    const { body, headers } = buildFramedRequest('modern', 'tools/list');
    const future = '2031-01-01';
    (body.params as Record<string, Record<string, unknown>>)._meta = {
      'io.modelcontextprotocol/protocolVersion': future,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await post(token, body, { headers: { ...headers, 'MCP-Protocol-Version': future } });
    expect(await readError(response)).toMatchObject({
      status: 400,
      code: -32_022,
      data: { supported: [MODERN_REVISION], requested: future },
    });
  });

  it.each(['unknown/method', 'initialize', 'ping', 'resources/list', 'subscriptions/listen'])(
    'returns 404 with error -32601 for the method %s',
    async (method) => {
      const params = method === 'subscriptions/listen' ? { notifications: { toolsListChanged: true } } : {};
      expect(await readError(await sendRequest('modern', token, method, params))).toMatchObject({
        status: 404,
        code: -32_601,
        id: 1,
      });
    },
  );

  it('returns 400 with error -32602 for a request without `params._meta`', async () => {
    const { headers } = buildFramedRequest('modern', 'tools/list');
    const response = await post(token, buildMessage('tools/list'), { headers });
    expect(await readError(response)).toMatchObject({ status: 400, code: -32_602 });
  });
});

describe('a client that starts with initialize', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('needs no session (%s)', async (version) => {
    const params = {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const response = await post(token, buildMessage('initialize', params));
    expect(await response.json()).toMatchObject({
      id: 1,
      result: {
        protocolVersion: version,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'edgework' },
      },
    });
    const done = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const headers = { 'MCP-Protocol-Version': version };
    expect((await post(token, done, { headers })).status).toBe(202);
    expect((await post(token, buildMessage('tools/list'), { headers })).status).toBe(200);
  });

  it('is offered revision 2025-11-25 if it requests an unsupported older revision', async () => {
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { result } = await (await post(token, buildMessage('initialize', params))).json<{
      result: object;
    }>();
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it('can omit the version header, but gets 400 with error -32022 for an unknown version', async () => {
    expect((await post(token, buildMessage('tools/list'))).status).toBe(200);
    const headers = { 'MCP-Protocol-Version': '2019-01-01' };
    expect(await readError(await post(token, buildMessage('tools/list'), { headers }))).toMatchObject({
      status: 400,
      code: -32_022,
      data: {
        supported: [MODERN_REVISION, '2025-11-25', '2025-06-18', '2025-03-26'],
        requested: '2019-01-01',
      },
    });
  });

  it('gets error -32601 for an unknown method', async () => {
    expect(await readError(await post(token, buildMessage('unknown/method')))).toMatchObject({
      code: -32_601,
    });
  });
});

describe('a batch of messages', () => {
  const buildCall = (id: number, name: string, args = {}) =>
    buildMessage('tools/call', { name, arguments: args }, id);

  it('is processed message by message in older revisions of the protocol', async () => {
    const response = await post(token, [
      buildCall(1, 'get_me'),
      buildCall(2, 'find_tasks'),
      buildMessage('ping', {}, 3),
    ]);
    const answers = await response.json<{ id: number; result: { isError?: boolean } }[]>();
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(answers.every(({ result }) => !result.isError)).toBe(true);
  });

  it.each([
    ['too many messages', () => Array.from({ length: 21 }, (_, id) => buildMessage('ping', {}, id))],
    ['the same id twice', () => [buildCall(1, 'get_me'), buildCall(1, 'get_me')]],
    [
      'a cancellation of its own request',
      () => [
        buildCall(1, 'get_me'),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      ],
    ],
    ['a message of the newer revision', () => [buildFramedRequest('modern', 'tools/list').body]],
    ["an item that isn't a message", () => [buildCall(1, 'get_me'), 7]],
  ])('is rejected with 400 and error -32600 if it contains %s', async (_what, body) => {
    expect(await readError(await post(token, body()))).toMatchObject({ status: 400, code: -32_600 });
  });

  it('is rejected entirely, without effects, if the token lacks a scope for one call', async () => {
    const readOnly = await createOAuthToken(world, world.people.member, ['tasks:read']);
    const create = buildCall(2, 'create_task', {
      tasks: [{ project: world.projects.joined.id, name: 'Never' }],
    });
    const response = await post(readOnly, [buildCall(1, 'find_tasks'), create]);
    expect(response.status).toBe(403);
    const { result } = await (
      await sendRequest('legacy', readOnly, 'tools/call', { name: 'find_tasks' })
    ).json<{
      result: { structuredContent: { total: number } };
    }>();
    expect(result.structuredContent.total).toBe(0);
  });
});
