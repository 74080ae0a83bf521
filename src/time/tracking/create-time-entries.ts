import * as z from 'zod';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { formatWording, type Vocabulary } from '../../kernel/text/wording.ts';
import { listTaskStates } from '../../tasks/model/bulk-states.queries.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { assertTasksUnchanged, type TaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import {
  assertNoOverlaps,
  insertTimeEntries,
  listOverlappingEntries,
  type OwnEntry,
  recordCreatedEntries,
  type TimeSpan,
} from './entries.queries.ts';
import { requireTimeSpan } from './time-span.ts';
import { toTimeEntry } from './time-tracking.present.ts';
import { listNewEntries, newestEntry } from './time-tracking.queries.ts';
import { timeEntry, timeEntryCreateInput } from './time-tracking.schema.ts';

export const NEW_ENTRIES_MAX = 50;

export const createTimeEntries = defineOperation(
  {
    name: 'createTimeEntries',
    summary: 'Log several time entries, all or nothing',
    access: 'time:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({ entries: z.array(timeEntryCreateInput).min(1).max(NEW_ENTRIES_MAX) }),
    output: z.object({ entries: z.array(timeEntry) }),
    replay: {
      entity: newestEntry,
      async rebuild({ db, caller, now }, { entries }, newest) {
        const [found] = await db.batch([listNewEntries(caller, entries.length, now, newest)]);
        return { entries: found.map(toTimeEntry).toSorted((one, other) => one.id - other.id) };
      },
    },
  },
  async (ctx, { entries }) => ({ entries: await logTimeEntries(ctx, entries, toEntryError) }),
);

type NewTimeEntry = z.output<typeof timeEntryCreateInput>;

type WrapError = (error: AppError, index: number) => AppError;

export async function logTimeEntries(ctx: Context, wanted: readonly NewTimeEntry[], wrapError: WrapError) {
  const { db, caller, now } = ctx;
  const { spans, tasks } = await checkTimeEntries(ctx, wanted, wrapError);
  const [created] = await db.writeThenRead(
    [
      assertTasksUnchanged(caller, tasks),
      assertNoOverlaps(caller, spans),
      insertTimeEntries(caller, spans),
      recordCreatedEntries(ctx, spans.length),
    ],
    [listNewEntries(caller, spans.length, now, newestEntry)],
  );
  return created.map(toTimeEntry).toSorted((one, other) => one.id - other.id);
}

/** @param checkSpan further checks of each entry. */
export async function checkTimeEntries(
  { db, caller, now }: Context,
  wanted: readonly NewTimeEntry[],
  wrapError: WrapError = toEntryError,
  checkSpan: (span: TimeSpan) => void = () => undefined,
) {
  const each = <T>(items: readonly T[], check: (item: T, index: number) => void) =>
    items.forEach((item, index) => {
      try {
        check(item, index);
      } catch (error) {
        throw error instanceof AppError ? wrapError(error, index) : error;
      }
    });
  const spans: TimeSpan[] = [];
  each(wanted, ({ taskId, startTime, endTime }) => {
    spans.push(requireTimeSpan(now, taskId, Date.parse(startTime), Date.parse(endTime)));
  });
  const ids = [...new Set(spans.map(({ task }) => task))];
  const [tasks, others] = await db.batch([
    listTaskStates(caller, ids, 0),
    listOverlappingEntries(caller, spans),
  ]);
  each(spans, (span, index) => {
    requireWritableTask(tasks.find(({ id }) => id === span.task) ?? null, span.task);
    requireNoOverlappingEntry(others.find(({ place }) => place === index) ?? null);
    requireNoOverlapInRequest(spans, index);
    checkSpan(span);
  });
  return { spans, tasks };
}

function toEntryError(error: AppError, index: number): AppError {
  const item = `entries[${index}]`;
  const toItemVocabulary = (words: Vocabulary): Vocabulary => ({
    ...words,
    field: (name) => `${item}.${words.field(name)}`,
  });
  return new AppError(
    error.code,
    (words) => {
      const message = formatWording(error.wording, toItemVocabulary(words));
      return message.includes(item) ? message : `${item}: ${message}`;
    },
    { field: (words) => error.getField(toItemVocabulary(words)) ?? item },
  );
}

export function requireWritableTask(task: Pick<TaskState, 'id' | 'archived'> | null, id: number) {
  if (!task) throw taskNotFoundError(id, 'taskId');
  requireUnarchived(task);
}

export function requireNoOverlappingEntry(other: OwnEntry | null) {
  if (!other) return;
  const end = other.ended_at === null ? 'now' : toTimestamp(other.ended_at);
  throw invalidRequestError(
    ({ call }) =>
      `This time overlaps your time entry ${other.id}, from ${toTimestamp(other.started_at)} to ${end}. Choose another time, or change that entry; ${call('listTimeEntries')} lists your entries.`,
  );
}

function requireNoOverlapInRequest(spans: readonly TimeSpan[], index: number) {
  const { started_at, ended_at } = spans[index] as TimeSpan;
  const other = spans.findIndex(
    (span, place) => place < index && span.started_at < ended_at && span.ended_at > started_at,
  );
  if (other >= 0)
    throw invalidRequestError(`This time overlaps entries[${other}]. Send times that don't overlap.`);
}
