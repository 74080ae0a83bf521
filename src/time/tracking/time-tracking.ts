import * as z from 'zod';
import { wallClock } from '../../kernel/dates/civil.ts';
import { AppError, invalidRequest } from '../../kernel/errors/errors.ts';
import { page, rangeOf } from '../../kernel/lists/pagination.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { integerId, toTimestamp } from '../../kernel/operation/schema.ts';
import { requireUnarchived, taskNotFound } from '../../tasks/model/tasks.policy.ts';
import { assertWritable, findTaskState } from '../../tasks/model/tasks.queries.ts';
import { daysOf, instantsOf, periodNamed } from './periods.ts';
import { toTimeEntry, toTimeStats } from './time-tracking.present.ts';
import {
  closeRunning,
  countEntries,
  findEntry,
  findLastClosed,
  findRunning,
  findStarted,
  insertEntry,
  listEntries,
  newestEntry,
  recordStart,
  recordStop,
  type StartedRow,
  sumByTask,
} from './time-tracking.queries.ts';
import {
  startedTimer,
  timeEntry,
  timeEntryListInput,
  timeEntryPage,
  timeStats,
  timeStatsInput,
} from './time-tracking.schema.ts';

export const startTimer = operation(
  {
    name: 'startTimer',
    summary: 'Start the timer on a task; a timer that runs already is stopped first',
    description: 'At most one runs for each person in a workspace.',
    access: 'time:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({ taskId: integerId }),
    output: startedTimer,
    repeat: {
      entity: newestEntry,
      answer: async ({ db, caller }, _input, id) => {
        const [started] = await db.batch([findEntry(caller, id)]);
        return toStartedTimer(started);
      },
    },
  },
  async (ctx, { taskId }) => {
    const { db, caller, now } = ctx;
    const [task] = await db.batch([findTaskState(caller, taskId)]);
    if (!task) throw taskNotFound(taskId);
    requireUnarchived(task);
    const [started] = await db.writeThenRead(
      [
        assertWritable(caller, taskId),
        recordStop(ctx),
        closeRunning(caller, now),
        insertEntry(caller, taskId, now),
        recordStart(ctx),
      ],
      [findStarted(caller)],
    );
    return toStartedTimer(started);
  },
);

function toStartedTimer({ id, task, started_at }: StartedRow) {
  return { id, taskId: task, startTime: toTimestamp(started_at) };
}

export const stopTimer = operation(
  {
    name: 'stopTimer',
    summary: 'Stop the running timer',
    description: '404 where none runs.',
    access: 'time:write',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({}),
    output: timeEntry,
    repeat: {
      answer: async ({ db, caller, now }) => {
        const [closed] = await db.batch([findLastClosed(caller, now)]);
        return toTimeEntry(closed);
      },
    },
  },
  async (ctx) => {
    const { db, caller, now } = ctx;
    if (db.claimsKey) {
      const [found] = await db.batch([findRunning(caller, now)]);
      if (!found) throw noTimerRuns();
    }
    const [running] = await db.batch([findRunning(caller, now), recordStop(ctx), closeRunning(caller, now)]);
    if (!running) throw noTimerRuns();
    return toTimeEntry({ ...running, ended_at: running.counted_until });
  },
);

function noTimerRuns() {
  return new AppError(
    'not_found',
    ({ call }) => `No timer of yours is running in this workspace. Start one with ${call('startTimer')}.`,
  );
}

export const getCurrentTimer = operation(
  {
    name: 'getCurrentTimer',
    summary: 'Get your running time entry, null where none runs',
    description: 'durationSeconds counts up to now.',
    access: 'time:read',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({}),
    output: timeEntry.nullable(),
  },
  async ({ db, caller, now }) => {
    const [running] = await db.batch([findRunning(caller, now)]);
    return running && toTimeEntry(running);
  },
);

export const listTimeEntries = operation(
  {
    name: 'listTimeEntries',
    summary: 'List your time entries, newest first',
    description: 'from and to are days of the time zone of the workspace, both included.',
    access: 'time:read',
    capability: 'manageOwn',
    effect: 'read',
    input: timeEntryListInput,
    output: timeEntryPage,
  },
  async ({ db, caller, now }, { taskId, from, to, ...input }) => {
    if (from !== undefined && to !== undefined && from > to) {
      throw invalidRequest(
        `from must not be after to; got from '${from}' and to '${to}'. Swap them, or leave one out.`,
      );
    }
    const filter = { taskId, ...instantsOf({ from, to }, caller.timezone) };
    const range = rangeOf(input, 2);
    const [total, rows] = await db.batch([
      countEntries(caller, filter),
      listEntries(caller, filter, range, now),
    ]);
    return page({ range, total, rows, key: (row) => [row.started_at, row.id], show: toTimeEntry });
  },
);

export const getTimeStats = operation(
  {
    name: 'getTimeStats',
    summary: 'Sum up your time by task',
    description:
      'Entries count by their start, in the time zone of the workspace; a running one counts up to now.',
    access: 'time:read',
    capability: 'manageOwn',
    effect: 'read',
    input: timeStatsInput,
    output: timeStats,
  },
  async ({ db, caller, now }, { period: name }) => {
    const period = periodNamed(name);
    const days = daysOf(period, wallClock(now, caller.timezone).date);
    const [totals] = await db.batch([sumByTask(caller, instantsOf(days, caller.timezone), now)]);
    return toTimeStats(period, days, totals);
  },
);
