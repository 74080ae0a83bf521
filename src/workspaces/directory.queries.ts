import { type SQL, sql } from 'drizzle-orm';
import { firstRow, number, queryBuilder, rows, write } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { memberships, placements } from './workspaces.sql.ts';

/** A workspace of a person, as the directory knows it. */
export interface WorkspaceLocation {
  workspaceId: string;
  cell: number;
}

/** A login reads only the first ones; nobody has this many that their cells do not have. */
const WORKSPACES_MAX = 20;

export interface JoinedWorkspace extends WorkspaceLocation {
  joinedAt: number;
  /** When the membership ended; null while the person is there. */
  endedAt: number | null;
}

function workspacesOf(userId: SQL, condition = sql`true`): SQL {
  return sql`
    SELECT p.workspace_id AS workspaceId, w.cell AS cell, p.joined_at AS joinedAt, p.ended_at AS endedAt
    FROM memberships p JOIN workspaces w ON w.id = p.workspace_id
    WHERE p.user_id = ${userId} AND ${condition} ORDER BY p.ended_at IS NOT NULL, p.joined_at, p.workspace_id`;
}

/** Earliest joined first; workspaces that the person left come last. */
export function findWorkspacesByEmail(emailKey: string) {
  return rows<JoinedWorkspace>(
    sql`${workspacesOf(sql`(SELECT u.id FROM users u WHERE u.email_key = ${emailKey})`)} LIMIT ${WORKSPACES_MAX}`,
  );
}

/** The same, by id. */
export function findJoinedWorkspaces(userId: string) {
  return rows<JoinedWorkspace>(sql`${workspacesOf(sql`${userId}`)} LIMIT ${WORKSPACES_MAX}`);
}

export function listJoinedWorkspaces(userId: string, range: Range) {
  const behindCursor = isAfter(range, [{ column: sql`p.joined_at` }, { column: sql`p.workspace_id` }]);
  const condition = sql`p.ended_at IS NULL AND ${behindCursor}`;
  return rows<JoinedWorkspace>(sql`${workspacesOf(sql`${userId}`, condition)} ${limitOf(range)}`);
}

export function countJoinedWorkspaces(userId: string) {
  return number(sql`SELECT count(*) AS n FROM memberships WHERE user_id = ${userId} AND ended_at IS NULL`);
}

export function findWorkspaceLocation(userId: string, workspaceId: string) {
  return firstRow<WorkspaceLocation>(sql`
    SELECT w.id AS workspaceId, w.cell AS cell FROM memberships p JOIN workspaces w ON w.id = p.workspace_id
    WHERE p.user_id = ${userId} AND p.workspace_id = ${workspaceId} AND p.ended_at IS NULL`);
}

/** Every cell with a workspace of this person, ascending, including workspaces they left: notifications stay there. */
export function listCellsOf(userId: string) {
  return rows<{ cell: number }>(sql`
    SELECT DISTINCT w.cell AS cell FROM memberships p JOIN workspaces w ON w.id = p.workspace_id
    WHERE p.user_id = ${userId} ORDER BY w.cell`);
}

export function listClosedCells() {
  return rows<{ cell: number }>(sql`SELECT cell FROM closed_cells`);
}

export function listCellSizes() {
  return rows<{ cell: number; workspaces: number }>(sql`SELECT cell, workspaces FROM cell_sizes`);
}

/** Does nothing if the workspace already has a cell. */
export function insertPlacement(workspaceId: string, cell: number, now: number) {
  return write(
    queryBuilder.insert(placements).values({ id: workspaceId, cell, created_at: now }).onConflictDoNothing(),
  );
}

export function findPlacement(workspaceId: string) {
  return firstRow<{ cell: number }>(sql`SELECT cell FROM workspaces WHERE id = ${workspaceId}`);
}

export function insertMembership(userId: string, workspaceId: string, now: number) {
  return write(
    queryBuilder
      .insert(memberships)
      .values({ user_id: userId, workspace_id: workspaceId, joined_at: now })
      .onConflictDoNothing(),
  );
}

/**
 * Creates the first workspace of a person who has none; does nothing otherwise, so that two verifications make one.
 */
export function insertFirstMembership(userId: string, { workspaceId, cell }: WorkspaceLocation, now: number) {
  return [
    write(sql`
      INSERT INTO workspaces (id, cell, created_at) SELECT ${workspaceId}, ${cell}, ${now}
      WHERE NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = ${userId})`),
    write(sql`
      INSERT INTO memberships (user_id, workspace_id, joined_at) SELECT ${userId}, id, ${now} FROM workspaces
      WHERE id = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = ${userId})`),
  ] as const;
}
