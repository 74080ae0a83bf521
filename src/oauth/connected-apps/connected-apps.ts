import type * as z from 'zod';
import { API_KEY_PREFIX } from '../../accounts/credentials/credential.ts';
import { createWithFreshSignIn } from '../../accounts/credentials/fresh-sign-in.ts';
import { type Caller, parseApiKeyScopes, parseKnownScopes } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import {
  forbiddenError,
  internalError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, toTimestamp } from '../../kernel/operation/schema.ts';
import { createToken, hashSecret } from '../../kernel/secrets/tokens.ts';
import {
  type ApiKeyDraft,
  type CredentialRow,
  countCredentials,
  deleteCredential,
  findCredential,
  findCredentialByHash,
  insertApiKey,
  listCredentials,
  recordCredentialRevocation,
  recordKeyCreation,
  revokeCredential,
} from './connected-apps.queries.ts';
import {
  type connectedApp,
  connectedAppPage,
  createApiKeyInput,
  createdApiKey,
  listConnectedAppsInput,
  revokeConnectedAppInput,
} from './connected-apps.schema.ts';

const SHOWN_KEY_CHARACTERS = 4;

export const listConnectedApps = defineOperation(
  {
    name: 'listConnectedApps',
    summary: 'List your API keys and authorized apps in this workspace, newest first',
    description: 'Revoked credentials stay in the list. The key itself is never returned again.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: listConnectedAppsInput,
    output: connectedAppPage,
  },
  async (ctx, input) => {
    const range = toRange(input, 1);
    const [rows, total] = await ctx.db.batch([
      listCredentials(ctx.caller, range),
      countCredentials(ctx.caller),
    ]);
    return buildPage({
      range,
      total,
      rows,
      key: (row) => [row.id],
      show: (row) => toConnectedApp(row, ctx.now),
    });
  },
);

export const createApiKey = defineOperation(
  {
    name: 'createApiKey',
    summary: 'Create an API key for this workspace',
    description:
      'The key is returned only in this response. It acts with your permissions, within its scopes, until it expires or is revoked.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: createApiKeyInput,
    output: createdApiKey,
    returnsSecret: true,
    audits: ['api_key.created', 'api_key.revoked'],
  },
  async (ctx, { name, scopes, expiresAt }) => {
    const { key, draft } = draftApiKey(ctx, ctx.caller, { name, scopes, expiresAt });
    const created = await createWithFreshSignIn(
      ctx,
      async () => {
        const [, made] = await ctx.db.batch([
          insertApiKey(ctx.caller, draft, ctx.now),
          findCredentialByHash(ctx.caller, draft.hash),
          recordKeyCreation(ctx, draft),
        ]);
        if (!made) throw internalError();
        return made;
      },
      ({ id }) => [...recordCredentialRevocation(ctx, id), deleteCredential(ctx.caller, id)],
    );
    return { ...toConnectedApp(created, ctx.now), key };
  },
);

export const revokeConnectedApp = defineOperation(
  {
    name: 'revokeConnectedApp',
    summary: 'Revoke an API key or an authorized app',
    description:
      'Takes effect immediately: the next request returns 401, and a request in progress can no longer write.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: revokeConnectedAppInput,
    output: successOutput,
    audits: ['api_key.revoked', 'app.disconnected'],
  },
  async (ctx, { id }) => {
    const appNotFoundError = () =>
      notFoundError('connected app', id, ({ call }) => call('listConnectedApps'));
    if (ctx.db.willClaimKey) {
      const [found] = await ctx.db.batch([findCredential(ctx.caller, id)]);
      if (!found) throw appNotFoundError();
    }
    const [revoked] = await ctx.db.writeThenRead(recordCredentialRevocation(ctx, id), [
      revokeCredential(ctx.caller, id, ctx.now),
    ]);
    if (!revoked) throw appNotFoundError();
    return { success: true as const };
  },
);

export function draftApiKey(
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  holder: Pick<Caller, 'role'>,
  { name, scopes, expiresAt }: z.output<typeof createApiKeyInput>,
): { key: string; draft: ApiKeyDraft } {
  if (scopes?.includes('audit:read') && getReach(holder, 'readAudit') !== 'all') {
    throw forbiddenError(
      'Only owners and admins can grant the scope audit:read. Leave it out, or ask one of them.',
    );
  }
  const key = createToken(API_KEY_PREFIX, caller.cell);
  return {
    key,
    draft: {
      hash: hashSecret(key),
      name,
      prefix: toDisplayPrefix(API_KEY_PREFIX, key),
      scopes: scopes === undefined ? '' : parseKnownScopes(scopes.join(' ')).join(' '),
      expires_at: expiresAt === undefined ? null : parseExpiry(expiresAt, now),
    },
  };
}

function parseExpiry(expiresAt: string, now: number): number {
  const ms = Date.parse(expiresAt);
  if (ms > now) return ms;
  throw invalidRequestError(
    ({ field }) => `${field('expiresAt')} must be in the future; got ${quoteValue(expiresAt)}.`,
  );
}

/** The visible characters are enough to tell keys apart, but not enough to guess one. */
export function toDisplayPrefix(prefix: string, secret: string): string {
  return `${prefix}…${secret.slice(-SHOWN_KEY_CHARACTERS)}`;
}

export function toConnectedApp(row: CredentialRow, now: number): z.input<typeof connectedApp> {
  const hasExpired = row.expires_at !== null && row.expires_at <= now;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    prefix: row.prefix,
    scopes: [...(row.kind === 'api_key' ? parseApiKeyScopes(row.scopes) : row.scopes.split(' '))],
    createdAt: toTimestamp(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : toTimestamp(row.last_used_at),
    status: row.revoked_at !== null || hasExpired ? 'revoked' : 'active',
    ...(row.kind === 'api_key' && row.expires_at !== null && { expiresAt: toTimestamp(row.expires_at) }),
  };
}
