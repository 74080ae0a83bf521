import { isBot } from '../../kernel/access/bot-ids.queries.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { members, memberships, workspacePlacements, workspaces } from '../../schema/cell/workspaces.ts';

const m = aliasTable(members, 'm');
const p = aliasTable(memberships, 'p');
const home = aliasTable(workspaces, 'w');
const w = aliasTable(workspacePlacements, 'w');

const membershipColumns = selectColumns({
  user_id: p.user_id,
  workspace_id: p.workspace_id,
  since: p.joined_at,
  is_ended: withType<0 | 1>(sql`${p.ended_at} IS NOT NULL`),
});
export type Membership = Row<typeof membershipColumns>;

export function listMemberships(
  cell: number,
  after: Pick<Membership, 'user_id' | 'workspace_id'>,
  limit: number,
): Statement<Membership[]> {
  return readRows(sql`
    SELECT ${membershipColumns}
    FROM ${p} CROSS JOIN ${w} ON ${w.id} = ${p.workspace_id} AND ${w.cell} = ${cell}
    WHERE (${p.user_id}, ${p.workspace_id}) > (${after.user_id}, ${after.workspace_id})
    ORDER BY ${p.user_id}, ${p.workspace_id} LIMIT ${limit}`);
}

const memberColumns = selectColumns({
  no: m.no,
  user_id: m.user_id,
  workspace_id: home.id,
  since: m.created_at,
  is_ended: withType<0 | 1>(sql`${m.ended_at} IS NOT NULL`),
});

export function listMembers(after: number, limit: number): Statement<(Membership & { no: number })[]> {
  return readRows(sql`
    SELECT ${memberColumns}
    FROM ${m} CROSS JOIN ${home} ON ${home.no} = ${m.ws} WHERE ${m.no} > ${after} AND NOT ${isBot(m.user_id)} ORDER BY ${m.no}
      LIMIT ${limit}`);
}

const unnestMemberships = (memberships: readonly Membership[]) =>
  sql`json_each(${JSON.stringify(memberships)}) d`;
const userId = sql.raw(`json_extract(d.value, '$.user_id')`);
const workspaceId = sql.raw(`json_extract(d.value, '$.workspace_id')`);
const isEnded = sql.raw(`json_extract(d.value, '$.is_ended')`);
const unnestedColumns = selectColumns({
  user_id: withType<string>(userId),
  workspace_id: withType<string>(workspaceId),
  since: withType<number>(sql`json_extract(d.value, '$.since')`),
  is_ended: withType<0 | 1>(isEnded),
});

/** Lists memberships that are missing from the cell, or that have ended in only one of the two databases. */
export function listMembershipsMissingInCell(memberships: readonly Membership[]): Statement<Membership[]> {
  return readRows(sql`
    SELECT ${unnestedColumns} FROM ${unnestMemberships(memberships)}
    WHERE NOT EXISTS (SELECT 1 FROM ${home} CROSS JOIN ${m} ON ${m.ws} = ${home.no} AND ${m.user_id} = ${userId}
        AND (${m.ended_at} IS NOT NULL) = ${isEnded}
      WHERE ${home.id} = ${workspaceId})`);
}

/**
 * Lists memberships that are missing from the directory, belong to another cell there, or have ended in only one of the
 * two databases.
 */
export function listMembershipsMissingInDirectory(
  memberships: readonly Membership[],
  cell: number,
): Statement<Membership[]> {
  return readRows(sql`
    SELECT ${unnestedColumns} FROM ${unnestMemberships(memberships)}
    WHERE NOT EXISTS (SELECT 1 FROM ${p} CROSS JOIN ${w} ON ${w.id} = ${p.workspace_id}
      WHERE ${p.user_id} = ${userId} AND ${p.workspace_id} = ${workspaceId} AND ${w.cell} = ${cell}
        AND (${p.ended_at} IS NOT NULL) = ${isEnded})`);
}
