import type { Caller } from '../../kernel/access/access.ts';
import type { Role } from '../../kernel/access/roles.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { bots } from '../../schema/cell/bots.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { selectAccountablePerson } from '../accountable/accountable.queries.ts';
import type { BotIcon } from './bots.schema.ts';

const a = aliasTable(members, 'a');
const b = aliasTable(bots, 'b');
const c = aliasTable(credentials, 'c');
const m = aliasTable(activeMembers, 'm');

const selectBotColumns = (now: number) =>
  selectColumns({
    no: m.no,
    id: m.user_id,
    name: m.name,
    role: m.role,
    icon: withType<BotIcon>(b.icon),
    accountable: a.no,
    accountable_id: a.user_id,
    accountable_name: a.name,
    keys: withType<number>(sql`(SELECT count(*) FROM ${c} INDEXED BY credentials_by_member
      WHERE ${c.member} = ${m.no} AND ${c.revoked_at} IS NULL
        AND (${c.expires_at} IS NULL OR ${c.expires_at} > ${now}))`),
  });
export type BotRow = Row<ReturnType<typeof selectBotColumns>>;

const joinAccountablePerson = (caller: Caller) => sql`
  CROSS JOIN ${a} ON ${a.no} = ${selectAccountablePerson(caller.workspace, m.no)}`;

export function listBots(caller: Caller, now: number): Statement<BotRow[]> {
  return readRows(sql`
    SELECT ${selectBotColumns(now)} FROM ${b} INDEXED BY bots_by_workspace
      CROSS JOIN ${m} ON ${m.no} = ${b.member} AND ${m.ws} = ${b.ws} ${joinAccountablePerson(caller)}
    WHERE ${b.ws} = ${caller.workspace} ORDER BY ${m.name}, ${m.no}`);
}

export function findBot(caller: Caller, id: string, now: number): Statement<BotRow | null> {
  return readFirstRow(sql`
    SELECT ${selectBotColumns(now)} FROM ${m} CROSS JOIN ${b} ON ${b.member} = ${m.no} AND ${b.ws} = ${m.ws}
      ${joinAccountablePerson(caller)}
    WHERE ${m.ws} = ${caller.workspace} AND ${m.user_id} = ${id}`);
}

const selectBotCount = (caller: Caller) => sql`
  SELECT count(*) AS n FROM ${b} CROSS JOIN ${m} ON ${m.no} = ${b.member} WHERE ${b.ws} = ${caller.workspace}`;

export function countBots(caller: Caller): Statement<number> {
  return readNumber(selectBotCount(caller));
}

export interface NewBot {
  readonly id: string;
  readonly name: string;
  readonly icon: BotIcon;
  readonly role: Role;
}

export function insertBot(caller: Caller, bot: NewBot, max: number, now: number): Statement<void>[] {
  const email = `${bot.id}@bots.invalid`;
  return [
    assertUnchanged(sql`(${selectBotCount(caller)}) < ${max}`),
    write(sql`
      INSERT INTO ${nameInsertColumns(members, 'ws', 'user_id', 'role', 'name', 'email', 'email_key', 'cells', 'created_at')}
      VALUES (${caller.workspace}, ${bot.id}, ${bot.role}, ${bot.name}, ${email}, ${email.toLowerCase()},
        ${JSON.stringify([caller.cell])}, ${now})`),
    write(sql`
      INSERT INTO ${nameInsertColumns(bots, 'member', 'ws', 'accountable', 'icon', 'created_at')}
      SELECT ${m.no}, ${caller.workspace}, ${caller.member}, ${bot.icon}, ${now} FROM ${m}
      WHERE ${m.ws} = ${caller.workspace} AND ${m.user_id} = ${bot.id}`),
  ];
}

export function assertBotUnchanged(caller: Caller, { no, name, icon, accountable }: BotRow): Statement<void> {
  return assertUnchanged(sql`EXISTS (SELECT 1 FROM ${b} CROSS JOIN ${m} ON ${m.no} = ${b.member}
    WHERE ${b.ws} = ${caller.workspace} AND ${b.member} = ${no} AND ${m.name} = ${name} AND ${b.icon} = ${icon}
      AND ${selectAccountablePerson(caller.workspace, sql`${no}`)} = ${accountable})`);
}

export function updateBot(
  caller: Caller,
  no: number,
  { name, icon, accountable }: { name: string; icon: BotIcon; accountable: number },
): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${members} SET ${members.name} = ${name}
      WHERE ${members.ws} = ${caller.workspace} AND ${members.no} = ${no} AND ${members.name} <> ${name}`),
    write(sql`
      UPDATE ${bots} SET ${bots.icon} = ${icon}, ${bots.accountable} = ${accountable}
      WHERE ${bots.ws} = ${caller.workspace} AND ${bots.member} = ${no}`),
  ];
}
