import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { type Argument, pickColumns, prepared, query, type RowOf } from '../../kernel/sql/prepared.ts';
import { type SQL, sql } from '../../kernel/sql/sql.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';

const isOwnFeed = ({ workspace, member }: Argument<Caller>) =>
  and(eq(calendarFeeds.ws, workspace), eq(calendarFeeds.member, member));

export const findOwnFeed = prepared.firstRow((caller: Argument<Caller>) =>
  query
    .select(pickColumns(calendarFeeds, 'hash', 'nonce', 'created_at'))
    .from(calendarFeeds)
    .where(isOwnFeed(caller)),
);
export type FeedRow = RowOf<typeof findOwnFeed>;

export const findFeedOwner = prepared.firstRow((hash: Argument<string>) =>
  query
    .select({ user_id: activeMembers.user_id, workspace_id: workspaces.id })
    .from(calendarFeeds)
    .innerJoin(
      activeMembers,
      and(eq(activeMembers.no, calendarFeeds.member), eq(activeMembers.ws, calendarFeeds.ws)),
    )
    .innerJoin(workspaces, eq(workspaces.no, calendarFeeds.ws))
    .where(eq(calendarFeeds.hash, hash)),
);

/** Also invalidates the member's previous feed URL. */
export const saveFeed = prepared.write(
  ({ workspace, member }: Argument<Caller>, { hash, nonce, created_at }: Argument<FeedRow>) =>
    query
      .insert(calendarFeeds)
      .values({ member, ws: workspace, hash, nonce, created_at })
      .onConflictDoUpdate({ target: calendarFeeds.member, set: { hash, nonce, created_at } }),
);

export function hasFeed({ workspace, member }: Caller): SQL {
  return sql`EXISTS (SELECT 1 FROM ${calendarFeeds} WHERE ${calendarFeeds.member} = ${member}
    AND ${calendarFeeds.ws} = ${workspace})`;
}

export const deleteFeed = prepared.write((caller: Argument<Caller>) =>
  query.delete(calendarFeeds).where(isOwnFeed(caller)),
);
