import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { getWorkspaceHub } from '../../kernel/operation/request-scope.ts';
import { toEvent } from './events.present.ts';
import {
  type EventFilter,
  findLogRange,
  type LogRange,
  listEvents as selectEvents,
} from './events.queries.ts';
import { eventFeed, eventListInput, expandEventType } from './events.schema.ts';

const FILTERED_EVENTS_READ_MAX = 1_000;
/** At this interval, the longest wait needs fewer than 50 database calls, the limit of Cloudflare's smallest plan. */
const READ_INTERVAL_MS = 2_000;

export const listEvents = defineOperation(
  {
    name: 'listEvents',
    summary: 'List events, oldest first',
    description:
      'To follow the feed, store `nextAfter` together with your copy of the data, and send it as `after` in the next request. The response has no total.',
    access: 'events:read',
    capability: 'followEvents',
    effect: 'read',
    input: eventListInput,
    output: eventFeed,
  },
  async (ctx, { wait, after: asked, types, ...rest }) => {
    const { request, caller } = ctx;
    const filter = { ...rest, types: types?.flatMap(expandEventType) };
    const until = Date.now() + wait * 1000;
    let after = asked;
    for (let reads = 1; ; reads += 1) {
      const feed = await readFeedPage(ctx, { ...filter, after });
      const left = until - Date.now();
      if (feed.data.length > 0 || feed.meta.hasMore || after === undefined || left <= 0) return feed;
      after = feed.meta.nextAfter;
      if (reads > 1) await scheduler.wait(Math.min(READ_INTERVAL_MS, left));
      const hub = getWorkspaceHub(request.env, caller.cell, caller.workspace);
      await hub.waitForEvent(after, caller.member, Math.max(0, until - Date.now()));
    }
  },
);

type FeedInput = Pick<EventFilter, 'types' | 'projectId' | 'limit'> & { after?: number | undefined };

async function readFeedPage({ db, caller, reach }: Context, { after, limit, ...filter }: FeedInput) {
  if (after === undefined) {
    const [{ head }] = await db.batch([findLogRange(caller)]);
    return { data: [], meta: { nextAfter: head, hasMore: false } };
  }
  // Without a filter, the query returns every event that it reads.
  const isFiltered = filter.types !== undefined || filter.projectId !== undefined || reach !== 'all';
  const window = isFiltered ? FILTERED_EVENTS_READ_MAX : limit;
  const [ends, rows] = await db.batch([
    findLogRange(caller),
    selectEvents(caller, { ...filter, after, window, limit }),
  ]);
  requireValidCursor(after, ends);
  const start = Math.max(after, ends.oldest - 1);
  const nextAfter = rows.length === limit ? (rows.at(-1)?.seq ?? start) : Math.min(ends.head, start + window);
  return {
    data: rows.map((row) => toEvent(row, caller.workspaceId)),
    meta: { nextAfter, hasMore: nextAfter < ends.head },
  };
}

function requireValidCursor(after: number, { oldest, head }: LogRange) {
  if (after > head) {
    throw invalidRequestError(
      `after must be at most ${head}, the newest event; got ${after}. Use the nextAfter of a previous response. If the service was restored from a backup, read the lists again and continue after ${head}.`,
      'after',
    );
  }
  if (after > 0 && after < oldest - 1) {
    throw invalidRequestError(
      `after must be 0 or at least ${oldest - 1}; got ${after}. Events are kept for 30 days, and the oldest event is ${oldest}. Read the lists again, then continue after ${head}.`,
      'after',
    );
  }
}
