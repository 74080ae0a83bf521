import { toChanges } from '../events/feed/events.present.ts';
import type { Caller } from '../kernel/access/access.ts';
import type { Context } from '../kernel/operation/operation.ts';
import { toTimestamp } from '../kernel/operation/schema.ts';
import { assertEntryUnchanged, type OwnEntry } from '../time/tracking/entries.queries.ts';
import { updateTimeEntry } from '../time/tracking/entries.ts';
import { restoreTimeEntry } from '../time/tracking/restore-entries.ts';
import type { AppChange } from './app-activity.queries.ts';
import { bindOperation } from './bind-operation.ts';
import { describeChange } from './describe-change.ts';
import type { PartStep } from './plan-parts-undo.ts';

/** Null if the entry doesn't exist. Contains only fields that the app has changed. */
type TimeEntryState = Partial<Pick<OwnEntry, 'task' | 'started_at' | 'ended_at'>> | null;

export const isTimeEntryChange = ({ type }: AppChange) => type.startsWith('time_entry.');

/** Undoes nothing if `isOwner` is false, because only the person who logged the time can change an entry. */
export function planTimeEntriesUndo(
  caller: Caller,
  changes: readonly AppChange[],
  entries: ReadonlyMap<number, OwnEntry>,
  isOwner: boolean,
): PartStep[] {
  const byEntry = Map.groupBy(changes.filter(isTimeEntryChange), ({ entity }) => entity ?? 0);
  return [...byEntry].map(([id, ofEntry]) => {
    const label = describeChange(ofEntry[0]?.type ?? '');
    if (!isOwner)
      return { label, outcome: 'impossible', reason: 'Only the person who logged the time can change it.' };
    return { label, ...planTimeEntryUndo(caller, id, ofEntry, entries.get(id) ?? null) };
  });
}

function planTimeEntryUndo(
  caller: Caller,
  id: number,
  changes: readonly AppChange[],
  current: OwnEntry | null,
): Omit<PartStep, 'label'> {
  const left = changes.reduce<TimeEntryState>((state, change) => applyChange(state, change, 'to'), {});
  const before = changes.reduceRight<TimeEntryState>(
    (state, change) => applyChange(state, change, 'from'),
    left,
  );
  const task = changes[0]?.task ?? 0;
  if (isInState(current, before)) return { outcome: 'done', reason: null };
  if (!isInState(current, left)) return { outcome: 'kept', reason: 'You changed it later.' };
  if (before?.ended_at === null)
    return { outcome: 'impossible', reason: "A stopped timer can't be started again." };
  if (current === null) {
    const span = before as OwnEntry & { ended_at: number };
    const run = (ctx: Context) => restoreTimeEntry(ctx, id, span);
    return { outcome: 'undo', reason: null, restoration: { task, run } };
  }
  if (before === null) {
    if (current.ended_at === null)
      return { outcome: 'impossible', reason: 'The timer is running. Stop it first.' };
    return { outcome: 'undo', reason: null, restoration: { task, deletedEntry: current } };
  }
  const run = bindOperation(updateTimeEntry, {
    id,
    ...(before.task !== undefined && { taskId: before.task }),
    ...(before.started_at !== undefined && { startTime: toTimestamp(before.started_at) }),
    ...(before.ended_at !== undefined && { endTime: toTimestamp(before.ended_at) }),
  });
  const assertions = [assertEntryUnchanged(caller, current)];
  return { outcome: 'undo', reason: null, restoration: { task, run, assertions } };
}

function applyChange(
  state: TimeEntryState,
  { type, task, changes: stored }: AppChange,
  side: 'from' | 'to',
): TimeEntryState {
  const changes = toChanges(stored);
  const toTime = (name: string) => {
    const value = changes[name]?.[side];
    return typeof value === 'string' ? Date.parse(value) : null;
  };
  const isStart = type === 'time_entry.created' || type === 'time_entry.started';
  if (side === 'to' ? type === 'time_entry.deleted' : isStart) return null;
  if (isStart || type === 'time_entry.deleted')
    return { task: task ?? 0, started_at: toTime('startTime') ?? 0, ended_at: toTime('endTime') };
  const taskId = changes.taskId?.[side];
  return {
    ...state,
    ...(typeof taskId === 'number' && { task: taskId }),
    ...('startTime' in changes && { started_at: toTime('startTime') ?? 0 }),
    ...('endTime' in changes && { ended_at: toTime('endTime') }),
  };
}

function isInState(current: OwnEntry | null, state: TimeEntryState): boolean {
  if (current === null || state === null) return current === state;
  return (Object.keys(state) as (keyof OwnEntry)[]).every(
    (name) => current[name] === (state as Partial<OwnEntry>)[name],
  );
}
