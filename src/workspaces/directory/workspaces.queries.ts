import { and, count, eq, ne } from 'drizzle-orm';
import type { Plan } from '../../kernel/access/access.ts';
import type { Role } from '../../kernel/access/roles.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { buildInList, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query, type RowOf } from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { newProjectColumns } from '../../projects/operations/project-columns.schema.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { type CategoryDefaults, starterProject } from './workspace-defaults.ts';

const excluded = aliasTable(members, 'excluded');
const c = aliasTable(taskCategories, 'c');
const k = aliasTable(taskTypes, 'k');
const m = aliasTable(activeMembers, 'm');
const allMembers = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const w = aliasTable(workspaces, 'w');
const memberInsertColumns = nameInsertColumns(
  members,
  'ws',
  'user_id',
  'role',
  'name',
  'email',
  'email_key',
  'image',
  'cells',
  'created_at',
);

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly image: string | null;
}

export const findMembership = prepared.firstRow((workspaceId: Argument<string>, userId: Argument<string>) =>
  query
    .select({
      ...pickColumns(activeMembers, 'user_id', 'email', 'name', 'image', 'role', 'sessions_from'),
      workspace_id: workspaces.id,
      workspace_name: workspaces.name,
      plan: workspaces.plan,
    })
    .from(workspaces)
    .innerJoin(activeMembers, eq(activeMembers.ws, workspaces.no))
    .where(and(eq(workspaces.id, workspaceId), eq(activeMembers.user_id, userId))),
);
export type Membership = RowOf<typeof findMembership>;

export const countWorkspacesById = prepared.number((workspaceId: Argument<string>) =>
  query.select({ n: count() }).from(workspaces).where(eq(workspaces.id, workspaceId)),
);

const workspaceColumns = selectColumns({
  id: w.id,
  name: w.name,
  plan: w.plan,
  role: m.role,
});

export function listMemberWorkspaces(userId: string, workspaceIds: readonly string[]) {
  return readRows(sql`
    SELECT ${workspaceColumns}
    FROM ${w} JOIN ${m} ON ${m.ws} = ${w.no}
    WHERE ${w.id} IN ${buildInList(workspaceIds)} AND ${m.user_id} = ${userId}`);
}

export interface NewWorkspace {
  id: string;
  name: string;
  plan: Plan;
  timezone: string;
}

const insertWorkspaceRow = prepared.write(
  ({ id, name, plan, timezone }: Argument<NewWorkspace>, today: Argument<string>, now: Argument<number>) =>
    query
      .insert(workspaces)
      .values({ id, name, plan, timezone, past_cutoff: today, week_cutoff: today, created_at: now })
      .onConflictDoNothing(),
);

export function insertWorkspace(workspace: NewWorkspace, now: number) {
  return insertWorkspaceRow(workspace, toWallClock(now, workspace.timezone).date, now);
}

/** Does nothing for active members. Restores a former member's membership with the given role. */
export function insertMember(
  workspaceId: string,
  person: Person,
  role: Role,
  cells: readonly number[],
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO ${memberInsertColumns}
    SELECT ${w.no}, ${person.id}, ${role}, ${person.name}, ${person.email}, ${person.email.toLowerCase()},
      ${person.image}, ${JSON.stringify(cells)}, ${now}
    FROM ${w} WHERE ${w.id} = ${workspaceId}
    ON CONFLICT (${members.ws}, ${members.user_id}) DO UPDATE
      SET ${members.ended_at} = NULL, ${members.role} = ${excluded.role}, ${members.name} = ${excluded.name},
      ${members.email} = ${excluded.email}, ${members.email_key} = ${excluded.email_key},
        ${members.image} = ${excluded.image}, ${members.cells} = ${excluded.cells}
    WHERE ${members.ended_at} IS NOT NULL`);
}

export function insertOwner(workspaceId: string, person: Person, cells: readonly number[], now: number) {
  return write(sql`
    INSERT INTO ${memberInsertColumns}
    SELECT ${w.no}, ${person.id}, 'owner', ${person.name}, ${person.email}, ${person.email.toLowerCase()},
      ${person.image}, ${JSON.stringify(cells)}, ${now}
    FROM ${w}
    WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${allMembers} WHERE ${allMembers.ws} = ${w.no})`);
}

export const markOwnerUncopied = prepared.write((workspaceId: Argument<string>, userId: Argument<string>) => {
  const ws = query
    .select(pickColumns(workspaces, 'no'))
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return query
    .update(members)
    .set({ is_settled: 0 })
    .where(and(eq(members.user_id, userId), eq(members.ws, ws)));
});

const updateMemberCells = prepared.write((userId: Argument<string>, cells: Argument<string>) =>
  query
    .update(members)
    .set({ cells })
    .where(and(eq(members.user_id, userId), ne(members.cells, cells))),
);

export function updatePersonCells(userId: string, cells: readonly number[]) {
  return updateMemberCells(userId, JSON.stringify(cells));
}

export function insertTaskCategories(workspaceId: string, categories: readonly CategoryDefaults[]) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(taskCategories, 'ws', 'key', 'value', 'default_estimated_hours')}
    SELECT ${w.no}, json_extract(d.value, '$.key'), json_extract(d.value, '$.value'),
      json_extract(d.value, '$.hours')
    FROM ${w}, json_each(${JSON.stringify(categories)}) d
    WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${c} WHERE ${c.ws} = ${w.no})`);
}

export function insertTaskTypes(workspaceId: string, categories: readonly CategoryDefaults[]) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(taskTypes, 'ws', 'category', 'key', 'value', 'default_estimated_hours')}
    SELECT ${w.no}, ${c.id}, json_extract(t.value, '$.key'), json_extract(t.value, '$.value'),
      json_extract(t.value, '$.hours')
    FROM ${w}, json_each(${JSON.stringify(categories)}) d, json_each(d.value, '$.types') t
      JOIN ${c} ON ${c.ws} = ${w.no} AND ${c.key} = json_extract(d.value, '$.key')
    WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${k} WHERE ${k.ws} = ${w.no})
    ORDER BY d.key, t.key`);
}

export function insertStarterProject(workspaceId: string, ownerId: string, now: number) {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(projects, 'ws', 'name', 'description', 'status', 'owner', 'created_at', 'task_columns')}
      SELECT ${w.no}, ${starterProject.name}, ${starterProject.description}, 'active', ${allMembers.no}, ${now},
        ${newProjectColumns}
      FROM ${w} JOIN ${allMembers} ON ${allMembers.ws} = ${w.no} AND ${allMembers.user_id} = ${ownerId}
      WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.ws} = ${w.no})`),
    write(sql`
      INSERT INTO ${nameInsertColumns(projectMembers, 'project', 'member')}
      SELECT ${p.id}, ${p.owner} FROM ${p} JOIN ${w} ON ${w.no} = ${p.ws} WHERE ${w.id} = ${workspaceId}
      ON CONFLICT DO NOTHING`),
  ] as const;
}
