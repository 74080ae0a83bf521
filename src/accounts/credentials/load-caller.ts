import { type Caller, parseApiKeyScopes, parseKnownScopes, scopes } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { type PresentedCredential, unknownCredentialError } from './credential.ts';
import {
  type CallerRow,
  findCallerBySecret,
  findCallerBySession,
  findWebhookCreator,
  type WebhookCreator,
} from './credentials.queries.ts';
import { type SessionIssuer, type SessionSubject, verifySessionToken } from './session-token.ts';

export async function loadCaller(scope: RequestScope, presented: PresentedCredential): Promise<Caller> {
  return presented.kind === 'session'
    ? loadCallerBySession(scope, presented.credential)
    : loadCallerBySecret(scope, presented.kind, presented.credential, presented.cell);
}

async function loadCallerBySecret(
  scope: RequestScope,
  kind: 'api_key' | 'oauth',
  credential: string,
  cell: number,
): Promise<Caller> {
  if (!scope.config.cells.has(cell)) throw unknownCredentialError(kind);
  const hash = hashSecret(credential);
  const [found] = await scope.cell(cell).batch([findCallerBySecret(hash, scope.now)]);
  if (!found) throw unknownCredentialError(kind);
  return {
    ...toCallerFields(found),
    credential: { kind, hash, id: found.credential_id, expiresAt: found.expires_at, signedInAt: null },
    scopes: kind === 'api_key' ? parseApiKeyScopes(found.scopes) : parseKnownScopes(found.scopes),
    cell,
    changeSet: found.change_set,
  };
}

export function getSessionIssuer({ config, origin }: RequestScope): SessionIssuer {
  return { secret: config.sessionSecret, previousSecret: config.sessionSecretPrevious, issuer: origin };
}

async function loadCallerBySession(scope: RequestScope, token: string): Promise<Caller> {
  const session = await verifySessionToken(getSessionIssuer(scope), token, scope.now);
  if (!session || !scope.config.cells.has(session.cell)) throw unknownCredentialError('session');
  const { expiresAt, signedInAt } = session;
  return loadSessionCaller(scope, session, { hash: hashSecret(token), expiresAt, signedInAt });
}

/** Throws 401 if the person isn't a member, or if all their sessions have been ended since they signed in. */
export async function loadSessionCaller(
  scope: RequestScope,
  { userId, workspaceId, cell }: SessionSubject,
  { signedInAt = null, ...session }: { hash: string; expiresAt: number; signedInAt?: number | null },
): Promise<Caller> {
  const [found] = await scope.cell(cell).batch([findCallerBySession(workspaceId, userId, signedInAt)]);
  if (!found) throw unknownCredentialError('session');
  return {
    ...toCallerFields(found),
    credential: { kind: 'session', id: null, ...session, signedInAt },
    scopes,
    cell,
  };
}

export async function loadWebhookCreator(
  scope: RequestScope,
  cell: number,
  creator: WebhookCreator,
): Promise<Caller | null> {
  const [found] = await scope.cell(cell).batch([findWebhookCreator(creator, scope.now)]);
  if (!found) return null;
  const { kind, hash, credential_id: id, scopes: granted, expires_at } = found;
  return {
    ...toCallerFields(found),
    credential: { kind: kind ?? 'session', hash: hash ?? '', id, expiresAt: expires_at, signedInAt: null },
    scopes: kind === 'oauth' ? parseKnownScopes(granted) : parseApiKeyScopes(granted),
    cell,
    changeSet: found.change_set,
  };
}

export function toCallerFields(found: CallerRow): Omit<Caller, 'credential' | 'scopes' | 'cell'> {
  return {
    userId: found.user_id,
    name: found.name,
    email: found.email,
    image: found.image,
    role: found.role,
    member: found.member,
    version: found.version,
    workspace: found.workspace,
    workspaceId: found.workspace_id,
    workspaceName: found.workspace_name,
    plan: found.plan,
    timezone: found.timezone,
    dailyCapacityHours: found.daily_capacity_hours,
    cells: JSON.parse(found.cells) as number[],
    changeSet: null,
  };
}
