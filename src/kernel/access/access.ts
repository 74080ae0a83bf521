import { AppError, forbiddenError } from '../errors/errors.ts';
import type { Role } from './roles.ts';

export const scopes = [
  'tasks:read',
  'tasks:write',
  'projects:read',
  'time:read',
  'time:write',
  'dashboard:read',
  'notifications:read',
  'notifications:write',
  'profile:read',
  'events:read',
  'webhooks:write',
  'audit:read',
] as const;
export type OAuthScope = (typeof scopes)[number];

/** The scopes that the MCP server advertises. No tool reads the audit log, so agents don't need `audit:read`. */
export const agentScopes: readonly OAuthScope[] = scopes.filter((scope) => scope !== 'audit:read');

export function parseKnownScopes(text: string): readonly OAuthScope[] {
  const names = text.split(' ');
  return scopes.filter((scope) => names.includes(scope));
}

/** An empty string means all scopes, including those added in the future. */
export function parseApiKeyScopes(text: string): readonly OAuthScope[] {
  return text === '' ? scopes : parseKnownScopes(text);
}

export type Plan = 'free' | 'medium' | 'pro';

/**
 * `account` requires a signed-in browser, but no workspace. `session` rejects API keys and OAuth tokens. A list of
 * scopes requires all of them.
 */
export type Access = 'public' | 'account' | 'session' | OAuthScope | readonly OAuthScope[];

export function listRequiredScopes(access: Access): readonly OAuthScope[] {
  if (typeof access !== 'string') return access;
  return access === 'public' || access === 'account' || access === 'session' ? [] : [access];
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly image: string | null;
}

type CredentialKind = 'session' | 'api_key' | 'oauth';

export const changeOrigins = ['session', 'api_key', 'oauth', 'mcp', 'system', 'form'] as const;
export type ChangeOrigin = (typeof changeOrigins)[number];

/** True for changes that have no actor: those that Edgework makes, and tasks that come from an intake form. */
export function hasNoActor(via: ChangeOrigin): boolean {
  return via === 'system' || via === 'form';
}

/** Cached between requests, so every batch checks that the cached data is still up to date. */
export interface Caller {
  readonly credential: {
    readonly kind: CredentialKind;
    readonly hash: string;
    /** The id of the API key or token within the cell. Null for a session. */
    readonly id: number | null;
    readonly expiresAt: number | null;
    readonly signedInAt: number | null;
  };
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly image: string | null;
  readonly role: Role;
  readonly scopes: readonly OAuthScope[];
  readonly cell: number;
  /** The cells of all the person's workspaces. Each cell stores the notifications from its workspaces. */
  readonly cells: readonly number[];
  /** `member` and `workspace` are numbers within the cell, not public ids. */
  readonly member: number;
  readonly workspace: number;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly plan: Plan;
  readonly timezone: string;
  readonly dailyCapacityHours: number;
  readonly version: number;
  /** The open change set of the OAuth token's app, in which the app's tool calls stage their changes. */
  readonly changeSet: number | null;
}

export type Actor = Pick<Caller, 'workspace' | 'member' | 'timezone'> & {
  readonly credential?: Pick<Caller['credential'], 'id'>;
};

export function requireAccess(access: Access, caller: Caller) {
  if (access === 'public') return;
  if (access === 'account')
    throw new Error('An account operation has no caller; run it with executeForAccount');
  if (access === 'session') {
    if (caller.credential.kind === 'session') return;
    throw forbiddenError(
      ({ call }) =>
        `This endpoint requires a session token, so that a leaked key can't create new credentials. Sign in with ${call('login')}.`,
    );
  }
  const needed = listRequiredScopes(access);
  const missing = needed.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  const lacks = `the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`;
  const has = caller.scopes.join(', ');
  throw new AppError(
    'forbidden',
    caller.credential.kind === 'api_key'
      ? `This API key lacks ${lacks}. Create a key with ${missing.length === 1 ? 'it' : 'them'} under Connected apps. This key has: ${has}.`
      : `This token lacks ${lacks}. Request ${missing.length === 1 ? 'it' : 'them'} when the person authorizes your app. This token has: ${has}.`,
    { headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${needed.join(' ')}"` } },
  );
}
