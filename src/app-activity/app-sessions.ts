import * as z from 'zod';
import { toInstant } from '../kernel/dates/civil-date.ts';
import { DAY_MS } from '../kernel/dates/durations.ts';
import { notFoundError } from '../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../kernel/operation/operation.ts';
import { integerId, toTimestamp } from '../kernel/operation/schema.ts';
import { listTaskStates } from '../tasks/model/bulk-states.queries.ts';
import {
  type ChangePage,
  findApp,
  listAppChanges,
  listChangedAssignees,
  listChangeTimes,
  listRemainingAppComments,
  listTaskHistory,
  listTasksWithOtherSubtasks,
  selectChangedTasks,
} from './app-activity.queries.ts';
import { appSessions, rangeInput, undoPlanOutput } from './app-activity.schema.ts';
import { groupIntoSessions } from './group-sessions.ts';
import { planUndo } from './plan-undo.ts';
import { readCurrentParts } from './read-parts.ts';

const sessionSpec = { access: 'session', capability: 'seeTasks', effect: 'read' } as const;
const EVENTS_LISTED_MAX = 1_000;
export const CHANGES_PER_PAGE_MAX = 200;
const COMPARED_DESCRIPTION_BYTES_MAX = 8_192;
/** The number of days for which the event log keeps replaced values (src/events/log/retention.ts). */
const UNDO_DAYS_MAX = 30;

export const listAppSessions = defineOperation(
  {
    ...sessionSpec,
    name: 'listAppSessions',
    summary: 'List the sessions in which one of your apps made changes, newest first',
    description: 'A session ends after 30 minutes without changes.',
    input: z.strictObject({ app: integerId, before: integerId.default(Number.MAX_SAFE_INTEGER) }),
    output: appSessions,
  },
  async ({ db, caller }, { app, before }) => {
    const [credential, rows] = await db.batch([
      findApp(caller, app),
      listChangeTimes(caller, { app, before, limit: EVENTS_LISTED_MAX + 1 }),
    ]);
    if (!credential) throw appNotFoundError(app);
    const { sessions, next } = groupIntoSessions(rows, EVENTS_LISTED_MAX);
    return {
      app: { id: app, name: credential.name },
      data: sessions.map(({ from, until, start, end, changes }) => ({
        from,
        until,
        startedAt: toTimestamp(start),
        endedAt: toTimestamp(end),
        changes,
      })),
      before: next,
    };
  },
);

export const getAppSession = defineOperation(
  {
    ...sessionSpec,
    name: 'getAppSession',
    summary: 'Show what one of your apps did, and what undoing it would change',
    input: z.strictObject(rangeInput),
    output: undoPlanOutput,
  },
  async (ctx, input) => {
    const { credential, changes, plan, next } = await readUndoPlan(ctx, toChangePage(ctx, input));
    return {
      app: { id: input.app, name: credential.name },
      from: input.from,
      until: Math.min(input.until, changes.at(-1)?.seq ?? input.until),
      startedAt: changes[0] ? toTimestamp(changes[0].occurred_at) : null,
      endedAt: changes[0] ? toTimestamp(changes.at(-1)?.occurred_at ?? 0) : null,
      steps: plan.steps.map(({ stage: _, ...step }) => step),
      hidden: plan.hidden,
      next,
    };
  },
);

export async function readUndoPlan(ctx: Context, page: ChangePage) {
  const { db, caller } = ctx;
  const [credential, rows, tasks, history, members, comments, parents] = await db.batch([
    findApp(caller, page.app),
    listAppChanges(caller, page),
    listTaskStates(caller, selectChangedTasks(caller, page), COMPARED_DESCRIPTION_BYTES_MAX),
    listTaskHistory(caller, page),
    listChangedAssignees(caller, page),
    listRemainingAppComments(caller, page),
    listTasksWithOtherSubtasks(caller, page),
  ]);
  if (!credential) throw appNotFoundError(page.app);
  const changes = rows.filter(({ occurred_at }) => occurred_at >= page.since).toReversed();
  const isLastPage = rows.length < page.limit || changes.length < rows.length;
  const tasksWithOtherSubtasks = new Set(parents.map(({ id }) => id));
  const plan = planUndo(ctx, {
    changes,
    history,
    tasks: new Map(tasks.map((task) => [task.id, task])),
    members: new Map(members.map(({ id, no }) => [id, no])),
    comments,
    tasksWithOtherSubtasks,
    author: credential.member,
    parts: await readCurrentParts(ctx, changes, new Set(tasks.map(({ id }) => id))),
  });
  const next = isLastPage ? null : (changes[0]?.seq ?? null);
  return { credential, changes, history, tasks, members, tasksWithOtherSubtasks, plan, next };
}

export function toChangePage(
  { caller, now }: Context,
  { app, from, until, since, before }: z.output<z.ZodObject<typeof rangeInput>>,
): ChangePage {
  const [date = '', time = ''] = (since ?? '').split('T');
  const start = since === undefined ? 0 : toInstant(date, time, caller.timezone);
  const earliest = now - UNDO_DAYS_MAX * DAY_MS;
  const isInvalid = Number.isNaN(start);
  return {
    app,
    from,
    until,
    before,
    since: isInvalid ? now : Math.max(start, earliest),
    limit: CHANGES_PER_PAGE_MAX,
  };
}

function appNotFoundError(id: number) {
  return notFoundError('connected app', id, 'the Connected apps page');
}
