import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import {
  additiveHints,
  defineTool,
  readOnlyHints,
  retryKeyInput,
  summaryOutput,
  type ToolContext,
} from '../../kernel/tools/tool.ts';
import {
  rejectOverriddenArguments,
  slicePage,
  toolPageFields,
  toolPageInput,
  trimPage,
} from '../../kernel/tools/tool-page.ts';
import { toolTimeInput, toToolTimestamp } from '../../kernel/tools/tool-time.ts';
import { createTimeEntries, NEW_ENTRIES_MAX } from './create-time-entries.ts';
import { deleteTimeEntry, updateTimeEntry } from './entries.ts';
import { namedPeriods, timeEntryListInput } from './time-tracking.schema.ts';
import { getCurrentTimer, getTimeStats, listTimeEntries, startTimer, stopTimer } from './time-tracking.ts';

const timeViews = ['current', 'stats', 'entries'] as const;

export const getTime = defineTool(
  {
    name: 'get_time',
    title: 'Get your time',
    description: 'Get `current` (the running timer), `stats` (sums by task) or `entries` (newest first).',
    access: 'time:read',
    hints: readOnlyHints,
    input: z.strictObject({
      view: z.enum(timeViews),
      period: z.enum(namedPeriods).optional().meta({ description: 'For `stats`. Default `week`.' }),
      taskId: integerId.optional(),
      from: timeEntryListInput.shape.from.meta({ description: undefined }),
      to: timeEntryListInput.shape.to.meta({ description: undefined }),
      ...toolPageInput,
    }),
    output: z.strictObject({
      current: summaryOutput.nullable().optional(),
      stats: summaryOutput.optional(),
      data: z.array(summaryOutput).optional(),
      total: toolPageFields.total.optional(),
      nextCursor: toolPageFields.nextCursor.optional(),
    }),
    covers: { listTimeEntries: 'view entries', getCurrentTimer: 'view current' },
    lines: ({ current, stats, data = [] }) => [
      ...(current === undefined ? [] : [current === null ? 'No timer is running.' : toTimeLine(current)]),
      ...(stats
        ? [
            `${stats.from} to ${stats.to}: ${stats.totalHours} h in ${stats.entryCount} ${stats.entryCount === 1 ? 'entry' : 'entries'}`,
          ]
        : []),
      ...data.map(toTimeLine),
    ],
  },
  async (ctx, { view, ...given }) => {
    // Each view's operation rejects filters that it doesn't support.
    if (view === 'current')
      return { current: await ctx.run(getCurrentTimer, given as Record<string, never>) };
    if (view === 'entries') return trimPage(await ctx.list(listTimeEntries, given), (each) => each);
    const { limit, cursor, ...filter } = given;
    const { tasks, ...totals } = await ctx.run(getTimeStats, filter);
    return {
      stats: totals,
      ...slicePage(tasks, { limit, cursor }, { key: ({ taskId }) => taskId, trim: (each) => each }),
    };
  },
);

function toTimeLine(each: z.output<typeof summaryOutput>): string {
  const task = each.task as { name: string } | undefined;
  const project = each.project as { name: string };
  return buildToolLine(
    `#${each.taskId} ${task?.name ?? each.taskName}`,
    project.name,
    each.startTime
      ? `${each.startTime} to ${each.endTime ?? 'now'}`
      : `${each.entryCount} ${each.entryCount === 1 ? 'entry' : 'entries'}`,
    each.startTime ? `${each.durationSeconds} s` : `${each.totalHours} h`,
    each.startTime ? `entry ${each.id}` : null,
  );
}

const entryOutput = z.strictObject({
  id: z.int(),
  taskId: z.int(),
  startTime: z.string(),
  endTime: z.string().nullable().optional(),
  durationSeconds: z.int().optional(),
  task: summaryOutput.optional(),
  project: summaryOutput.optional(),
});

const entryTimes = { taskId: integerId, startTime: toolTimeInput, endTime: toolTimeInput };

export const trackTime = defineTool(
  {
    name: 'set_timer',
    title: 'Track your time',
    description:
      'Start the timer on `taskId` (null stops it), log up to 50 past times with `entries` (all or none), or correct or delete an entry with `change`.',
    access: 'time:write',
    hints: { ...additiveHints, destructiveHint: true },
    input: z.strictObject({
      taskId: integerId.nullish(),
      entries: z.array(z.strictObject(entryTimes)).min(1).max(NEW_ENTRIES_MAX).optional(),
      change: z
        .strictObject({
          id: integerId,
          ...z.strictObject(entryTimes).partial().shape,
          delete: z.literal(true).optional(),
        })
        .optional(),
      ...retryKeyInput,
    }),
    output: z.strictObject({
      entry: entryOutput.optional(),
      logged: z.array(entryOutput).optional(),
      changed: entryOutput.optional(),
      deleted: z.int().optional(),
    }),
    covers: {
      startTimer: '',
      stopTimer: 'taskId null',
      createTimeEntry: 'entries',
      updateTimeEntry: 'change',
    },
    lines: ({ entry: timer, logged = [], changed, deleted }) => [
      ...(changed ? [`Now ${toTimeLine(changed)}`] : []),
      ...(deleted === undefined ? [] : [`Deleted entry ${deleted}.`]),
      ...(timer ? [toTimerLine(timer)] : []),
      ...logged.map((each) => `Logged ${toTimeLine(each)}`),
      ...(logged.length > 1 ? [`Logged ${logged.length} entries.`] : []),
    ],
  },
  async (ctx, { taskId, entries, change, idempotencyKey: key }) => {
    if (entries) {
      rejectOverriddenArguments('entries', { taskId, change });
      const sent = entries.map((entry) => toEntryInput(ctx, entry));
      return { logged: (await ctx.run(createTimeEntries, { entries: sent }, key)).entries };
    }
    if (change) {
      rejectOverriddenArguments('change', { taskId });
      const { id, delete: isDeleted, ...fields } = change;
      if (!isDeleted)
        return { changed: await ctx.run(updateTimeEntry, { id, ...toEntryInput(ctx, fields) }, key) };
      rejectOverriddenArguments('delete', fields);
      await ctx.run(deleteTimeEntry, { id }, key);
      return { deleted: id };
    }
    if (taskId === undefined)
      throw invalidRequestError('Send exactly one of: taskId (null stops the timer), entries or change.');
    return {
      entry: taskId === null ? await ctx.run(stopTimer, {}, key) : await ctx.run(startTimer, { taskId }, key),
    };
  },
);

function toEntryInput<T extends { startTime?: string | undefined; endTime?: string | undefined }>(
  { caller }: ToolContext,
  entry: T,
): T {
  const times = Object.entries({ startTime: entry.startTime, endTime: entry.endTime }).map(([name, text]) => [
    name,
    text && toToolTimestamp(text, caller.timezone),
  ]);
  return { ...entry, ...Object.fromEntries(times) };
}

function toTimerLine(timer: z.output<typeof entryOutput>): string {
  return timer.endTime
    ? `Stopped the timer on #${timer.taskId} after ${timer.durationSeconds} s.`
    : `The timer on #${timer.taskId} has been running since ${timer.startTime}.`;
}
