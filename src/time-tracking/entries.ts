import * as z from 'zod';
import { type AppError, invalidRequest, notFound } from '../kernel/errors.ts';
import { idOf } from '../kernel/expressions.queries.ts';
import { type Context, operation } from '../kernel/operation.ts';
import { done, integerId, toTimestamp } from '../kernel/schema.ts';
import { requireUnarchived, taskNotFound } from '../task-model/tasks.policy.ts';
import { assertWritable, findTaskState, type TaskState } from '../task-model/tasks.queries.ts';
import {
  assertEntry,
  assertFree,
  deleteEntry,
  findInTheWay,
  findOwnEntry,
  insertSpan,
  moveEntry,
  type OwnEntry,
  recordEntry,
  type Span,
} from './entries.queries.ts';
import { requireSpan } from './span.ts';
import { toTimeEntry } from './time-tracking.present.ts';
import { findEntryWithTask, newestEntry } from './time-tracking.queries.ts';
import { timeEntry, timeEntryCreateInput, timeEntryUpdateInput } from './time-tracking.schema.ts';

export const createTimeEntry = operation(
  {
    name: 'createTimeEntry',
    summary: 'Log time that was worked before',
    access: 'time:write',
    capability: 'seeTasks',
    effect: 'write',
    input: timeEntryCreateInput,
    output: timeEntry,
    repeat: { entity: newestEntry, answer: (ctx, _input, id) => readEntry(ctx, id) },
  },
  async (ctx, { taskId, startTime, endTime }) => {
    const { db, caller } = ctx;
    const span = requireSpan(ctx.now, taskId, Date.parse(startTime), Date.parse(endTime));
    const [task, other] = await db.batch([findTaskState(caller, taskId), findInTheWay(caller, span, null)]);
    requireWritable(task, taskId);
    requireFree(other);
    const [created] = await db.writeThenRead(
      [
        assertWritable(caller, taskId),
        assertFree(caller, span, null),
        insertSpan(caller, span),
        recordEntry(ctx, 'time_entry.created', newestEntry),
      ],
      [findEntryWithTask(caller, newestEntry, ctx.now)],
    );
    if (!created) throw new Error('the entry that the batch wrote was not found');
    return toTimeEntry(created);
  },
);

export const updateTimeEntry = operation(
  {
    name: 'updateTimeEntry',
    summary: 'Change one of your time entries',
    description: 'Omitted fields stay as they are. A running entry has to be stopped first.',
    access: 'time:write',
    capability: 'seeTasks',
    effect: 'write',
    input: timeEntryUpdateInput,
    output: timeEntry,
  },
  async (ctx, { id, taskId, startTime, endTime }) => {
    const { db, caller, now } = ctx;
    const entry = await requireStopped(ctx, id);
    const span = requireSpan(
      now,
      taskId ?? entry.task,
      startTime === undefined ? entry.started_at : Date.parse(startTime),
      endTime === undefined ? entry.ended_at : Date.parse(endTime),
    );
    const [task, other] = await db.batch([findTaskState(caller, span.task), findInTheWay(caller, span, id)]);
    requireWritable(task, span.task);
    requireFree(other);
    const isChanged =
      span.task !== entry.task || span.started_at !== entry.started_at || span.ended_at !== entry.ended_at;
    if (!isChanged) return readEntry(ctx, id);
    const [changed] = await db.writeThenRead(
      [
        assertEntry(caller, entry),
        assertWritable(caller, span.task),
        assertFree(caller, span, id),
        recordEntry(ctx, 'time_entry.updated', idOf(id), span),
        moveEntry(caller, id, span),
      ],
      [findEntryWithTask(caller, idOf(id), now)],
    );
    if (!changed) throw entryNotFound(id);
    return toTimeEntry(changed);
  },
);

export const deleteTimeEntry = operation(
  {
    name: 'deleteTimeEntry',
    summary: 'Delete one of your time entries',
    access: 'time:write',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({ id: integerId }),
    output: done,
    repeat: { answer: async () => ({ success: true as const }) },
  },
  async (ctx, { id }) => {
    const entry = await requireStopped(ctx, id);
    await ctx.db.batch([
      assertEntry(ctx.caller, entry),
      recordEntry(ctx, 'time_entry.deleted', idOf(id)),
      deleteEntry(ctx.caller, id),
    ]);
    return { success: true as const };
  },
);

async function requireStopped({ db, caller }: Context, id: number): Promise<OwnEntry & Span> {
  const [entry] = await db.batch([findOwnEntry(caller, id)]);
  if (!entry) throw entryNotFound(id);
  const { ended_at } = entry;
  if (ended_at !== null) return { ...entry, ended_at };
  throw invalidRequest(
    ({ call }) => `Time entry ${id} is running. Stop it first with ${call('stopTimer')}, then change it.`,
  );
}

async function readEntry({ db, caller, now }: Context, id: number) {
  const [entry] = await db.batch([findEntryWithTask(caller, idOf(id), now)]);
  if (!entry) throw entryNotFound(id);
  return toTimeEntry(entry);
}

function requireWritable(task: TaskState | null, id: number) {
  if (!task) throw taskNotFound(id);
  requireUnarchived(task);
}

function requireFree(other: OwnEntry | null) {
  if (!other) return;
  const end = other.ended_at === null ? 'now' : toTimestamp(other.ended_at);
  throw invalidRequest(
    ({ call }) =>
      `The time overlaps your time entry ${other.id}, from ${toTimestamp(other.started_at)} to ${end}. Choose a free time, or change that entry; ${call('listTimeEntries')} lists yours.`,
  );
}

function entryNotFound(id: number): AppError {
  return notFound('time entry', id, ({ call }) => call('listTimeEntries'));
}
