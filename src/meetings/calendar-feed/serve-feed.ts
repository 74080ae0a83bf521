import { guardCaller } from '../../accounts/credentials/credentials.queries.ts';
import { loadMember } from '../../accounts/credentials/load-caller.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { addDays, wallClock } from '../../kernel/dates/civil.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import { executeTogether } from '../../kernel/execute/execute-together.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { listTasks } from '../../tasks/operations/list.ts';
import { type CalendarMeeting, listCalendarMeetings } from '../operations/calendar.ts';
import { findFeedOwner } from './calendar-feed.queries.ts';
import { calendarOf, deadlineEvent, meetingEvents } from './events.ts';
import { cellOfFeed } from './feed-address.ts';

const DAYS_BACK = 60;
const DAYS_AHEAD = 330;
/** As many as a page of the list holds: a person with more deadlines reads lists. */
const DEADLINES_MAX = 100;

/** The calendar of whoever has the secret address: the meetings they take part in, and what they have to do by when. */
export async function serveFeed(c: HttpContext): Promise<Response> {
  c.set('route', 'GET /calendar/:feed');
  const scope = c.get('scope');
  const token = /^(.+)\.ics$/.exec(c.req.param('feed') ?? '')?.[1] ?? '';
  const cell = cellOfFeed(scope, token);
  if (cell === null) throw noFeed();
  const [owner] = await scope.cell(cell).batch([findFeedOwner(hashSecret(token))]);
  if (!owner) throw noFeed();
  const { caller, results } = await executeTogether(readsOf(scope), {
    request: scope,
    authenticator: ownerOf(scope, { userId: owner.user_id, workspaceId: owner.workspace_id, cell }),
    cell: () => scope.cell(cell),
    accepted: (accepted) => c.set('caller', accepted),
  });
  const [meetings, tasks] = results.map((result) => {
    if (!result.ok) throw result.error;
    return result.output as { data: never[] };
  });
  const told = {
    timezone: caller.timezone,
    now: scope.now,
    base: `${scope.origin}/app/${caller.workspaceId}`,
    host: new URL(scope.origin).hostname,
  };
  const mine = (meetings?.data ?? []).filter(({ participants }: CalendarMeeting) =>
    participants.some(({ id }) => id === caller.userId),
  );
  const inMeetings = new Set(
    mine.flatMap(({ participants }: CalendarMeeting) => participants.map(({ taskId }) => taskId)),
  );
  const events = [
    ...meetingEvents(mine, told),
    ...(tasks?.data ?? [])
      .filter(({ id }) => !inMeetings.has(id))
      .flatMap((task) => deadlineEvent(task, told)),
  ];
  return new Response(calendarOf(caller.workspaceName, events), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="edgework.ics"',
      'Cache-Control': 'private, no-store',
    },
  });
}

function readsOf({ now }: RequestScope) {
  return ({ timezone }: Caller) => {
    const today = wallClock(now, timezone).date;
    const [from, to] = [addDays(today, -DAYS_BACK), addDays(today, DAYS_AHEAD)];
    return [
      { operation: listCalendarMeetings, input: { from, to } },
      {
        operation: listTasks,
        input: {
          scope: 'all',
          assigneeId: ['me'],
          status: ['open'],
          dueFrom: from,
          dueTo: to,
          sort: 'due',
          limit: DEADLINES_MAX,
        },
      },
    ];
  };
}

/** The owner with the rights that they have at this moment. */
function ownerOf(
  scope: RequestScope,
  owner: { userId: string; workspaceId: string; cell: number },
): Authenticator {
  return {
    resolve: () => loadMember(scope, owner, { hash: '', expiresAt: 0 }),
    forget: () => undefined,
    guard: (caller) => guardCaller(caller, scope.now),
  };
}

/** The same for an address that never was and for one that has ended. */
function noFeed(): AppError {
  return new AppError(
    'not_found',
    'No calendar is at this address. It may have been renewed; the page Calendar of the app shows the present one.',
  );
}
