import { and, desc, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
  rejectUnless,
  type Statement,
} from '../../kernel/sql/database.ts';
import {
  type Argument,
  hasRow,
  pickColumns,
  prepared,
  query,
  type RowOf,
} from '../../kernel/sql/prepared.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { teamMembers, teams } from '../../schema/cell/reference.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const d = aliasTable(teams, 'd');
const m = aliasTable(activeMembers, 'm');
const t = aliasTable(teams, 't');
const tm = aliasTable(teamMembers, 'tm');

export type TeamRole = 'lead' | 'member';

export const findTeam = prepared.firstRow((caller: Argument<Caller>, id: Argument<number>) =>
  query
    .select({
      ...pickColumns(teams, 'id', 'name', 'parent'),
      is_led: withType<0 | 1>(
        hasRow(
          teamMembers,
          and(
            eq(teamMembers.team, teams.id),
            eq(teamMembers.member, caller.member),
            eq(teamMembers.role, 'lead'),
          ),
        ),
      ),
    })
    .from(teams)
    .where(isTeamInWorkspace(caller, id)),
);
export type TeamState = RowOf<typeof findTeam>;

const isTeamInWorkspace = (caller: Argument<Caller>, id: Argument<number>) =>
  and(eq(teams.ws, caller.workspace), eq(teams.id, id));

/** Must come after the insert in the same batch, because it counts the new team. */
export function assertTeamLimit({ workspace }: Caller, max: number): Statement<void> {
  return rejectUnless(
    sql`(SELECT count(*) FROM ${t} WHERE ${t.ws} = ${workspace}) <= ${max}`,
    invalidRequestError(`A workspace can have up to ${max} teams. Delete one first.`),
  );
}

export const newestTeamId = sql`(SELECT max(${teams.id}) FROM ${teams})`;

export const findNewestTeam = prepared.row((caller: Argument<Caller>) =>
  query
    .select(pickColumns(teams, 'id'))
    .from(teams)
    .where(eq(teams.ws, caller.workspace))
    .orderBy(desc(teams.id))
    .limit(1),
);

export const insertTeam = prepared.write(
  (caller: Argument<Caller>, name: Argument<string>, parent: Argument<number | null>) =>
    query.insert(teams).values({ ws: caller.workspace, name, parent }),
);

type TeamFields = Omit<TeamState, 'is_led'>;

export const assertTeamUnchanged = prepared.assertUnchanged(
  (caller: Argument<Caller>, { id, name, parent }: Argument<TeamFields>) =>
    hasRow(
      teams,
      and(isTeamInWorkspace(caller, id), eq(teams.name, name), sql`${teams.parent} IS ${parent}`),
    ),
);

function selectAncestors(caller: Caller, id: number): SQL {
  return sql`
    WITH RECURSIVE up (id, parent) AS (
      SELECT ${t.id}, ${t.parent} FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${id}
      UNION SELECT ${t.id}, ${t.parent} FROM up CROSS JOIN ${t} ON ${t.id} = up.parent)
    SELECT id FROM up`;
}

export function checkTeamCycle(caller: Caller, parent: number, id: number): Statement<number> {
  return readNumber(sql`SELECT ${id} IN (${selectAncestors(caller, parent)}) AS n`);
}

export function assertValidParentTeam(caller: Caller, parent: number, id: number | null): Statement<void> {
  const exists = sql`EXISTS (SELECT 1 FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${parent})`;
  return assertUnchanged(
    id === null ? exists : sql`${exists} AND ${id} NOT IN (${selectAncestors(caller, parent)})`,
  );
}

export const updateTeam = prepared.write(
  (caller: Argument<Caller>, { id, name, parent }: Argument<TeamFields>) =>
    query.update(teams).set({ name, parent }).where(isTeamInWorkspace(caller, id)),
);

const moveSubteamsUp = prepared.write((caller: Argument<Caller>, id: Argument<number>) => {
  const above = sql`(SELECT ${d.parent} FROM ${d} WHERE ${d.id} = ${id})`;
  return query
    .update(teams)
    .set({ parent: above })
    .where(and(eq(teams.ws, caller.workspace), eq(teams.parent, id)));
});

const deleteTeamMembers = prepared.write((caller: Argument<Caller>, id: Argument<number>) => {
  const team = query.select(pickColumns(teams, 'id')).from(teams).where(isTeamInWorkspace(caller, id));
  return query.delete(teamMembers).where(eq(teamMembers.team, team));
});

const deleteTeamRow = prepared.write((caller: Argument<Caller>, id: Argument<number>) =>
  query.delete(teams).where(isTeamInWorkspace(caller, id)),
);

export function deleteTeam(caller: Caller, { id }: TeamState): Statement<void>[] {
  return [moveSubteamsUp(caller, id), deleteTeamMembers(caller, id), deleteTeamRow(caller, id)];
}

const teamPersonColumns = selectColumns({
  no: m.no,
  user_id: m.user_id,
});
export type TeamPerson = Row<typeof teamPersonColumns> & {
  team_role: TeamRole | null;
};

export function findTeamPerson(caller: Caller, team: number, userId: string): Statement<TeamPerson | null> {
  return readFirstRow(sql`
    SELECT ${teamPersonColumns}, ${selectColumns({
      team_role: withType<TeamRole | null>(sql`(
      SELECT ${tm.role} FROM ${tm} WHERE ${tm.team} = ${team} AND ${tm.member} = ${m.no})`),
    })}
    FROM ${m} WHERE ${m.ws} = ${caller.workspace} AND ${m.user_id} = ${userId}`);
}

export function assertTeamPersonUnchanged(caller: Caller, team: number, person: TeamPerson): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${m} WHERE ${m.no} = ${person.no} AND ${m.ws} = ${caller.workspace}
    AND (SELECT ${tm.role} FROM ${tm} WHERE ${tm.team} = ${team} AND ${tm.member} = ${m.no}) IS ${person.team_role})`);
}

export const upsertTeamMember = prepared.write(
  (team: Argument<number>, member: Argument<number>, role: Argument<TeamRole>) =>
    query
      .insert(teamMembers)
      .values({ team, member, role })
      .onConflictDoUpdate({ target: [teamMembers.team, teamMembers.member], set: { role } }),
);

export const deleteTeamMember = prepared.write((team: Argument<number>, member: Argument<number>) =>
  query.delete(teamMembers).where(and(eq(teamMembers.team, team), eq(teamMembers.member, member))),
);
