import { and, eq, exists, gt, isNull, lte, or } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import {
  type Argument,
  hasRow,
  pickColumns,
  prepared,
  query,
  type RowOf,
} from '../../kernel/sql/prepared.ts';
import { sql, withType } from '../../kernel/sql/sql.ts';
import { changeSets } from '../../schema/cell/change-sets.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';

const c = credentials;
const cs = changeSets;
const m = activeMembers;
const w = workspaces;

export const callerColumns = {
  ...pickColumns(m, 'user_id', 'name', 'email', 'image', 'role', 'cells', 'version'),
  member: m.no,
  workspace: w.no,
  workspace_id: w.id,
  workspace_name: w.name,
  ...pickColumns(w, 'plan', 'timezone', 'daily_capacity_hours'),
};
export type CallerRow = RowOf<typeof findCallerBySession>;

const isValidCredential = (now: Argument<number>) =>
  and(isNull(c.revoked_at), or(isNull(c.expires_at), gt(c.expires_at, now)));

const openChangeSet = withType<number | null>(
  sql`(${query
    .select(pickColumns(cs, 'id'))
    .from(cs)
    .where(and(eq(cs.ws, c.ws), eq(cs.member, c.member), eq(cs.client, c.client_id), eq(cs.status, 'open')))
    .getSQL()})`,
);

export const findCallerBySecret = prepared.firstRow((hash: Argument<string>, now: Argument<number>) =>
  query
    .select({
      ...callerColumns,
      ...pickColumns(c, 'scopes', 'expires_at'),
      credential_id: c.id,
      change_set: openChangeSet,
    })
    .from(c)
    .innerJoin(m, and(eq(m.no, c.member), eq(m.ws, c.ws)))
    .innerJoin(w, eq(w.no, c.ws))
    .where(and(eq(c.hash, hash), isValidCredential(now))),
);

/** Pass null as `signedInAt` if the directory has already confirmed that the session is open. */
export const findCallerBySession = prepared.firstRow(
  (workspaceId: Argument<string>, userId: Argument<string>, signedInAt: Argument<number | null>) =>
    query
      .select(callerColumns)
      .from(w)
      .innerJoin(m, eq(m.ws, w.no))
      .where(
        and(
          eq(w.id, workspaceId),
          eq(m.user_id, userId),
          lte(m.sessions_from, sql`coalesce(${signedInAt}, ${m.sessions_from})`),
        ),
      ),
);

/** A webhook's deliveries are limited to what both its creator and the creator's credential can see. */
export interface WebhookCreator {
  readonly workspace: number;
  readonly member: number;
  /** The id of the API key or OAuth token. Null for a session, because cells don't store session tokens. */
  readonly credential: number | null;
}

const isWebhookCreator = ({ workspace, member }: Argument<WebhookCreator>) =>
  and(eq(m.ws, workspace), eq(m.no, member));

const emptyCredentialColumns = {
  kind: withType<'api_key' | 'oauth' | null>(sql`NULL`),
  hash: withType<string | null>(sql`NULL`),
  credential_id: withType<number | null>(sql`NULL`),
  scopes: withType<string>(sql`''`),
  expires_at: withType<number | null>(sql`NULL`),
  change_set: withType<number | null>(sql`NULL`),
};

const findCreatorMember = prepared.firstRow((creator: Argument<WebhookCreator>) =>
  query
    .select({ ...callerColumns, ...emptyCredentialColumns })
    .from(m)
    .innerJoin(w, eq(w.no, m.ws))
    .where(isWebhookCreator(creator)),
);

const findCreatorCredential = prepared.firstRow((creator: Argument<WebhookCreator>, now: Argument<number>) =>
  query
    .select({
      ...callerColumns,
      ...pickColumns(c, 'kind', 'hash', 'scopes', 'expires_at'),
      credential_id: c.id,
      change_set: openChangeSet,
    })
    .from(c)
    .innerJoin(m, and(eq(m.no, c.member), eq(m.ws, c.ws)))
    .innerJoin(w, eq(w.no, c.ws))
    .where(and(eq(c.id, creator.credential), isWebhookCreator(creator), isValidCredential(now))),
);

export function findWebhookCreator(creator: WebhookCreator, now: number) {
  return creator.credential === null ? findCreatorMember(creator) : findCreatorCredential(creator, now);
}

export const isUnchangedMember = (caller: Argument<Caller>) =>
  and(
    eq(m.no, caller.member),
    eq(m.version, caller.version),
    eq(m.user_id, caller.userId),
    eq(m.ws, caller.workspace),
  );

const guardMember = prepared.guard((caller: Argument<Caller>) => hasRow(m, isUnchangedMember(caller)));

const guardCredential = prepared.guard(
  (caller: Argument<Caller>, hash: Argument<string>, now: Argument<number>) =>
    exists(
      query
        .select(pickColumns(c, 'id'))
        .from(c)
        .innerJoin(m, eq(m.no, c.member))
        .where(and(eq(c.hash, hash), isValidCredential(now), isUnchangedMember(caller))),
    ),
);

const guardToken = prepared.guard((caller: Argument<Caller>, hash: Argument<string>, now: Argument<number>) =>
  exists(
    query
      .select(pickColumns(c, 'id'))
      .from(c)
      .innerJoin(m, eq(m.no, c.member))
      .where(
        and(
          eq(c.hash, hash),
          isValidCredential(now),
          isUnchangedMember(caller),
          sql`${openChangeSet} IS ${caller.changeSet}`,
        ),
      ),
  ),
);

/**
 * Aborts the batch unless the cached membership is unchanged. A key or token must also be valid at `now`. For an app,
 * the open change set must also match the cached one, so that changes meant for staging don't take effect immediately.
 */
export function guardCaller(caller: Caller, now: number): Statement<void> {
  const { kind, hash } = caller.credential;
  if (kind === 'session') return guardMember(caller);
  return kind === 'oauth' ? guardToken(caller, hash, now) : guardCredential(caller, hash, now);
}

export const recordCredentialUse = prepared.write(
  (hash: Argument<string>, now: Argument<number>, intervalMs: Argument<number>) =>
    query
      .update(c)
      .set({ last_used_at: now })
      .where(
        and(eq(c.hash, hash), or(isNull(c.last_used_at), lte(c.last_used_at, sql`${now} - ${intervalMs}`))),
      ),
);
