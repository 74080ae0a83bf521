import { toChanges } from '../events/feed/events.present.ts';
import type { Context } from '../kernel/operation/operation.ts';
import { listMeetingStates } from '../meetings/operations/meetings.queries.ts';
import { toChecklist } from '../tasks/checklists/change-checklist.ts';
import { listChecklists } from '../tasks/checklists/checklists.queries.ts';
import { listRecurrences } from '../tasks/recurrence/recurrences.queries.ts';
import { listRelationChecks, listRelationStates } from '../tasks/relations/relations.queries.ts';
import { listOwnEntries } from '../time/tracking/entries.queries.ts';
import type { AppChange } from './app-activity.queries.ts';
import { mergeEntries } from './log-entries.ts';
import { isMeetingChange } from './plan-meetings-undo.ts';
import { listRelationChanges, toRelationKey } from './plan-relations-undo.ts';
import type { CurrentParts } from './plan-task-undo.ts';
import { isTimeEntryChange } from './plan-time-undo.ts';

const emptyParts: CurrentParts = {
  checklists: new Map(),
  recurrences: new Map(),
  relations: new Map(),
  entries: new Map(),
  meetings: new Map(),
};

export async function readCurrentParts(
  { db, caller }: Context,
  changes: readonly AppChange[],
  visible: ReadonlySet<number>,
): Promise<CurrentParts> {
  const seen = changes.filter(({ task }) => task !== null && visible.has(task));
  const listTasks = (part: string) => [
    ...new Set(seen.flatMap((change) => (part in toChanges(change.changes) ? [change.task ?? 0] : []))),
  ];
  const [withChecklist, withRecurrence] = [listTasks('checklist'), listTasks('recurrence')];
  const logged = seen.flatMap((change) =>
    mergeEntries([change], []).flatMap((entry) => listRelationChanges(change.task ?? 0, entry)),
  );
  const relations = [...new Map(logged.map(({ stored }) => [toRelationKey(stored), stored]))];
  const listEntities = (isOfKind: (change: AppChange) => boolean) => [
    ...new Set(changes.filter(isOfKind).flatMap(({ entity }) => entity ?? [])),
  ];
  const [entryIds, meetingIds] = [listEntities(isTimeEntryChange), listEntities(isMeetingChange)];
  if ([withChecklist, withRecurrence, relations, entryIds, meetingIds].every(({ length }) => length === 0))
    return emptyParts;
  const deleted = new Set(
    logged.flatMap(({ change, stored }) => (change.to === null ? [toRelationKey(stored)] : [])),
  );
  const deletedByType = [
    ...Map.groupBy(
      relations.flatMap(([key, stored]) => (deleted.has(key) ? [stored] : [])),
      ({ type }) => type,
    ),
  ];
  const [checklists, recurrences, states, entries, meetings, ...limits] = await db.batch([
    listChecklists(caller, withChecklist),
    listRecurrences(caller, withRecurrence),
    listRelationStates(
      caller,
      relations.map(([, stored]) => stored),
    ),
    listOwnEntries(caller, entryIds),
    listMeetingStates(caller, meetingIds),
    ...deletedByType.map(([type, stored]) => listRelationChecks(caller, type, stored)),
  ] as const);
  const limitsByKey = new Map(
    deletedByType.flatMap(([, ofType], at) =>
      ofType.map((stored, index) => [toRelationKey(stored), limits[at]?.[index]] as const),
    ),
  );
  return {
    checklists: new Map(checklists.map((row) => [row.task, toChecklist(row)])),
    recurrences: new Map(recurrences.map((row) => [row.id, row])),
    entries: new Map(entries.map((row) => [row.id, row])),
    meetings: new Map(meetings.map((row) => [row.id, row])),
    relations: new Map(
      relations.flatMap(([key], index) => {
        const state = states[index];
        return state ? [[key, { ...state, limits: limitsByKey.get(key) }]] : [];
      }),
    ),
  };
}
