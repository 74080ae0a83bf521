import * as z from 'zod';
import { toInstant } from '../kernel/dates/civil-date.ts';
import { DAY_MS } from '../kernel/dates/durations.ts';
import { notFoundError } from '../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../kernel/operation/operation.ts';
import { integerId, toTimestamp } from '../kernel/operation/schema.ts';
import { listTaskStates } from '../tasks/model/bulk-states.queries.ts';
import {
  type ChangePart,
  findApp,
  listAppChanges,
  listChangedAssignees,
  listChangeTimes,
  listParentsOfOthers,
  listRemainingComments,
  listTaskHistory,
  selectChangedTasks,
} from './app-activity.queries.ts';
import { appSessions, rangeInput, undoPlanOutput } from './app-activity.schema.ts';
import { groupIntoSessions } from './group-sessions.ts';
import { planUndo } from './plan-undo.ts';
import { readCurrentParts } from './read-parts.ts';

const sessionSpec = { access: 'session', capability: 'seeTasks', effect: 'read' } as const;
const EVENTS_LISTED_MAX = 1_000;
export const PART_CHANGES_MAX = 200;
/** Longer descriptions aren't compared with their previous text. */
const DESCRIPTION_BYTES_MAX = 8_192;
/** Matches how long the event log keeps previous texts (src/events/log/retention.ts). */
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
    const { credential, changes, plan, next } = await readUndoPlan(ctx, toPart(ctx, input));
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

export async function readUndoPlan(ctx: Context, part: ChangePart) {
  const { db, caller } = ctx;
  const [credential, rows, tasks, history, members, comments, parents] = await db.batch([
    findApp(caller, part.app),
    listAppChanges(caller, part),
    listTaskStates(caller, selectChangedTasks(caller, part), DESCRIPTION_BYTES_MAX),
    listTaskHistory(caller, part),
    listChangedAssignees(caller, part),
    listRemainingComments(caller, part),
    listParentsOfOthers(caller, part),
  ]);
  if (!credential) throw appNotFoundError(part.app);
  const changes = rows.filter(({ occurred_at }) => occurred_at >= part.since).toReversed();
  const isLastPart = rows.length < part.limit || changes.length < rows.length;
  const parentsOfOthers = new Set(parents.map(({ id }) => id));
  const plan = planUndo(ctx, {
    changes,
    history,
    tasks: new Map(tasks.map((task) => [task.id, task])),
    members: new Map(members.map(({ id, no }) => [id, no])),
    comments,
    parentsOfOthers,
    author: credential.member,
    parts: await readCurrentParts(ctx, changes, new Set(tasks.map(({ id }) => id))),
  });
  const next = isLastPart ? null : (changes[0]?.seq ?? null);
  return { credential, changes, history, tasks, members, parentsOfOthers, plan, next };
}

export function toPart(
  { caller, now }: Context,
  { app, from, until, since, before }: z.output<z.ZodObject<typeof rangeInput>>,
): ChangePart {
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
    limit: PART_CHANGES_MAX,
  };
}

function appNotFoundError(id: number) {
  return notFoundError('connected app', id, 'Connected apps in the app');
}
