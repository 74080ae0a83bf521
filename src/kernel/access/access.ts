import { AppError, forbidden } from '../errors/errors.ts';

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
] as const;
export type OAuthScope = (typeof scopes)[number];

/** The known ones of a stored or registered list, in the order of `scopes`. */
export function knownScopes(text: string): readonly OAuthScope[] {
  const names = text.split(' ');
  return scopes.filter((scope) => names.includes(scope));
}

/** The scopes of a stored API key. A key that nobody narrowed has an empty list: all scopes, later ones too. */
export function scopesOfKey(text: string): readonly OAuthScope[] {
  return text === '' ? scopes : knownScopes(text);
}

export const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
export type Role = (typeof roles)[number];

export type Plan = 'free' | 'medium' | 'pro';

/**
 * Who may call an operation:
 * `public` needs no credential, `account` takes a browser in which somebody is signed in, whatever their workspaces,
 * `session` takes session tokens only, scopes take any credential that carries all of them.
 */
export type Access = 'public' | 'account' | 'session' | OAuthScope | readonly OAuthScope[];

/** The scopes that an operation takes; none where it takes no scope. */
export function scopesOf(access: Access): readonly OAuthScope[] {
  if (typeof access !== 'string') return access;
  return access === 'public' || access === 'account' || access === 'session' ? [] : [access];
}

/** The person who is signed in in a browser, before any workspace. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly image: string | null;
}

type CredentialKind = 'session' | 'api_key' | 'oauth';

/** Where a change came from, as the activity log says it. */
export type Via = CredentialKind | 'mcp' | 'system';

/** The person behind a credential, in its workspace. Cached; the guard checks it in every batch. */
export interface Caller {
  readonly credential: {
    readonly kind: CredentialKind;
    readonly hash: string;
    readonly expiresAt: number | null;
    /** When the person signed in, for a session token; null for everything else. */
    readonly signedInAt: number | null;
  };
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly image: string | null;
  readonly role: Role;
  readonly scopes: readonly OAuthScope[];
  /** The cell that holds the workspace. */
  readonly cell: number;
  /** Every cell that holds a workspace of this person; their notifications are stored there. */
  readonly cells: readonly number[];
  /** Number of the membership and of the workspace within the cell. */
  readonly member: number;
  readonly workspace: number;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly plan: Plan;
  /** IANA name of the time zone of the workspace's wall-clock times. */
  readonly timezone: string;
  /** Working hours of a weekday, for the workload. */
  readonly dailyCapacityHours: number;
  /** Every change of the membership or the workspace raises it. */
  readonly version: number;
}

/** What a write needs to know of its author: a caller, or the system on behalf of a member. */
export type Actor = Pick<Caller, 'workspace' | 'member' | 'timezone'>;

/** Throws 403 unless the credential reaches the operation; it names the scopes that are missing. */
export function requireAccess(access: Access, caller: Caller) {
  if (access === 'public') return;
  if (access === 'account') throw new Error('An account is no caller: use executeForAccount');
  if (access === 'session') {
    if (caller.credential.kind === 'session') return;
    throw forbidden(
      ({ call }) =>
        `This endpoint requires a session token, so that a leaked key can't create new credentials. Sign in with ${call('login')}.`,
    );
  }
  const needed = scopesOf(access);
  const missing = needed.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  const lacks = `the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`;
  const has = caller.scopes.join(', ');
  throw new AppError(
    'forbidden',
    caller.credential.kind === 'api_key'
      ? `This API key lacks ${lacks}. Create a key that has it under Connected apps. This key has: ${has}.`
      : `This token lacks ${lacks}. Request ${missing.length === 1 ? 'it' : 'them'} at authorization. This token has: ${has}.`,
    { headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${needed.join(' ')}"` } },
  );
}
