import type { Caller } from '../../kernel/access/access.ts';
import { firstRow, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';

const a = names(activeMembers, 'a');
const f = names(calendarFeeds, 'f');
const w = names(workspaces, 'w');

const feedColumns = columns({
  hash: f.hash,
  nonce: f.nonce,
  created_at: f.created_at,
});
export type FeedRow = Row<typeof feedColumns>;

export function findOwnFeed({ workspace, member }: Caller): Statement<FeedRow | null> {
  return firstRow(sql`
    SELECT ${feedColumns} FROM ${f}
    WHERE ${f.ws} = ${workspace} AND ${f.member} = ${member}`);
}

const feedOwnerColumns = columns({
  user_id: a.user_id,
  workspace_id: w.id,
});

/** The person whose calendar it is; null once they have left the workspace. */
export function findFeedOwner(hash: string): Statement<Row<typeof feedOwnerColumns> | null> {
  return firstRow(sql`
    SELECT ${feedOwnerColumns} FROM ${f}
    CROSS JOIN ${a} ON ${a.no} = ${f.member} AND ${a.ws} = ${f.ws}
    CROSS JOIN ${w} ON ${w.no} = ${f.ws}
    WHERE ${f.hash} = ${hash}`);
}

/** Gives the member a new address; the one before stops working. */
export function putFeed(
  { workspace, member }: Caller,
  { hash, nonce, created_at }: FeedRow,
): Statement<void> {
  return write(sql`
    INSERT INTO ${into(calendarFeeds, 'member', 'ws', 'hash', 'nonce', 'created_at')}
    VALUES (${member}, ${workspace}, ${hash}, ${nonce}, ${created_at})
    ON CONFLICT (member) DO UPDATE SET hash = excluded.hash, nonce = excluded.nonce,
      created_at = excluded.created_at`);
}

export function deleteFeed({ workspace, member }: Caller): Statement<void> {
  return write(sql`
    DELETE FROM ${calendarFeeds} WHERE ${calendarFeeds.ws} = ${workspace} AND ${calendarFeeds.member} = ${member}`);
}
