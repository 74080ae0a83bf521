import { and, eq, ne } from 'drizzle-orm';
import { recordEvents } from '../../events/log/record.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { Role } from '../../kernel/access/roles.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { assertUnchanged, readFirstRow, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, hasRow, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { departures } from '../../schema/cell/departures.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { otherAssignees, tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { COMPLETED_STATUS } from '../../tasks/fields.ts';
import { toBucket } from '../../tasks/model/buckets.ts';

const d = aliasTable(departures, 'd');
const h = aliasTable(members, 'h');
const m = aliasTable(activeMembers, 'm');
const m2 = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');
const q = aliasTable(otherAssignees, 'q');
const t = aliasTable(tasks, 't');
const w = aliasTable(workspaces, 'w');
const x = aliasTable(otherAssignees, 'x');

const FIRST_COMPLETED_BUCKET = toBucket({ archived: 0, status: COMPLETED_STATUS, priority: 0 });

/** Leads are members of their projects, so only the person's projects are read. */
function selectLedProjects(no: SQL): SQL {
  return sql`${pm} INDEXED BY project_members_by_member CROSS JOIN ${p} ON ${p.id} = ${pm.project}
    WHERE ${pm.member} = ${no} AND ${p.owner} = ${no}`;
}

const personColumns = selectColumns({
  no: m.no,
  user_id: m.user_id,
  role: m.role,
  leads: withType<number>(sql`(SELECT count(*) FROM ${selectLedProjects(sql`${m.no}`)})`),
});
export type PersonState = Row<typeof personColumns>;

export function findPerson(caller: Caller, userId: string): Statement<PersonState | null> {
  return readFirstRow(sql`
    SELECT ${personColumns}
    FROM ${m} WHERE ${m.ws} = ${caller.workspace} AND ${m.user_id} = ${userId}`);
}

export const findFirstOwner = prepared.firstRow((caller: Argument<Caller>) =>
  query
    .select(pickColumns(activeMembers, 'no'))
    .from(activeMembers)
    .where(isOwnerInWorkspace(caller))
    .orderBy(eq(activeMembers.no, caller.member), activeMembers.no)
    .limit(1),
);

const isOwnerInWorkspace = (caller: Argument<Caller>) =>
  and(eq(activeMembers.ws, caller.workspace), eq(activeMembers.role, 'owner'));

export const assertRoleUnchanged = prepared.assertUnchanged(
  (caller: Argument<Caller>, { no, role }: Argument<Pick<PersonState, 'no' | 'role'>>) =>
    hasRow(
      activeMembers,
      and(eq(activeMembers.ws, caller.workspace), eq(activeMembers.no, no), eq(activeMembers.role, role)),
    ),
);

export const assertHasAnotherOwner = prepared.assertUnchanged(
  (caller: Argument<Caller>, no: Argument<number>) =>
    hasRow(activeMembers, and(isOwnerInWorkspace(caller), ne(activeMembers.no, no))),
);

export function assertLeadsNoProjects(caller: Caller, no: number): Statement<void> {
  return assertUnchanged(
    sql`NOT EXISTS (SELECT 1 FROM ${selectLedProjects(sql`${no}`)} AND ${p.ws} = ${caller.workspace})`,
  );
}

export const updateRole = prepared.write(
  (caller: Argument<Caller>, no: Argument<number>, role: Argument<Role>) =>
    query
      .update(members)
      .set({ role })
      .where(and(eq(members.ws, caller.workspace), eq(members.no, no))),
);

/** Also makes the new lead a member of the projects, and records an event for each project. */
export function transferProjects(
  ctx: WriteContext,
  from: { no: number; user_id: string },
  to: number,
): Statement<void>[] {
  const { workspace } = ctx.caller;
  const led = sql`${selectLedProjects(sql`${from.no}`)} AND ${p.ws} = ${workspace}`;
  const heirId = sql`(SELECT ${h.user_id} FROM ${h} WHERE ${h.no} = ${to})`;
  return [
    recordEvents(
      ctx,
      sql`SELECT 'project.updated' AS type, ${p.id} AS project, NULL AS task, NULL AS entity, NULL AS reader,
        row_number() OVER (ORDER BY ${p.id}) - 1 AS position,
        json_object('owner', json_object('from', ${from.user_id}, 'to', ${heirId})) AS changes, 0 AS entries
          FROM ${led}`,
    ),
    write(sql`
      INSERT INTO ${nameInsertColumns(projectMembers, 'project', 'member')} SELECT ${p.id}, ${to} FROM ${led}
        ON CONFLICT DO NOTHING`),
    write(sql`
      UPDATE ${projects} SET ${projects.owner} = ${to}, ${projects.version} = ${projects.version} + 1
        WHERE ${projects.id} IN (SELECT ${p.id} FROM ${led})`),
  ];
}

export function withdrawSentInvitations(no: number, now: number): Statement<void> {
  return write(sql`
    UPDATE ${invitations} SET ${invitations.ended_at} = ${now} WHERE ${invitations.invited_by} = ${no}
      AND ${invitations.ended_at} IS NULL
    AND ${invitations.ws} = (SELECT ${m2.ws} FROM ${m2} WHERE ${m2.no} = ${no})`);
}

const openTaskColumns = selectColumns({
  id: t.id,
  /** 1 if the task has several assignees. */
  is_shared: withType<0 | 1>(sql`EXISTS (SELECT 1 FROM ${x} WHERE ${x.id} = ${t.id})`),
});
export type OpenTask = Row<typeof openTaskColumns>;
const isOpenTask = (task: typeof t | typeof q) =>
  sql`${task.bucket} < ${sql.raw(String(FIRST_COMPLETED_BUCKET))}`;
const isOtherAssignee = (no: number) =>
  sql`EXISTS (SELECT 1 FROM ${x} WHERE ${x.id} = ${t.id} AND ${x.assignee} = ${no})`;

export function listOpenTasks(ws: number, no: number, limit: number): Statement<OpenTask[]> {
  return readRows(sql`
    SELECT ${openTaskColumns} FROM ${t} INDEXED BY tasks_by_assignee
    WHERE ${t.assignee} = ${no} AND ${isOpenTask(t)} AND ${t.ws} = ${ws}
    UNION ALL SELECT ${q.id}, 1 FROM ${q} INDEXED BY other_assignees_by_bucket
    WHERE ${q.assignee} = ${no} AND ${isOpenTask(q)} AND ${q.ws} = ${ws}
    LIMIT ${limit}`);
}

export function assertTasksAssigned(no: number, tasks: readonly OpenTask[]): Statement<void> {
  const shared = JSON.stringify(tasks.map(({ id, is_shared }) => [id, is_shared]));
  return assertUnchanged(sql`(
    SELECT count(*) FROM json_each(${shared}) j CROSS JOIN ${t} NOT INDEXED ON ${t.id} = j.value ->> 0
    WHERE (${t.assignee} = ${no} OR ${isOtherAssignee(no)}) AND ${isOpenTask(t)}
      AND (j.value ->> 1 = 1 OR ${t.other_assignees} = '[]')) = ${tasks.length}`);
}

export type Departure = Row<typeof departureColumns>;

export function insertDeparture(
  ctx: WriteContext,
  { member, heir }: Pick<Departure, 'member' | 'heir'>,
): Statement<void> {
  const { caller, now } = ctx;
  return write(sql`
    INSERT INTO ${nameInsertColumns(departures, 'member', 'ws', 'heir', 'actor', 'created_at')}
    VALUES (${member}, ${caller.workspace}, ${heir}, ${caller.member}, ${now})
    ON CONFLICT (${departures.member}) DO UPDATE SET ${departures.heir} = excluded.heir,
      ${departures.actor} = excluded.actor`);
}

export function hasDepartures(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${d})`;
}

export function listDepartures(limit: number): Statement<Departure[]> {
  return readRows(sql`
    SELECT ${departureColumns} FROM ${d} CROSS JOIN ${w} ON ${w.no} = ${d.ws} ORDER BY ${d.created_at} LIMIT ${limit}`);
}

export function findDeparture(member: number): Statement<Departure | null> {
  return readFirstRow(sql`
    SELECT ${departureColumns} FROM ${d} CROSS JOIN ${w} ON ${w.no} = ${d.ws} WHERE ${d.member} = ${member}`);
}

const departureColumns = selectColumns({
  member: d.member,
  ws: d.ws,
  timezone: w.timezone,
  actor: d.actor,
  heir: withType<number>(sql`coalesce((SELECT ${m.no} FROM ${m} WHERE ${m.no} = ${d.heir}), 0)`),
});

export function deleteDeparture(member: number): Statement<void> {
  return write(sql`
    DELETE FROM ${departures} WHERE ${departures.member} = ${member} AND NOT EXISTS (
      SELECT 1 FROM ${t} INDEXED BY tasks_by_assignee WHERE ${t.assignee} = ${member} AND ${isOpenTask(t)})
    AND NOT EXISTS (
      SELECT 1 FROM ${q} INDEXED BY other_assignees_by_bucket WHERE ${q.assignee} = ${member} AND ${isOpenTask(q)})`);
}
