import { credentials } from '../connected-apps/connected-apps.sql.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { columns, names, type Row, type SQL, sql } from '../kernel/sql.ts';
import { members, workspaces } from '../workspaces/workspaces.sql.ts';

const m = names(members, 'm');
const w = names(workspaces, 'w');

const revokedColumns = columns({
  id: credentials.id,
  name: credentials.name,
  kind: credentials.kind,
});
export type Revoked = Row<typeof revokedColumns>;

/** What credentials have in common that are revoked together. */
export const whose = {
  hash: (hash: string): SQL => sql`${credentials.hash} = ${hash}`,
  person: (userId: string): SQL =>
    sql`${credentials.member} IN (SELECT ${m.no} FROM ${m} WHERE ${m.user_id} = ${userId})`,
  workspace: (id: string): SQL => sql`${credentials.ws} = (SELECT ${w.no} FROM ${w} WHERE ${w.id} = ${id})`,
  app: (clientId: string): SQL => sql`${credentials.client_id} = ${clientId}`,
};

/** Answers those that worked until now. */
export function revokeAll(condition: SQL, now: number): Statement<Revoked[]> {
  return rows(sql`
    UPDATE ${credentials} SET ${credentials.revoked_at} = ${now}
    WHERE ${condition} AND ${credentials.revoked_at} IS NULL RETURNING ${revokedColumns}`);
}
