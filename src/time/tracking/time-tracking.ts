import * as z from 'zod';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { toInstantRange } from '../../kernel/dates/instant-range.ts';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, toTimestamp } from '../../kernel/operation/schema.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { assertTaskWritable, findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { getPeriodDays, parsePeriod } from './periods.ts';
import { toTimeEntry, toTimeStats } from './time-tracking.present.ts';
import {
  countEntries,
  findEntry,
  findLastStoppedEntry,
  findRunningEntry,
  findStartedEntry,
  insertRunningEntry,
  listEntries,
  newestEntry,
  recordTimerStart,
  recordTimerStop,
  type StartedEntryRow,
  stopRunningEntry,
  sumTimeByTask,
} from './time-tracking.queries.ts';
import {
  startedTimer,
  timeEntry,
  timeEntryListInput,
  timeEntryPage,
  timeStats,
  timeStatsInput,
} from './time-tracking.schema.ts';

export const startTimer = defineOperation(
  {
    name: 'startTimer',
    summary: 'Start the timer on a task, stopping any running timer',
    description: 'Each person can have one running timer per workspace.',
    access: 'time:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({ taskId: integerId }),
    output: startedTimer,
    replay: {
      entity: newestEntry,
      rebuild: async ({ db, caller }, _input, id) => {
        const [started] = await db.batch([findEntry(caller, id)]);
        return toStartedTimer(started);
      },
    },
  },
  async (ctx, { taskId }) => {
    const { db, caller, now } = ctx;
    const [task] = await db.batch([findTaskState(caller, taskId)]);
    if (!task) throw taskNotFoundError(taskId, 'taskId');
    requireUnarchived(task);
    const [started] = await db.writeThenRead(
      [
        assertTaskWritable(caller, taskId),
        recordTimerStop(ctx),
        stopRunningEntry(caller, now),
        insertRunningEntry(caller, taskId, now),
        recordTimerStart(ctx),
      ],
      [findStartedEntry(caller)],
    );
    return toStartedTimer(started);
  },
);

function toStartedTimer({ id, task, started_at }: StartedEntryRow) {
  return { id, taskId: task, startTime: toTimestamp(started_at) };
}

export const stopTimer = defineOperation(
  {
    name: 'stopTimer',
    summary: 'Stop the running timer',
    description: 'Returns 404 if none is running.',
    access: 'time:write',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({}),
    output: timeEntry,
    replay: {
      rebuild: async ({ db, caller, now }) => {
        const [closed] = await db.batch([findLastStoppedEntry(caller, now)]);
        return toTimeEntry(closed);
      },
    },
  },
  async (ctx) => {
    const { db, caller, now } = ctx;
    if (db.willClaimKey) {
      const [found] = await db.batch([findRunningEntry(caller, now)]);
      if (!found) throw noRunningTimerError();
    }
    const [running] = await db.batch([
      findRunningEntry(caller, now),
      recordTimerStop(ctx),
      stopRunningEntry(caller, now),
    ]);
    if (!running) throw noRunningTimerError();
    return toTimeEntry({ ...running, ended_at: running.counted_until });
  },
);

function noRunningTimerError() {
  return new AppError(
    'not_found',
    ({ call }) => `You have no running timer in this workspace. Start one with ${call('startTimer')}.`,
  );
}

export const getCurrentTimer = defineOperation(
  {
    name: 'getCurrentTimer',
    summary: 'Get your running time entry, or null',
    description: '`durationSeconds` is the time elapsed so far.',
    access: 'time:read',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({}),
    output: timeEntry.nullable(),
  },
  async ({ db, caller, now }) => {
    const [running] = await db.batch([findRunningEntry(caller, now)]);
    return running && toTimeEntry(running);
  },
);

export const listTimeEntries = defineOperation(
  {
    name: 'listTimeEntries',
    summary: 'List your time entries, newest first',
    description: "`from` and `to` are days, inclusive, in the workspace's time zone.",
    access: 'time:read',
    capability: 'manageOwn',
    effect: 'read',
    input: timeEntryListInput,
    output: timeEntryPage,
  },
  async ({ db, caller, now }, { taskId, from, to, ...input }) => {
    if (from !== undefined && to !== undefined && from > to) {
      throw invalidRequestError(
        ({ field }) =>
          `${field('from')} must not be after ${field('to')}; got '${from}' and '${to}'. Swap them, or leave one out.`,
      );
    }
    const filter = { taskId, ...toInstantRange({ from, to }, caller.timezone) };
    const range = toRange(input, 2);
    const [total, rows] = await db.batch([
      countEntries(caller, filter),
      listEntries(caller, filter, range, now),
    ]);
    return buildPage({ range, total, rows, key: (row) => [row.started_at, row.id], show: toTimeEntry });
  },
);

export const getTimeStats = defineOperation(
  {
    name: 'getTimeStats',
    summary: 'Get your total time by task',
    description:
      "Each entry counts toward the day it started, in the workspace's time zone. A running entry counts up to now.",
    access: 'time:read',
    capability: 'manageOwn',
    effect: 'read',
    input: timeStatsInput,
    output: timeStats,
  },
  async ({ db, caller, now }, { period: name }) => {
    const period = parsePeriod(name);
    const days = getPeriodDays(period, toWallClock(now, caller.timezone).date);
    const [totals] = await db.batch([sumTimeByTask(caller, toInstantRange(days, caller.timezone), now)]);
    return toTimeStats(period, days, totals);
  },
);
