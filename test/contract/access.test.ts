import { beforeAll, describe, expect, it } from 'vitest';
import { signSessionToken } from '../../src/accounts/credentials/session-token.ts';
import { listRequiredScopes, scopes } from '../../src/kernel/access/access.ts';
import { createToken } from '../../src/kernel/secrets/tokens.ts';
import { routes } from '../../src/registry.ts';
import { api, ORIGIN } from '../support/api.ts';
import { env } from '../support/env.ts';
import { createSessionToken, createWorkspace, type Workspace } from '../support/world.ts';
import {
  buildRequestBody,
  buildRequestHeaders,
  fillPath,
  getRouteName,
  grantToken,
  guardedRoutes,
} from './requests.ts';

let workspace: Workspace;
const rejectedTokens: [what: string, token: () => Promise<string | undefined> | string | undefined][] = [
  ['no credential', () => undefined],
  ['random text', () => 'garbage'],
  ['an unknown API key', () => createToken('ew_live_', 0)],
  ['an API key for a cell that does not exist', () => createToken('ew_live_', 77)],
  ['a mistyped API key', () => createToken('ew_live_', 0).replace(/.$/, '!')],
  ['an unknown OAuth token', () => createToken('ew_oat_', 1)],
  ['an expired OAuth token', () => grantToken(workspace, workspace.people.owner, scopes, { expiresAt: 1 })],
  [
    'an expired session token',
    () => createSessionToken(workspace, workspace.people.owner.userId, Date.now() - 8 * 86_400_000),
  ],
  [
    'a session token signed with another secret',
    () => createForeignToken({ secret: 'x'.repeat(40), issuer: ORIGIN }),
  ],
  ['a session token from another deployment', () => createForeignToken({ issuer: 'https://elsewhere.test' })],
];

async function createForeignToken(issuer: { secret?: string; issuer: string }) {
  const { owner } = workspace.people;
  const signer = { secret: env.SESSION_SECRET, ...issuer };
  const subject = { userId: owner.userId, workspaceId: workspace.id, cell: workspace.cell };
  return (await signSessionToken(signer, subject, Date.now())).token;
}

beforeAll(async () => {
  workspace = await createWorkspace();
});

describe('without a valid credential', () => {
  it('only sign-in and registration work', () => {
    const open = routes.filter((route) => route.operation.access === 'public').map(getRouteName);
    expect(open.filter((name) => !name.startsWith('POST /auth/'))).toEqual([]);
  });

  it.each(rejectedTokens)(
    'every endpoint returns 401 for %s, before validating the request',
    async (_what, token) => {
      const client = api(await token());
      for (const route of guardedRoutes) {
        const answer = await client.call(
          route.method,
          `${fillPath(route)}?nonsense=1`,
          buildRequestBody(route),
          buildRequestHeaders(route),
        );
        expect(answer.status, getRouteName(route)).toBe(401);
        expect(answer.body.error.code, getRouteName(route)).toBe('unauthorized');
        expect(answer.headers.get('WWW-Authenticate'), getRouteName(route)).toBe('Bearer');
        expect(answer.cost.rowsWritten, getRouteName(route)).toBe(0);
      }
    },
  );
});

describe('with a credential that lacks permission', () => {
  it('session endpoints return 403 to an OAuth token, even with every scope', async () => {
    const token = await grantToken(workspace, workspace.people.owner, scopes);
    const session = guardedRoutes.filter((route) => route.operation.access === 'session');
    expect(session.length).toBeGreaterThan(0);
    for (const route of session) {
      const answer = await api(token).call(
        route.method,
        fillPath(route),
        buildRequestBody(route),
        buildRequestHeaders(route),
      );
      expect(answer.status, getRouteName(route)).toBe(403);
      expect(answer.body.error.code, getRouteName(route)).toBe('forbidden');
    }
  });

  it('every endpoint returns 403 and names the missing scope, even if the token has every other scope', async () => {
    for (const scope of scopes) {
      const rest = scopes.filter((each) => each !== scope);
      const token = await grantToken(workspace, workspace.people.owner, rest);
      for (const route of guardedRoutes.filter((each) =>
        listRequiredScopes(each.operation.access).includes(scope),
      )) {
        const answer = await api(token).call(
          route.method,
          fillPath(route),
          buildRequestBody(route),
          buildRequestHeaders(route),
        );
        expect(answer.status, getRouteName(route)).toBe(403);
        expect(answer.headers.get('WWW-Authenticate'), getRouteName(route)).toBe(
          `Bearer error="insufficient_scope", scope="${listRequiredScopes(route.operation.access).join(' ')}"`,
        );
        expect(answer.body.error.message, getRouteName(route)).toContain(`lacks the scope ${scope}.`);
      }
    }
  });
});

it('an operation requires a write scope if it writes, and a read scope otherwise', () => {
  for (const { operation } of guardedRoutes) {
    const needed = listRequiredScopes(operation.access);
    // Reading webhooks requires their write scope, because read-only apps have no use for webhooks (docs/events.md).
    if (operation.access === 'session' || needed.includes('webhooks:write')) continue;
    // Exports change nothing in the workspace, so they require only the read scopes of what they contain.
    if (operation.capability === 'exportWorkspace') continue;
    const expected = operation.effect === 'write' ? ':write' : ':read';
    expect(
      needed.filter((scope) => scope.endsWith(expected)),
      operation.name,
    ).toHaveLength(1);
  }
});
