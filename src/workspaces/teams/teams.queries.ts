import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequest } from '../../kernel/errors/errors.ts';
import {
  assertUnchanged,
  firstRow,
  number,
  refuseUnless,
  row,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { teamMembers, teams } from '../../schema/cell/reference.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const d = names(teams, 'd');
const m = names(activeMembers, 'm');
const t = names(teams, 't');
const tm = names(teamMembers, 'tm');

export type TeamRole = 'lead' | 'member';

const teamColumns = columns({
  id: t.id,
  name: t.name,
  parent: t.parent,
});
export type TeamState = Row<typeof teamColumns> & {
  /** 1 where the caller leads it. */
  is_led: 0 | 1;
};

export function findTeam(caller: Caller, id: number): Statement<TeamState | null> {
  return firstRow(sql`
    SELECT ${teamColumns}, ${columns({
      is_led: typed<0 | 1>(sql`EXISTS (
      SELECT 1 FROM ${tm} WHERE ${tm.team} = ${t.id} AND ${tm.member} = ${caller.member}
        AND ${tm.role} = 'lead')`),
    })}
    FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${id}`);
}

/** Undoes the batch where there are more. To stand behind the insert. */
export function requireTeamsAtMost({ workspace }: Caller, max: number): Statement<void> {
  return refuseUnless(
    sql`(SELECT count(*) FROM ${t} WHERE ${t.ws} = ${workspace}) <= ${max}`,
    invalidRequest(`A workspace has at most ${max} teams. Delete one first.`),
  );
}

/** The team that the same batch inserted. */
export const newestTeam = sql`(SELECT max(${teams.id}) FROM ${teams})`;

const idColumn = columns({ id: t.id });

export function findNewestTeam(caller: Caller): Statement<{ id: number }> {
  return row(
    sql`SELECT ${idColumn} FROM ${t} WHERE ${t.ws} = ${caller.workspace} ORDER BY ${t.id} DESC LIMIT 1`,
  );
}

export function insertTeam(caller: Caller, name: string, parent: number | null): Statement<void> {
  return write(sql`INSERT INTO ${into(teams, 'ws', 'name', 'parent')}
    VALUES (${caller.workspace}, ${name}, ${parent})`);
}

/** Undoes the batch unless the team is as it was read. */
export function assertTeam(caller: Caller, { id, name, parent }: TeamState): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${id} AND ${t.name} = ${name}
    AND ${t.parent} IS ${parent})`);
}

/** The team and every team above it. */
function pathUp(caller: Caller, id: number): SQL {
  return sql`
    WITH RECURSIVE up (id, parent) AS (
      SELECT ${t.id}, ${t.parent} FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${id}
      UNION SELECT ${t.id}, ${t.parent} FROM up CROSS JOIN ${t} ON ${t.id} = up.parent)
    SELECT id FROM up`;
}

/** Whether `parent` is the team itself or a part of it. */
export function isWithin(caller: Caller, parent: number, id: number): Statement<number> {
  return number(sql`SELECT ${id} IN (${pathUp(caller, parent)}) AS n`);
}

/** Undoes the batch unless `parent` is a team of the workspace, and no part of `id`. */
export function assertParent(caller: Caller, parent: number, id: number | null): Statement<void> {
  const exists = sql`EXISTS (SELECT 1 FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${parent})`;
  return assertUnchanged(id === null ? exists : sql`${exists} AND ${id} NOT IN (${pathUp(caller, parent)})`);
}

export function updateTeam(caller: Caller, { id, name, parent }: Omit<TeamState, 'is_led'>): Statement<void> {
  return write(sql`
    UPDATE ${teams} SET ${teams.name} = ${name}, ${teams.parent} = ${parent}
      WHERE ${teams.ws} = ${caller.workspace} AND ${teams.id} = ${id}`);
}

/** Its parts become parts of the team above it. */
export function deleteTeam(caller: Caller, { id }: TeamState): Statement<void>[] {
  const own = sql`ws = ${caller.workspace}`;
  return [
    write(sql`
      UPDATE ${teams} SET ${teams.parent} = (SELECT ${d.parent} FROM ${d} WHERE ${d.id} = ${id}) WHERE ${own}
        AND ${teams.parent} = ${id}`),
    write(sql`
      DELETE FROM ${teamMembers} WHERE ${teamMembers.team} = (SELECT ${t.id}
        FROM ${t} WHERE t.${own} AND ${t.id} = ${id})`),
    write(sql`DELETE FROM ${teams} WHERE ${own} AND ${teams.id} = ${id}`),
  ];
}

const teamPersonColumns = columns({
  no: m.no,
  user_id: m.user_id,
});
export type TeamPerson = Row<typeof teamPersonColumns> & {
  /** Null where they are not in the team. */
  team_role: TeamRole | null;
};

export function findTeamPerson(caller: Caller, team: number, userId: string): Statement<TeamPerson | null> {
  return firstRow(sql`
    SELECT ${teamPersonColumns}, ${columns({
      team_role: typed<TeamRole | null>(sql`(
      SELECT ${tm.role} FROM ${tm} WHERE ${tm.team} = ${team} AND ${tm.member} = ${m.no})`),
    })}
    FROM ${m} WHERE ${m.ws} = ${caller.workspace} AND ${m.user_id} = ${userId}`);
}

/** Undoes the batch unless the person is a member of the workspace, and in the team as they were. */
export function assertTeamPerson(caller: Caller, team: number, person: TeamPerson): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${m} WHERE ${m.no} = ${person.no} AND ${m.ws} = ${caller.workspace}
    AND (SELECT ${tm.role} FROM ${tm} WHERE ${tm.team} = ${team} AND ${tm.member} = ${m.no}) IS ${person.team_role})`);
}

export function putTeamMember(team: number, member: number, role: TeamRole): Statement<void> {
  return write(sql`
    INSERT INTO ${into(teamMembers, 'team', 'member', 'role')} VALUES (${team}, ${member}, ${role})
    ON CONFLICT (${teamMembers.team}, ${teamMembers.member}) DO UPDATE SET ${teamMembers.role} = excluded.role`);
}

export function deleteTeamMember(team: number, member: number): Statement<void> {
  return write(
    sql`DELETE FROM ${teamMembers} WHERE ${teamMembers.team} = ${team} AND ${teamMembers.member} = ${member}`,
  );
}
