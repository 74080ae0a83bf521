import type { Plan, Role } from '../../kernel/access/access.ts';
import { wallClock } from '../../kernel/dates/civil.ts';
import {
  firstRow,
  inList,
  number,
  queryBuilder,
  rows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { type CategoryDefaults, starterProject } from './defaults.ts';

const excluded = names(members, 'excluded');
const c = names(taskCategories, 'c');
const k = names(taskTypes, 'k');
const m = names(activeMembers, 'm');
const everyone = names(members, 'm');
const p = names(projects, 'p');
const w = names(workspaces, 'w');
const intoMembers = into(
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

/** A person as the directory knows them. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly image: string | null;
}

const membershipColumns = columns({
  user_id: m.user_id,
  email: m.email,
  name: m.name,
  image: m.image,
  role: m.role,
  workspace_id: w.id,
  workspace_name: w.name,
  plan: w.plan,
  sessions_from: m.sessions_from,
});
/** A person in a workspace: what a login answers with. */
export type Membership = Row<typeof membershipColumns>;

export function findMembership(workspaceId: string, userId: string) {
  return firstRow(sql`
    SELECT ${membershipColumns}
    FROM ${w} JOIN ${m} ON ${m.ws} = ${w.no}
    WHERE ${w.id} = ${workspaceId} AND ${m.user_id} = ${userId}`);
}

export function countWorkspace(workspaceId: string) {
  return number(sql`SELECT count(*) AS n FROM ${workspaces} WHERE ${workspaces.id} = ${workspaceId}`);
}

const workspaceColumns = columns({
  id: w.id,
  name: w.name,
  plan: w.plan,
  role: m.role,
});

/** Those of the named workspaces that the person is a member of. */
export function listWorkspacesOf(userId: string, workspaceIds: readonly string[]) {
  return rows(sql`
    SELECT ${workspaceColumns}
    FROM ${w} JOIN ${m} ON ${m.ws} = ${w.no}
    WHERE ${w.id} IN ${inList(workspaceIds)} AND ${m.user_id} = ${userId}`);
}

export interface NewWorkspace {
  id: string;
  name: string;
  plan: Plan;
}

export function insertWorkspace({ id, name, plan }: NewWorkspace, now: number) {
  const today = wallClock(now, 'UTC').date;
  return write(
    queryBuilder
      .insert(workspaces)
      .values({ id, name, plan, past_cutoff: today, week_cutoff: today, created_at: now })
      .onConflictDoNothing(),
  );
}

/** Does nothing if the person is a member; a person who left gets their membership back, with the given role. */
export function insertMember(
  workspaceId: string,
  person: Person,
  role: Role,
  cells: readonly number[],
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO ${intoMembers}
    SELECT ${w.no}, ${person.id}, ${role}, ${person.name}, ${person.email}, ${person.email.toLowerCase()},
      ${person.image}, ${JSON.stringify(cells)}, ${now}
    FROM ${w} WHERE ${w.id} = ${workspaceId}
    ON CONFLICT (${members.ws}, ${members.user_id}) DO UPDATE
      SET ${members.ended_at} = NULL, ${members.role} = ${excluded.role}, ${members.name} = ${excluded.name},
      ${members.email} = ${excluded.email}, ${members.email_key} = ${excluded.email_key},
        ${members.image} = ${excluded.image}, ${members.cells} = ${excluded.cells}
    WHERE ${members.ended_at} IS NOT NULL`);
}

/** The first member of a workspace, its owner. A later member never becomes the owner this way. */
export function insertOwner(workspaceId: string, person: Person, cells: readonly number[], now: number) {
  return write(sql`
    INSERT INTO ${intoMembers}
    SELECT ${w.no}, ${person.id}, 'owner', ${person.name}, ${person.email}, ${person.email.toLowerCase()},
      ${person.image}, ${JSON.stringify(cells)}, ${now}
    FROM ${w}
    WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${everyone} WHERE ${everyone.ws} = ${w.no})`);
}

/** The directory does not know of the workspace yet, nor of its owner. */
export function unsettleOwner(workspaceId: string, userId: string): Statement<void> {
  return write(sql`
    UPDATE ${members} SET ${members.is_settled} = 0 WHERE ${members.user_id} = ${userId}
    AND ${members.ws} = (SELECT ${w.no} FROM ${w} WHERE ${w.id} = ${workspaceId})`);
}

/** Every row of a person lists all cells in which the person has rows. */
export function updateCellsOf(userId: string, cells: readonly number[]) {
  const json = JSON.stringify(cells);
  return write(sql`UPDATE ${members} SET ${members.cells} = ${json} WHERE ${members.user_id} = ${userId}
    AND ${members.cells} <> ${json}`);
}

/** Does nothing if the workspace has categories. */
export function insertCategories(workspaceId: string, categories: readonly CategoryDefaults[]) {
  return write(sql`
    INSERT INTO ${into(taskCategories, 'ws', 'key', 'value', 'default_estimated_hours')}
    SELECT ${w.no}, json_extract(d.value, '$.key'), json_extract(d.value, '$.value'),
      json_extract(d.value, '$.hours')
    FROM ${w}, json_each(${JSON.stringify(categories)}) d
    WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${c} WHERE ${c.ws} = ${w.no})`);
}

/** Does nothing if the workspace has types. */
export function insertTypes(workspaceId: string, categories: readonly CategoryDefaults[]) {
  return write(sql`
    INSERT INTO ${into(taskTypes, 'ws', 'category', 'key', 'value', 'default_estimated_hours')}
    SELECT ${w.no}, ${c.id}, json_extract(t.value, '$.key'), json_extract(t.value, '$.value'),
      json_extract(t.value, '$.hours')
    FROM ${w}, json_each(${JSON.stringify(categories)}) d, json_each(d.value, '$.types') t
      JOIN ${c} ON ${c.ws} = ${w.no} AND ${c.key} = json_extract(d.value, '$.key')
    WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${k} WHERE ${k.ws} = ${w.no})
    ORDER BY d.key, t.key`);
}

/** Creates the starter project with its owner as a member; does nothing if the workspace has a project. */
export function insertStarterProject(workspaceId: string, ownerId: string, now: number) {
  return [
    write(sql`
      INSERT INTO ${into(projects, 'ws', 'name', 'description', 'status', 'owner', 'created_at')}
      SELECT ${w.no}, ${starterProject.name}, ${starterProject.description}, 'active', ${everyone.no}, ${now}
      FROM ${w} JOIN ${everyone} ON ${everyone.ws} = ${w.no} AND ${everyone.user_id} = ${ownerId}
      WHERE ${w.id} = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.ws} = ${w.no})`),
    write(sql`
      INSERT INTO ${into(projectMembers, 'project', 'member')}
      SELECT ${p.id}, ${p.owner} FROM ${p} JOIN ${w} ON ${w.no} = ${p.ws} WHERE ${w.id} = ${workspaceId}
      ON CONFLICT DO NOTHING`),
  ] as const;
}
