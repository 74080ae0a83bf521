import type { Caller } from '../kernel/access.ts';
import { firstRow, type Statement, write } from '../kernel/database.ts';
import { into, names, sql } from '../kernel/sql.ts';
import { activeMembers, workspaces } from '../workspaces/workspaces.sql.ts';
import { calendarFeeds } from './calendar-feed.sql.ts';

const a = names(activeMembers, 'a');
const f = names(calendarFeeds, 'f');
const w = names(workspaces, 'w');

export interface FeedRow {
  hash: string;
  nonce: string;
  created_at: number;
}

export function findOwnFeed({ workspace, member }: Caller): Statement<FeedRow | null> {
  return firstRow<FeedRow>(sql`
    SELECT ${f.hash} AS hash, ${f.nonce} AS nonce, ${f.created_at} AS created_at FROM ${f}
    WHERE ${f.ws} = ${workspace} AND ${f.member} = ${member}`);
}

/** Whose calendar it is; nobody's once they have left. */
export function findFeedOwner(hash: string): Statement<{ userId: string; workspaceId: string } | null> {
  return firstRow<{ userId: string; workspaceId: string }>(sql`
    SELECT ${a.user_id} AS userId, ${w.id} AS workspaceId FROM ${f}
    CROSS JOIN ${a} ON ${a.no} = ${f.member} AND ${a.ws} = ${f.ws}
    CROSS JOIN ${w} ON ${w.no} = ${f.ws}
    WHERE ${f.hash} = ${hash}`);
}

/** The address before ends with it. */
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
