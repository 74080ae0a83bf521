import { toChanges } from '../events/feed/events.present.ts';
import type { Caller } from '../kernel/access/access.ts';
import { getReach } from '../kernel/access/capabilities.ts';
import { UNDO_MS } from '../kernel/removals/undo-window.ts';
import { assertMeetingVersion, type MeetingState } from '../meetings/operations/meetings.queries.ts';
import { cancelMeeting, updateMeeting } from '../meetings/operations/meetings.ts';
import { restoreMeeting } from '../meetings/operations/restore-meeting.ts';
import type { AppChange } from './app-activity.queries.ts';
import { bindOperation } from './bind-operation.ts';
import { describeChange } from './describe-change.ts';
import { describeLaterChange } from './log-entries.ts';
import type { PartStep, Restoration } from './plan-parts-undo.ts';

export const isMeetingChange = ({ type }: AppChange) => type.startsWith('meeting.');

const columns = {
  name: 'name',
  date: 'date',
  time: 'time',
  meetingLink: 'link',
  location: 'location',
  recurrence: 'recurrence',
} as const satisfies Record<string, keyof MeetingState>;
type MeetingValues = Partial<Record<keyof typeof columns, unknown>>;

export function planMeetingsUndo(
  ctx: { caller: Caller; now: number },
  changes: readonly AppChange[],
  meetings: ReadonlyMap<number, MeetingState>,
): PartStep[] {
  const byMeeting = Map.groupBy(changes.filter(isMeetingChange), ({ entity }) => entity ?? 0);
  return [...byMeeting].map(([id, ofMeeting]) => ({
    label: describeChange(ofMeeting[0]?.type ?? ''),
    ...planMeetingUndo(ctx, ofMeeting, meetings.get(id)),
  }));
}

function planMeetingUndo(
  { caller, now }: { caller: Caller; now: number },
  changes: readonly AppChange[],
  current: MeetingState | undefined,
): Omit<PartStep, 'label'> {
  if (!current) return { outcome: 'impossible', reason: "You can't see this meeting." };
  const { id, version } = current;
  const restore = (run: NonNullable<Restoration['run']>): Omit<PartStep, 'label'> => ({
    outcome: 'undo',
    reason: null,
    restoration: { task: null, run, weight: 2, assertions: [assertMeetingVersion(caller, id, version)] },
  });
  if (current.is_joined === 0)
    return { outcome: 'impossible', reason: 'Only members of the project can change its meetings.' };
  const isNew = changes.some(({ type }) => type === 'meeting.created');
  const cancellation = changes.findLast(({ type }) => type === 'meeting.cancelled');
  const isCanceled = current.is_cancelled === 1;
  const mayCancel = getReach(caller, 'cancelMeetings') === 'all';
  if (isNew && isCanceled) return { outcome: 'done', reason: null };
  const left = collectValues(changes, 'to');
  const before = collectValues(changes.toReversed(), 'from');
  if (!isNew && cancellation) {
    if (!isCanceled) return { outcome: 'done', reason: null };
    if (now - cancellation.occurred_at > UNDO_MS)
      return {
        outcome: 'impossible',
        reason: 'A meeting can only be restored within 10 minutes of being canceled.',
      };
    return mayCancel ? restore(bindOperation(restoreMeeting, { id })) : impossibleCancellation;
  }
  if (isCanceled || !hasMeetingValues(current, left)) {
    return !isNew && hasMeetingValues(current, before) && !isCanceled
      ? { outcome: 'done', reason: null }
      : { outcome: 'kept', reason: describeLaterChange(null) };
  }
  if (isNew) return mayCancel ? restore(bindOperation(cancelMeeting, { id })) : impossibleCancellation;
  if (hasMeetingValues(current, before)) return { outcome: 'done', reason: null };
  if ('name' in before || 'recurrence' in before)
    return { outcome: 'impossible', reason: "Changes to a meeting's name or recurrence can't be undone." };
  return restore(
    bindOperation(updateMeeting, { id, ...before } as Parameters<typeof updateMeeting.handler>[1]),
  );
}

const impossibleCancellation: Omit<PartStep, 'label'> = {
  outcome: 'impossible',
  reason: 'Only leads, admins and owners can cancel meetings.',
};

function collectValues(changes: readonly AppChange[], side: 'from' | 'to'): MeetingValues {
  const values: MeetingValues = {};
  for (const { changes: stored } of changes)
    for (const [field, change] of Object.entries(toChanges(stored)))
      if (field in columns && change) Object.assign(values, { [field]: change[side] });
  return values;
}

function hasMeetingValues(current: MeetingState, values: MeetingValues): boolean {
  return (Object.keys(values) as (keyof typeof columns)[]).every(
    (field) => (current[columns[field]] ?? null) === (values[field] ?? null),
  );
}
