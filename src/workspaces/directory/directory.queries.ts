import { isAfter, limitOf, type Range } from '../../kernel/lists/pagination.ts';
import { firstRow, number, queryBuilder, rows, write } from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, rowsOf, type SQL, sql } from '../../kernel/sql/sql.ts';
import { cellSizes, closedCells, memberships, placements } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';

const p = names(memberships, 'p');
const u = names(users, 'u');
const w = names(placements, 'w');

const workspaceLocationColumns = columns({
  workspace_id: w.id,
  cell: w.cell,
});
/** A workspace of a person, as the directory knows it. */
export type WorkspaceLocation = Row<typeof workspaceLocationColumns>;

/** A login reads only the first ones; nobody has this many that their cells do not have. */
const WORKSPACES_MAX = 20;

const joinedWorkspaceColumns = columns({
  workspace_id: p.workspace_id,
  cell: w.cell,
  joined_at: p.joined_at,
  /** When the membership ended; null while the person is there. */
  ended_at: p.ended_at,
});
export type JoinedWorkspace = Row<typeof joinedWorkspaceColumns>;

function workspacesOf(userId: SQL, condition = sql`true`) {
  return sql`
    SELECT ${joinedWorkspaceColumns}
    FROM ${p} JOIN ${w} ON ${w.id} = ${p.workspace_id}
    WHERE ${p.user_id} = ${userId} AND ${condition}
      ORDER BY ${p.ended_at} IS NOT NULL, ${p.joined_at}, ${p.workspace_id}`;
}

/** Earliest joined first; workspaces that the person left come last. */
export function findWorkspacesByEmail(emailKey: string) {
  return rows(
    sql`${rowsOf(workspacesOf(sql`(SELECT ${u.id} FROM ${u} WHERE ${u.email_key} = ${emailKey})`))}
      LIMIT ${WORKSPACES_MAX}`,
  );
}

/** The same, by id. */
export function findJoinedWorkspaces(userId: string) {
  return rows(sql`${rowsOf(workspacesOf(sql`${userId}`))} LIMIT ${WORKSPACES_MAX}`);
}

export function listJoinedWorkspaces(userId: string, range: Range) {
  const behindCursor = isAfter(range, [{ column: p.joined_at }, { column: p.workspace_id }]);
  const condition = sql`${p.ended_at} IS NULL AND ${behindCursor}`;
  return rows(sql`${rowsOf(workspacesOf(sql`${userId}`, condition))} ${limitOf(range)}`);
}

export function countJoinedWorkspaces(userId: string) {
  return number(sql`SELECT count(*) AS n
    FROM ${memberships} WHERE ${memberships.user_id} = ${userId} AND ${memberships.ended_at} IS NULL`);
}

export function findWorkspaceLocation(userId: string, workspaceId: string) {
  return firstRow(sql`
    SELECT ${workspaceLocationColumns} FROM ${p} JOIN ${w} ON ${w.id} = ${p.workspace_id}
    WHERE ${p.user_id} = ${userId} AND ${p.workspace_id} = ${workspaceId} AND ${p.ended_at} IS NULL`);
}

const cellColumn = columns({ cell: w.cell });

/** Every cell with a workspace of this person, ascending, including workspaces they left: notifications stay there. */
export function listCellsOf(userId: string) {
  return rows(sql`
    SELECT DISTINCT ${cellColumn} FROM ${p} JOIN ${w} ON ${w.id} = ${p.workspace_id}
    WHERE ${p.user_id} = ${userId} ORDER BY ${w.cell}`);
}

const closedCellColumn = columns({ cell: closedCells.cell });

export function listClosedCells() {
  return rows(sql`SELECT ${closedCellColumn} FROM ${closedCells}`);
}

const cellSizeColumns = columns({
  cell: cellSizes.cell,
  workspaces: cellSizes.workspaces,
});

export function listCellSizes() {
  return rows(sql`SELECT ${cellSizeColumns}
    FROM ${cellSizes}`);
}

/** Does nothing if the workspace already has a cell. */
export function insertPlacement(workspaceId: string, cell: number, now: number) {
  return write(
    queryBuilder.insert(placements).values({ id: workspaceId, cell, created_at: now }).onConflictDoNothing(),
  );
}

const placementColumn = columns({ cell: placements.cell });

export function findPlacement(workspaceId: string) {
  return firstRow(sql`SELECT ${placementColumn}
    FROM ${placements} WHERE ${placements.id} = ${workspaceId}`);
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
export function insertFirstMembership(
  userId: string,
  { workspace_id, cell }: WorkspaceLocation,
  now: number,
) {
  return [
    write(sql`
      INSERT INTO ${into(placements, 'id', 'cell', 'created_at')} SELECT ${workspace_id}, ${cell}, ${now}
      WHERE NOT EXISTS (SELECT 1 FROM ${memberships} WHERE ${memberships.user_id} = ${userId})`),
    write(sql`
      INSERT INTO ${into(memberships, 'user_id', 'workspace_id', 'joined_at')}
        SELECT ${userId}, ${placements.id}, ${now} FROM ${placements}
      WHERE ${placements.id} = ${workspace_id} AND NOT EXISTS (SELECT 1
        FROM ${memberships} WHERE ${memberships.user_id} = ${userId})`),
  ] as const;
}
