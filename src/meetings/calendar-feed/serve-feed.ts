import { guardCaller } from '../../accounts/credentials/credentials.queries.ts';
import { loadSessionCaller } from '../../accounts/credentials/load-caller.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { addDays, toWallClock } from '../../kernel/dates/civil-date.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import { executeReads } from '../../kernel/execute/execute-reads.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { findTokenCell } from '../../kernel/secrets/derived-token.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { listTasks } from '../../tasks/operations/list-tasks.ts';
import { type CalendarMeeting, listCalendarMeetings } from '../operations/calendar.ts';
import { buildCalendar, buildDeadlineEvent, buildMeetingEvents } from './calendar-events.ts';
import { findFeedOwner } from './calendar-feed.queries.ts';

const DAYS_BACK = 60;
const DAYS_AHEAD = 330;
/** The maximum page size of a task list, because the feed reads a single page. */
const DEADLINES_MAX = 100;

export async function serveFeed(c: HttpContext): Promise<Response> {
  c.set('route', 'GET /calendar/:feed');
  const scope = c.get('scope');
  const token = /^(.+)\.ics$/.exec(c.req.param('feed') ?? '')?.[1] ?? '';
  const cell = findTokenCell(scope, token);
  if (cell === null) throw feedNotFoundError();
  const [owner] = await scope.cell(cell).batch([findFeedOwner(hashSecret(token))]);
  if (!owner) throw feedNotFoundError();
  const { caller, results } = await executeReads(createFeedReadBuilder(scope), {
    request: scope,
    authenticator: createOwnerAuthenticator(scope, {
      userId: owner.user_id,
      workspaceId: owner.workspace_id,
      cell,
    }),
    cell: () => scope.cell(cell),
    accepted: (accepted) => c.set('caller', accepted),
  });
  const [meetings, tasks] = results.map((result) => {
    if (!result.ok) throw result.error;
    return result.output as { data: never[] };
  });
  const context = {
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
    ...buildMeetingEvents(mine, context),
    ...(tasks?.data ?? [])
      .filter(({ id }) => !inMeetings.has(id))
      .flatMap((task) => buildDeadlineEvent(task, context)),
  ];
  return new Response(buildCalendar(caller.workspaceName, events), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="edgework.ics"',
      'Cache-Control': 'private, no-store',
    },
  });
}

function createFeedReadBuilder({ now }: RequestScope) {
  return ({ timezone }: Caller) => {
    const today = toWallClock(now, timezone).date;
    const [from, to] = [addDays(today, -DAYS_BACK), addDays(today, DAYS_AHEAD)];
    return [
      { operation: listCalendarMeetings, input: { from, to } },
      {
        operation: listTasks,
        input: {
          scope: 'all',
          fields: ['id', 'name', 'deadline', 'dueTime', 'project'],
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

function createOwnerAuthenticator(
  scope: RequestScope,
  owner: { userId: string; workspaceId: string; cell: number },
): Authenticator {
  return {
    resolve: () => loadSessionCaller(scope, owner, { hash: '', expiresAt: 0 }),
    forget: () => undefined,
    guard: (caller) => guardCaller(caller, scope.now),
  };
}

/** Doesn't reveal whether the feed URL ever existed. */
function feedNotFoundError(): AppError {
  return new AppError(
    'not_found',
    "This calendar link doesn't work. Copy the current link from the app's Calendar page.",
  );
}
