import { sql } from 'drizzle-orm';
import { rows, type Statement } from '../kernel/database.ts';

/** Who is where: in the directory, or in a cell. */
export interface Membership {
  user_id: string;
  workspace_id: string;
  since: number;
  /** 1 where it has ended. */
  is_ended: 0 | 1;
}

/** The next memberships of the workspaces that the directory has put into a cell. */
export function listMemberships(
  cell: number,
  after: Pick<Membership, 'user_id' | 'workspace_id'>,
  limit: number,
): Statement<Membership[]> {
  return rows<Membership>(sql`
    SELECT p.user_id AS user_id, p.workspace_id AS workspace_id, p.joined_at AS since,
      p.ended_at IS NOT NULL AS is_ended
    FROM memberships p CROSS JOIN workspaces w ON w.id = p.workspace_id AND w.cell = ${cell}
    WHERE (p.user_id, p.workspace_id) > (${after.user_id}, ${after.workspace_id})
    ORDER BY p.user_id, p.workspace_id LIMIT ${limit}`);
}

/** The next members of a cell, by number. */
export function listMembers(after: number, limit: number): Statement<(Membership & { no: number })[]> {
  return rows(sql`
    SELECT m.no AS no, m.user_id AS user_id, w.id AS workspace_id, m.created_at AS since,
      m.ended_at IS NOT NULL AS is_ended
    FROM members m CROSS JOIN workspaces w ON w.no = m.ws WHERE m.no > ${after} ORDER BY m.no LIMIT ${limit}`);
}

const asked = (memberships: readonly Membership[]) => sql`json_each(${JSON.stringify(memberships)}) d`;
const userId = sql.raw(`json_extract(d.value, '$.user_id')`);
const workspaceId = sql.raw(`json_extract(d.value, '$.workspace_id')`);
const isEnded = sql.raw(`json_extract(d.value, '$.is_ended')`);
const columns = sql`
  ${userId} AS user_id, ${workspaceId} AS workspace_id, json_extract(d.value, '$.since') AS since, ${isEnded} AS is_ended`;

/** Those of the memberships that the cell does not have, or whose end differs there. */
export function listMissingMembers(memberships: readonly Membership[]): Statement<Membership[]> {
  return rows<Membership>(sql`
    SELECT ${columns} FROM ${asked(memberships)}
    WHERE NOT EXISTS (SELECT 1 FROM workspaces w CROSS JOIN members m ON m.ws = w.no AND m.user_id = ${userId}
        AND (m.ended_at IS NOT NULL) = ${isEnded}
      WHERE w.id = ${workspaceId})`);
}

/** Those of the memberships that the directory does not have, or has in another cell, or whose end differs there. */
export function listMissingMemberships(
  memberships: readonly Membership[],
  cell: number,
): Statement<Membership[]> {
  return rows<Membership>(sql`
    SELECT ${columns} FROM ${asked(memberships)}
    WHERE NOT EXISTS (SELECT 1 FROM memberships p CROSS JOIN workspaces w ON w.id = p.workspace_id
      WHERE p.user_id = ${userId} AND p.workspace_id = ${workspaceId} AND w.cell = ${cell}
        AND (p.ended_at IS NOT NULL) = ${isEnded})`);
}
