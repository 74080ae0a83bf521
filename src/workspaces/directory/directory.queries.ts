import { and, count, eq, isNull } from 'drizzle-orm';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readRows, write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query, type RowOf } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withRowType,
} from '../../kernel/sql/sql.ts';
import {
  cellSizes,
  cellUsage,
  closedCells,
  memberships,
  workspacePlacements,
} from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';
import type { CellUsage } from './cell-usage.ts';

const p = aliasTable(memberships, 'p');
const u = aliasTable(users, 'u');
const w = aliasTable(workspacePlacements, 'w');

export type WorkspaceLocation = RowOf<typeof findWorkspaceLocation>;

/** A sign-in tries several workspaces, because some may be missing from their cell after a crash. */
const WORKSPACES_MAX = 20;

const joinedWorkspaceColumns = selectColumns({
  workspace_id: p.workspace_id,
  cell: w.cell,
  joined_at: p.joined_at,
  ended_at: p.ended_at,
});
export type JoinedWorkspace = Row<typeof joinedWorkspaceColumns>;

function selectJoinedWorkspaces(userId: SQL, condition = sql`true`) {
  return sql`
    SELECT ${joinedWorkspaceColumns}
    FROM ${p} JOIN ${w} ON ${w.id} = ${p.workspace_id}
    WHERE ${p.user_id} = ${userId} AND ${condition}
      ORDER BY ${p.ended_at} IS NOT NULL, ${p.joined_at}, ${p.workspace_id}`;
}

export function findWorkspacesByEmail(emailKey: string) {
  return readRows(
    sql`${withRowType(selectJoinedWorkspaces(sql`(SELECT ${u.id} FROM ${u} WHERE ${u.email_key} = ${emailKey})`))}
      LIMIT ${WORKSPACES_MAX}`,
  );
}

export function findJoinedWorkspaces(userId: string) {
  return readRows(sql`${withRowType(selectJoinedWorkspaces(sql`${userId}`))} LIMIT ${WORKSPACES_MAX}`);
}

export function listJoinedWorkspaces(userId: string, range: PageRange) {
  const isAfterCursor = isAfter(range, [{ column: p.joined_at }, { column: p.workspace_id }]);
  const condition = sql`${p.ended_at} IS NULL AND ${isAfterCursor}`;
  return readRows(
    sql`${withRowType(selectJoinedWorkspaces(sql`${userId}`, condition))} ${buildLimit(range)}`,
  );
}

export const countJoinedWorkspaces = prepared.number((userId: Argument<string>) =>
  query
    .select({ n: count() })
    .from(memberships)
    .where(and(eq(memberships.user_id, userId), isNull(memberships.ended_at))),
);

export const findWorkspaceLocation = prepared.firstRow(
  (userId: Argument<string>, workspaceId: Argument<string>) =>
    query
      .select({ workspace_id: workspacePlacements.id, cell: workspacePlacements.cell })
      .from(memberships)
      .innerJoin(workspacePlacements, eq(workspacePlacements.id, memberships.workspace_id))
      .where(
        and(
          eq(memberships.user_id, userId),
          eq(memberships.workspace_id, workspaceId),
          isNull(memberships.ended_at),
        ),
      ),
);

/**
 * Lists cells in ascending order. Includes cells of workspaces that the person has left, because the person's
 * notifications remain there.
 */
export const listPersonCells = prepared.rows((userId: Argument<string>) =>
  query
    .selectDistinct(pickColumns(workspacePlacements, 'cell'))
    .from(memberships)
    .innerJoin(workspacePlacements, eq(workspacePlacements.id, memberships.workspace_id))
    .where(eq(memberships.user_id, userId))
    .orderBy(workspacePlacements.cell),
);

export const listClosedCells = prepared.rows(() =>
  query.select(pickColumns(closedCells, 'cell')).from(closedCells),
);

export const listCellSizes = prepared.rows(() =>
  query.select(pickColumns(cellSizes, 'cell', 'workspaces')).from(cellSizes),
);

export const listCellUsage = prepared.rows(() =>
  query.select(pickColumns(cellUsage, 'cell', 'bytes', 'changes')).from(cellUsage),
);

const excluded = aliasTable(cellUsage, 'excluded');

export function saveCellUsage(cell: number, { bytes, changes }: CellUsage, now: number) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(cellUsage, 'cell', 'bytes', 'changes', 'measured_at')}
    VALUES (${cell}, ${bytes}, ${changes}, ${now})
    ON CONFLICT (${cellUsage.cell}) DO UPDATE SET ${cellUsage.bytes} = ${excluded.bytes},
      ${cellUsage.changes} = ${excluded.changes}, ${cellUsage.measured_at} = ${excluded.measured_at}`);
}

export const closeCell = prepared.write((cell: Argument<number>) =>
  query.insert(closedCells).values({ cell }).onConflictDoNothing(),
);

export const insertPlacement = prepared.write(
  (workspaceId: Argument<string>, cell: Argument<number>, now: Argument<number>) =>
    query
      .insert(workspacePlacements)
      .values({ id: workspaceId, cell, created_at: now })
      .onConflictDoNothing(),
);

export const findPlacement = prepared.firstRow((workspaceId: Argument<string>) =>
  query
    .select(pickColumns(workspacePlacements, 'cell'))
    .from(workspacePlacements)
    .where(eq(workspacePlacements.id, workspaceId)),
);

export const insertMembership = prepared.write(
  (userId: Argument<string>, workspaceId: Argument<string>, now: Argument<number>) =>
    query
      .insert(memberships)
      .values({ user_id: userId, workspace_id: workspaceId, joined_at: now })
      .onConflictDoNothing(),
);

/** Does nothing if the person already has a workspace, so that parallel verifications create only one. */
export function insertFirstMembership(
  userId: string,
  { workspace_id, cell }: WorkspaceLocation,
  now: number,
) {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(workspacePlacements, 'id', 'cell', 'created_at')} SELECT ${workspace_id}, ${cell}, ${now}
      WHERE NOT EXISTS (SELECT 1 FROM ${memberships} WHERE ${memberships.user_id} = ${userId})`),
    write(sql`
      INSERT INTO ${nameInsertColumns(memberships, 'user_id', 'workspace_id', 'joined_at')}
        SELECT ${userId}, ${workspacePlacements.id}, ${now} FROM ${workspacePlacements}
      WHERE ${workspacePlacements.id} = ${workspace_id} AND NOT EXISTS (SELECT 1
        FROM ${memberships} WHERE ${memberships.user_id} = ${userId})`),
  ] as const;
}
