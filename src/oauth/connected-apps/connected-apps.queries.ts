import type { Caller } from '../../kernel/access/access.ts';
import { isAfter, limitOf, type Range } from '../../kernel/lists/pagination.ts';
import { firstRow, number, queryBuilder, rows, write } from '../../kernel/sql/database.ts';
import { columns, type Row, type SQL, sql } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';

export type CredentialRow = Row<typeof listed>;

const listed = columns({
  id: credentials.id,
  kind: credentials.kind,
  name: credentials.name,
  prefix: credentials.prefix,
  scopes: credentials.scopes,
  created_at: credentials.created_at,
  last_used_at: credentials.last_used_at,
  expires_at: credentials.expires_at,
  revoked_at: credentials.revoked_at,
});

/** Nobody sees another person's credentials, whatever the role. */
function own(caller: Caller): SQL {
  return sql`${credentials.ws} = ${caller.workspace} AND ${credentials.member} = ${caller.member}`;
}

export function listCredentials(caller: Caller, range: Range) {
  return rows(sql`
    SELECT ${listed} FROM ${credentials} WHERE ${own(caller)}
    AND ${isAfter(range, [{ column: sql`${credentials.id}`, isDescending: true }])}
      ORDER BY ${credentials.id} DESC ${limitOf(range)}`);
}

export function countCredentials(caller: Caller) {
  return number(sql`SELECT count(*) AS n FROM ${credentials} WHERE ${own(caller)}`);
}

interface ApiKeyDraft {
  hash: string;
  name: string;
  prefix: string;
  /** Separated by spaces; empty for every scope. */
  scopes: string;
  /** Milliseconds since the epoch; null for a key that ends only when it is revoked. */
  expires_at: number | null;
}

export function insertApiKey(caller: Caller, credential: ApiKeyDraft, now: number) {
  return write(
    queryBuilder.insert(credentials).values({
      ...credential,
      kind: 'api_key',
      ws: caller.workspace,
      member: caller.member,
      created_at: now,
    }),
  );
}

export function findCredentialByHash(caller: Caller, hash: string) {
  return firstRow(
    sql`SELECT ${listed} FROM ${credentials} WHERE ${own(caller)} AND ${credentials.hash} = ${hash}`,
  );
}

export function findCredential(caller: Caller, id: number) {
  return firstRow(sql`SELECT ${listed}
    FROM ${credentials} WHERE ${own(caller)} AND ${credentials.id} = ${id}`);
}

const idColumn = columns({ id: credentials.id });

/** Answers the id, even if it was revoked before; null if the caller has no such credential. */
export function revokeCredential(caller: Caller, id: number, now: number) {
  return firstRow(sql`
    UPDATE ${credentials} SET ${credentials.revoked_at} = coalesce(${credentials.revoked_at}, ${now})
      WHERE ${credentials.id} = ${id} AND ${own(caller)}
    RETURNING ${idColumn}`);
}

/** For a credential that was never shown to anyone. */
export function deleteCredential(caller: Caller, id: number) {
  return write(sql`DELETE FROM ${credentials} WHERE ${own(caller)} AND ${credentials.id} = ${id}`);
}
