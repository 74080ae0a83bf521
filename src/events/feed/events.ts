import { invalidRequest } from '../../kernel/errors/errors.ts';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { hubOf } from '../../kernel/operation/request-scope.ts';
import { toEvent } from './events.present.ts';
import { type EventFilter, findLogEnds, type LogEnds, listEvents as selectEvents } from './events.queries.ts';
import { eventFeed, eventListInput, expand } from './events.schema.ts';

/** How many events one request looks at where it shows only some of them. */
const WINDOW_FILTERED = 1_000;
/**
 * Whoever waits for what seldom comes does not look at every change of a busy workspace: in the longest wait it sends fewer
 * than 50 statements, which is what the platform allows a request at least.
 */
const AFTER_NOTHING_MS = 2_000;

export const listEvents = operation(
  {
    name: 'listEvents',
    summary: 'Read what happened, in the order in which it happened',
    description:
      'A feed to follow, not a list: it has no total. Store nextAfter together with what you made of the events, and ask again with it.',
    access: 'events:read',
    capability: 'followEvents',
    effect: 'read',
    input: eventListInput,
    output: eventFeed,
  },
  async (ctx, { wait, after: asked, types, ...rest }) => {
    const { request, caller } = ctx;
    const filter = { ...rest, types: types?.flatMap(expand) };
    const until = Date.now() + wait * 1000;
    let after = asked;
    for (let looks = 1; ; looks += 1) {
      const feed = await readFeed(ctx, { ...filter, after });
      const left = until - Date.now();
      if (feed.data.length > 0 || feed.meta.hasMore || after === undefined || left <= 0) return feed;
      after = feed.meta.nextAfter;
      if (looks > 1) await scheduler.wait(Math.min(AFTER_NOTHING_MS, left));
      const hub = hubOf(request.env, caller.cell, caller.workspace);
      await hub.waitForEvent(after, caller.member, Math.max(0, until - Date.now()));
    }
  },
);

type FeedInput = Pick<EventFilter, 'types' | 'projectId' | 'limit'> & { after?: number | undefined };

async function readFeed({ db, caller, reach }: Context, { after, limit, ...filter }: FeedInput) {
  if (after === undefined) {
    const [{ head }] = await db.batch([findLogEnds(caller)]);
    return { data: [], meta: { nextAfter: head, hasMore: false } };
  }
  // Without a filter every event that is looked at is shown.
  const isFiltered = filter.types !== undefined || filter.projectId !== undefined || reach !== 'all';
  const window = isFiltered ? WINDOW_FILTERED : limit;
  const [ends, found] = await db.batch([
    findLogEnds(caller),
    selectEvents(caller, { ...filter, after, window, limit }),
  ]);
  requireKept(after, ends);
  const start = Math.max(after, ends.oldest - 1);
  const nextAfter =
    found.length === limit ? (found.at(-1)?.seq ?? start) : Math.min(ends.head, start + window);
  return {
    data: found.map((row) => toEvent(row, caller.workspaceId)),
    meta: { nextAfter, hasMore: nextAfter < ends.head },
  };
}

function requireKept(after: number, { oldest, head }: LogEnds) {
  if (after > head) {
    throw invalidRequest(
      `after must not be beyond the newest event, ${head}; got ${after}. Take it from nextAfter. If the service was restored from a backup, read the lists again and go on after ${head}.`,
    );
  }
  if (after > 0 && after < oldest - 1) {
    throw invalidRequest(
      `after is ${after}, and events are kept for 30 days: the oldest one is ${oldest}. Read the lists again, then go on after ${head}.`,
    );
  }
}
