import { and, eq, isNull } from 'drizzle-orm';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { users } from '../../schema/directory/accounts.ts';
import { oauthAppPeople, oauthClients } from '../../schema/directory/oauth-clients.ts';
import { oauthCodes } from '../../schema/directory/oauth-codes.ts';

const a = aliasTable(oauthClients, 'a');
const c = aliasTable(oauthCodes, 'c');
const p = aliasTable(oauthAppPeople, 'p');

export const findAppOwner = prepared.firstRow((clientId: Argument<string>) =>
  query
    .select(pickColumns(users, 'email'))
    .from(oauthClients)
    .innerJoin(users, eq(users.id, oauthClients.owner_id))
    .where(and(eq(oauthClients.id, clientId), isNull(oauthClients.deleted_at))),
);

/** If the app has an owner, counts each person once, and records the workspace in which they authorized the app. */
export function recordAuthorization(codeHash: string, cell: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${oauthClients} SET ${oauthClients.people} = ${oauthClients.people} + 1
      WHERE ${oauthClients.owner_id} IS NOT NULL
        AND ${oauthClients.id} = (SELECT ${c.client_id} FROM ${c} WHERE ${c.code_hash} = ${codeHash})
        AND NOT EXISTS (
          SELECT 1 FROM ${c} CROSS JOIN ${p} ON ${p.client_id} = ${c.client_id} AND ${p.user_id} = ${c.user_id}
          WHERE ${c.code_hash} = ${codeHash})`),
    write(sql`
      INSERT INTO ${nameInsertColumns(oauthAppPeople, 'client_id', 'user_id', 'workspace_id', 'cell')}
      SELECT ${c.client_id}, ${c.user_id}, ${c.workspace_id}, ${cell}
      FROM ${c} CROSS JOIN ${a} ON ${a.id} = ${c.client_id} AND ${a.owner_id} IS NOT NULL
      WHERE ${c.code_hash} = ${codeHash}
      ON CONFLICT DO NOTHING`),
  ];
}
