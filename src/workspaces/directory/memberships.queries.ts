import { and, eq } from 'drizzle-orm';
import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { webhooks } from '../../schema/cell/webhooks.ts';
import { members, memberships, workspaces } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';

const m = aliasTable(members, 'm');
const u = aliasTable(users, 'u');
const w = aliasTable(workspaces, 'w');

export type CellMembership = Row<typeof cellMembershipColumns>;

const cellMembershipColumns = selectColumns({
  no: m.no,
  user_id: m.user_id,
  workspace_id: w.id,
  since: m.created_at,
  ended_at: m.ended_at,
});

/** Also revokes the member's keys and tokens, deletes their calendar feed, and stops their timer and webhooks. */
export function endMembership(workspaceId: string, userId: string, now: number): Statement<void>[] {
  const member = sql`(SELECT ${m.no} FROM ${w} CROSS JOIN ${m} ON ${m.ws} = ${w.no} AND ${m.user_id} = ${userId}
    WHERE ${w.id} = ${workspaceId})`;
  return [
    write(
      sql`UPDATE ${members} SET ${members.ended_at} = ${now} WHERE ${members.no} = ${member} AND ${members.ended_at} IS NULL`,
    ),
    ...revokeFormerMemberAccess(now),
  ];
}

/** Also applies to people who were removed manually in the database. */
export function revokeFormerMemberAccess(now: number): Statement<void>[] {
  const endedMembers = sql`(SELECT ${m.no} FROM ${m} INDEXED BY members_unsettled
    WHERE ${m.is_settled} = 0 AND ${m.ended_at} IS NOT NULL)`;
  return [
    write(
      sql`UPDATE ${credentials} SET ${credentials.revoked_at} = ${now} WHERE ${credentials.member} IN ${endedMembers} AND ${credentials.revoked_at} IS NULL`,
    ),
    write(sql`DELETE FROM ${calendarFeeds} WHERE ${calendarFeeds.member} IN ${endedMembers}`),
    write(sql`
      UPDATE ${timeEntries} SET ${timeEntries.ended_at} = max(${now}, ${timeEntries.started_at})
        WHERE ${timeEntries.member} IN ${endedMembers} AND ${timeEntries.ended_at} IS NULL`),
    write(sql`
      UPDATE ${webhooks} INDEXED BY webhooks_active
        SET ${webhooks.status} = 'stopped', ${webhooks.stop_reason} = 'access_ended',
        ${webhooks.next_attempt_at} = NULL
      WHERE ${webhooks.status} = 'active' AND ${webhooks.member} IN ${endedMembers}`),
  ];
}

export const findMembership = prepared.firstRow((workspaceId: Argument<string>, userId: Argument<string>) =>
  query
    .select({
      ...pickColumns(members, 'no', 'user_id', 'ended_at', 'is_settled'),
      workspace_id: workspaces.id,
      since: members.created_at,
    })
    .from(workspaces)
    .innerJoin(members, eq(members.ws, workspaces.no))
    .where(and(eq(workspaces.id, workspaceId), eq(members.user_id, userId))),
);

export function hasUncopiedMemberships(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${m} INDEXED BY members_unsettled WHERE ${m.is_settled} = 0)`;
}

export function listUncopiedMemberships(limit: number): Statement<CellMembership[]> {
  return readRows(sql`
    SELECT ${cellMembershipColumns} FROM ${m} INDEXED BY members_unsettled CROSS JOIN ${w} ON ${w.no} = ${m.ws}
    WHERE ${m.is_settled} = 0 ORDER BY ${m.no} LIMIT ${limit}`);
}

export function upsertMembership({
  user_id,
  workspace_id,
  since,
  ended_at,
}: CellMembership): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(memberships, 'user_id', 'workspace_id', 'joined_at', 'ended_at')}
    SELECT ${u.id}, ${w.id}, ${since}, ${ended_at} FROM ${u} CROSS JOIN ${w} ON ${w.id} = ${workspace_id}
    WHERE ${u.id} = ${user_id}
    ON CONFLICT (${memberships.user_id}, ${memberships.workspace_id}) DO UPDATE
      SET ${memberships.ended_at} = excluded.ended_at
    WHERE memberships.ended_at IS NOT excluded.ended_at`);
}

export const markMembershipCopied = prepared.write(
  ({ no, ended_at }: Argument<Pick<CellMembership, 'no' | 'ended_at'>>) =>
    query
      .update(members)
      .set({ is_settled: 1 })
      .where(and(eq(members.no, no), sql`${members.ended_at} IS ${ended_at}`)),
);
