import { sql } from 'drizzle-orm';
import type { Plan, Role } from '../kernel/access.ts';
import { wallClock } from '../kernel/civil.ts';
import { firstRow, inList, number, queryBuilder, rows, type Statement, write } from '../kernel/database.ts';
import { type CategoryDefaults, starterProject } from './defaults.ts';
import { workspaces } from './workspaces.sql.ts';

/** A person as the directory knows them. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly image: string | null;
}

/** A person in a workspace: what a login answers with. */
export interface Membership {
  userId: string;
  email: string;
  name: string;
  image: string | null;
  role: Role;
  workspaceId: string;
  workspaceName: string;
  plan: Plan;
}

export function findMembership(workspaceId: string, userId: string) {
  return firstRow<Membership>(sql`
    SELECT m.user_id AS userId, m.email AS email, m.name AS name, m.image AS image, m.role AS role,
      w.id AS workspaceId, w.name AS workspaceName, w.plan AS plan
    FROM workspaces w JOIN active_members m ON m.ws = w.no
    WHERE w.id = ${workspaceId} AND m.user_id = ${userId}`);
}

export function countWorkspace(workspaceId: string) {
  return number(sql`SELECT count(*) AS n FROM workspaces WHERE id = ${workspaceId}`);
}

export interface WorkspaceRow {
  id: string;
  name: string;
  plan: Plan;
  role: Role;
}

/** Those of the named workspaces that the person is a member of. */
export function listWorkspacesOf(userId: string, workspaceIds: readonly string[]) {
  return rows<WorkspaceRow>(sql`
    SELECT w.id AS id, w.name AS name, w.plan AS plan, m.role AS role
    FROM workspaces w JOIN active_members m ON m.ws = w.no
    WHERE w.id IN ${inList(workspaceIds)} AND m.user_id = ${userId}`);
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
    INSERT INTO members (ws, user_id, role, name, email, email_key, image, cells, created_at)
    SELECT w.no, ${person.id}, ${role}, ${person.name}, ${person.email}, ${person.email.toLowerCase()},
      ${person.image}, ${JSON.stringify(cells)}, ${now}
    FROM workspaces w WHERE w.id = ${workspaceId}
    ON CONFLICT (ws, user_id) DO UPDATE SET ended_at = NULL, role = excluded.role, name = excluded.name,
      email = excluded.email, email_key = excluded.email_key, image = excluded.image, cells = excluded.cells
    WHERE ended_at IS NOT NULL`);
}

/** The first member of a workspace, its owner. A later member never becomes the owner this way. */
export function insertOwner(workspaceId: string, person: Person, cells: readonly number[], now: number) {
  return write(sql`
    INSERT INTO members (ws, user_id, role, name, email, email_key, image, cells, created_at)
    SELECT w.no, ${person.id}, 'owner', ${person.name}, ${person.email}, ${person.email.toLowerCase()},
      ${person.image}, ${JSON.stringify(cells)}, ${now}
    FROM workspaces w
    WHERE w.id = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM members m WHERE m.ws = w.no)`);
}

/** The directory does not know of the workspace yet, nor of its owner. */
export function unsettleOwner(workspaceId: string, userId: string): Statement<void> {
  return write(sql`
    UPDATE members SET is_settled = 0 WHERE user_id = ${userId}
    AND ws = (SELECT w.no FROM workspaces w WHERE w.id = ${workspaceId})`);
}

/** Every row of a person lists all cells in which the person has rows. */
export function updateCellsOf(userId: string, cells: readonly number[]) {
  const json = JSON.stringify(cells);
  return write(sql`UPDATE members SET cells = ${json} WHERE user_id = ${userId} AND cells <> ${json}`);
}

/** Does nothing if the workspace has categories. */
export function insertCategories(workspaceId: string, categories: readonly CategoryDefaults[]) {
  return write(sql`
    INSERT INTO task_categories (ws, key, value, default_estimated_hours)
    SELECT w.no, json_extract(d.value, '$.key'), json_extract(d.value, '$.value'), json_extract(d.value, '$.hours')
    FROM workspaces w, json_each(${JSON.stringify(categories)}) d
    WHERE w.id = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM task_categories c WHERE c.ws = w.no)`);
}

/** Does nothing if the workspace has types. */
export function insertTypes(workspaceId: string, categories: readonly CategoryDefaults[]) {
  return write(sql`
    INSERT INTO task_types (ws, category, key, value, default_estimated_hours)
    SELECT w.no, c.id, json_extract(t.value, '$.key'), json_extract(t.value, '$.value'), json_extract(t.value, '$.hours')
    FROM workspaces w, json_each(${JSON.stringify(categories)}) d, json_each(d.value, '$.types') t
      JOIN task_categories c ON c.ws = w.no AND c.key = json_extract(d.value, '$.key')
    WHERE w.id = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM task_types k WHERE k.ws = w.no)`);
}

/** Creates the starter project with its owner as a member; does nothing if the workspace has a project. */
export function insertStarterProject(workspaceId: string, ownerId: string, now: number) {
  return [
    write(sql`
      INSERT INTO projects (ws, name, description, status, owner, created_at)
      SELECT w.no, ${starterProject.name}, ${starterProject.description}, 'active', m.no, ${now}
      FROM workspaces w JOIN members m ON m.ws = w.no AND m.user_id = ${ownerId}
      WHERE w.id = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.ws = w.no)`),
    write(sql`
      INSERT INTO project_members (project, member)
      SELECT p.id, p.owner FROM projects p JOIN workspaces w ON w.no = p.ws WHERE w.id = ${workspaceId}
      ON CONFLICT DO NOTHING`),
  ] as const;
}
