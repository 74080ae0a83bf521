import type { Caller } from '../../kernel/access/access.ts';
import { readFirstRow, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { bots } from '../../schema/cell/bots.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';

const a = aliasTable(members, 'a');
const b = aliasTable(bots, 'b');
const o = aliasTable(activeMembers, 'o');

/** The first owner is accountable for the bots of people who have left. */
export function selectAccountablePerson(ws: SQL | number, bot: SQL): SQL<number> {
  return withType<number>(sql`coalesce(
    (SELECT ${o.no} FROM ${b} CROSS JOIN ${o} ON ${o.no} = ${b.accountable} WHERE ${b.member} = ${bot}),
    (SELECT ${o.no} FROM ${o} WHERE ${o.ws} = ${ws} AND ${o.role} = 'owner' ORDER BY ${o.no} LIMIT 1))`);
}

export function transferBots(caller: Caller, from: number, to: number): Statement<void> {
  return write(sql`
    UPDATE ${bots} SET ${bots.accountable} = ${to}
    WHERE ${bots.ws} = ${caller.workspace} AND ${bots.accountable} = ${from}`);
}

const contactColumns = selectColumns({ name: a.name, email: a.email });

export function findAccountablePerson(
  ws: number,
  bot: number,
): Statement<{ name: string; email: string } | null> {
  return readFirstRow(sql`
    SELECT ${contactColumns} FROM ${a} WHERE ${a.ws} = ${ws} AND ${a.no} = ${selectAccountablePerson(ws, sql`${bot}`)}`);
}
