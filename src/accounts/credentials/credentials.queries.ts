import type { Caller } from '../../kernel/access/access.ts';
import { firstRow, guardStatement, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';

const c = names(credentials, 'c');
const m = names(activeMembers, 'm');
const w = names(workspaces, 'w');

const secretColumns = columns({
  scopes: c.scopes,
  expires_at: c.expires_at,
});

const callerColumns = columns({
  user_id: m.user_id,
  name: m.name,
  email: m.email,
  image: m.image,
  role: m.role,
  cells: m.cells,
  member: m.no,
  version: m.version,
  workspace: w.no,
  workspace_id: w.id,
  workspace_name: w.name,
  plan: w.plan,
  timezone: w.timezone,
  daily_capacity_hours: w.daily_capacity_hours,
});
export type CallerRow = Row<typeof callerColumns>;

function usable(hash: string, now: number): SQL {
  return sql`${c.hash} = ${hash} AND ${isValid(now)}`;
}

function isValid(now: number): SQL {
  return sql`${c.revoked_at} IS NULL AND (${c.expires_at} IS NULL OR ${c.expires_at} > ${now})`;
}

/** The caller behind an API key or an OAuth token that is valid at `now`. */
export function findCallerBySecret(hash: string, now: number) {
  return firstRow(sql`
    SELECT ${callerColumns}, ${secretColumns}
    FROM ${c} JOIN ${m} ON ${m.no} = ${c.member} AND ${m.ws} = ${c.ws} JOIN ${w} ON ${w.no} = ${c.ws}
    WHERE ${usable(hash, now)}`);
}

/**
 * The caller that a session names, unless the sessions of then were ended.
 * @param signedInAt null where another table says that the session lasts.
 */
export function findCallerBySession(workspaceId: string, userId: string, signedInAt: number | null) {
  return firstRow(sql`
    SELECT ${callerColumns} FROM ${w} JOIN ${m} ON ${m.ws} = ${w.no}
    WHERE ${w.id} = ${workspaceId} AND ${m.user_id} = ${userId}
      AND ${m.sessions_from} <= coalesce(${signedInAt}, ${m.sessions_from})`);
}

/** The credential with which a webhook was made: the webhook goes on acting with its rights. */
export interface Standing {
  readonly workspace: number;
  readonly member: number;
  /** Id of an API key or OAuth token; null: a session, of which nothing is stored. */
  readonly credential: number | null;
}

const keyColumns = columns({
  kind: c.kind,
  hash: c.hash,
  scopes: c.scopes,
  expires_at: c.expires_at,
});

const sessionColumns = columns({
  kind: typed<'api_key' | 'oauth' | null>(sql`NULL`),
  hash: typed<string | null>(sql`NULL`),
  scopes: typed<string>(sql`''`),
  expires_at: typed<number | null>(sql`NULL`),
});

/** The caller behind a standing credential; null if the membership, the key or the token is not valid at `now`. */
export function findStandingCaller({ workspace, member, credential }: Standing, now: number) {
  const isMember = sql`${m.ws} = ${workspace} AND ${m.no} = ${member}`;
  if (credential === null) {
    return firstRow(sql`
      SELECT ${callerColumns}, ${sessionColumns}
      FROM ${m} JOIN ${w} ON ${w.no} = ${m.ws} WHERE ${isMember}`);
  }
  return firstRow(sql`
    SELECT ${callerColumns}, ${keyColumns}
    FROM ${c} JOIN ${m} ON ${m.no} = ${c.member} AND ${m.ws} = ${c.ws} JOIN ${w} ON ${w.no} = ${c.ws}
    WHERE ${c.id} = ${credential} AND ${isMember} AND ${isValid(now)}`);
}

/** Raises unless the credential is valid at `now`, and the cached membership is unchanged and has not ended. */
export function guardCaller(caller: Caller, now: number): Statement<void> {
  const membership = sql`
    ${m.no} = ${caller.member} AND ${m.version} = ${caller.version} AND ${m.user_id} = ${caller.userId}
      AND ${m.ws} = ${caller.workspace}`;
  if (caller.credential.kind === 'session') {
    return guardStatement(sql`EXISTS (SELECT 1 FROM ${m} WHERE ${membership})`);
  }
  return guardStatement(sql`EXISTS (
    SELECT 1 FROM ${c} JOIN ${m} ON ${m.no} = ${c.member}
    WHERE ${usable(caller.credential.hash, now)} AND ${membership})`);
}

/** Writes nothing if the last use is younger than `intervalMs`. */
export function touchCredential(hash: string, now: number, intervalMs: number): Statement<void> {
  return write(sql`
    UPDATE ${credentials} SET ${credentials.last_used_at} = ${now}
    WHERE ${credentials.hash} = ${hash} AND (${credentials.last_used_at} IS NULL
      OR ${credentials.last_used_at} <= ${now - intervalMs})`);
}
