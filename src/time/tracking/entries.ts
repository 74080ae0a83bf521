import * as z from 'zod';
import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { assertTaskWritable, findTaskState } from '../../tasks/model/tasks.queries.ts';
import { logTimeEntries, requireNoOverlappingEntry, requireWritableTask } from './create-time-entries.ts';
import {
  assertEntryUnchanged,
  assertNoOverlap,
  deleteEntry,
  findOverlappingEntry,
  findOwnEntry,
  type OwnEntry,
  recordEntryChange,
  type TimeSpan,
  updateEntry,
} from './entries.queries.ts';
import { requireTimeSpan } from './time-span.ts';
import { toTimeEntry } from './time-tracking.present.ts';
import { findEntryWithTask, newestEntry } from './time-tracking.queries.ts';
import { timeEntry, timeEntryCreateInput, timeEntryUpdateInput } from './time-tracking.schema.ts';

export const createTimeEntry = defineOperation(
  {
    name: 'createTimeEntry',
    summary: 'Log time you already worked',
    description:
      'An entry can have up to 24 hours. It must not end in the future or overlap your other entries.',
    access: 'time:write',
    capability: 'seeTasks',
    effect: 'write',
    input: timeEntryCreateInput,
    output: timeEntry,
    replay: { entity: newestEntry, rebuild: (ctx, _input, id) => readEntry(ctx, id) },
  },
  async (ctx, entry) => {
    const [created] = await logTimeEntries(ctx, [entry], (error) => error);
    if (!created) throw new Error('the entry that the batch wrote was not found');
    return created;
  },
);

export const updateTimeEntry = defineOperation(
  {
    name: 'updateTimeEntry',
    summary: 'Change one of your time entries',
    description: "Omitted fields don't change. Stop a running entry first.",
    access: 'time:write',
    capability: 'seeTasks',
    effect: 'write',
    input: timeEntryUpdateInput,
    output: timeEntry,
    example: { startTime: '2026-03-03T09:30:00.000Z', endTime: '2026-03-03T10:15:00.000Z' },
  },
  async (ctx, { id, taskId, startTime, endTime }) => {
    const { db, caller, now } = ctx;
    const entry = await requireStoppedEntry(ctx, id);
    const span = requireTimeSpan(
      now,
      taskId ?? entry.task,
      startTime === undefined ? entry.started_at : Date.parse(startTime),
      endTime === undefined ? entry.ended_at : Date.parse(endTime),
    );
    const [task, other] = await db.batch([
      findTaskState(caller, span.task),
      findOverlappingEntry(caller, span, id),
    ]);
    requireWritableTask(task, span.task);
    requireNoOverlappingEntry(other);
    const isChanged =
      span.task !== entry.task || span.started_at !== entry.started_at || span.ended_at !== entry.ended_at;
    if (!isChanged) return readEntry(ctx, id);
    const [changed] = await db.writeThenRead(
      [
        assertEntryUnchanged(caller, entry),
        assertTaskWritable(caller, span.task),
        assertNoOverlap(caller, span, id),
        recordEntryChange(ctx, 'time_entry.updated', toIdParameter(id), span),
        updateEntry(caller, id, span),
      ],
      [findEntryWithTask(caller, toIdParameter(id), now)],
    );
    if (!changed) throw entryNotFoundError(id);
    return toTimeEntry(changed);
  },
);

export const deleteTimeEntry = defineOperation(
  {
    name: 'deleteTimeEntry',
    summary: 'Delete one of your time entries',
    description: "If the entry's timer is running, stop it first.",
    access: 'time:write',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({ id: integerId }),
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const entry = await requireStoppedEntry(ctx, id);
    await ctx.db.batch([
      assertEntryUnchanged(ctx.caller, entry),
      recordEntryChange(ctx, 'time_entry.deleted', toIdParameter(id)),
      deleteEntry(ctx.caller, id),
    ]);
    return { success: true as const };
  },
);

async function requireStoppedEntry({ db, caller }: Context, id: number): Promise<OwnEntry & TimeSpan> {
  const [entry] = await db.batch([findOwnEntry(caller, id)]);
  if (!entry) throw entryNotFoundError(id);
  const { ended_at } = entry;
  if (ended_at !== null) return { ...entry, ended_at };
  throw invalidRequestError(
    ({ call }) => `Time entry ${id} is running. Stop it with ${call('stopTimer')}, then change it.`,
  );
}

async function readEntry({ db, caller, now }: Context, id: number) {
  const [entry] = await db.batch([findEntryWithTask(caller, toIdParameter(id), now)]);
  if (!entry) throw entryNotFoundError(id);
  return toTimeEntry(entry);
}

function entryNotFoundError(id: number): AppError {
  return notFoundError('time entry', id, ({ call }) => call('listTimeEntries'));
}
