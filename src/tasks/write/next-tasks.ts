// This file is long because reading, planning and writing the next task of a series depend on one another.

import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context, WriteContext } from '../../kernel/operation/operation.ts';
import type { BatchDatabase, Results, Statement } from '../../kernel/sql/database.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { recurrenceModes } from '../../schema/cell/recurrences.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { listAssigneeNumbers, splitAssignees } from '../field-values.ts';
import { COMPLETED_STATUS } from '../fields.ts';
import {
  type CopiedTaskRow,
  excludeArchived,
  listDescendants,
  listTasksToCopy,
} from '../hierarchy/descendants.queries.ts';
import { placeTaskIfValid } from '../hierarchy/former-parent.ts';
import { assertValidParents, listTrees } from '../hierarchy/hierarchy.queries.ts';
import { TaskTree } from '../hierarchy/task-tree.ts';
import type { TaskChanges } from '../model/change.queries.ts';
import { listDescriptions } from '../model/descriptions.queries.ts';
import type { TaskDraft } from '../model/insert.queries.ts';
import { selectNewTasks } from '../model/selection.queries.ts';
import { findNextDay, getNextTaskTime, moveDate, type Series } from '../recurrence/recurrence-days.ts';
import {
  assertActiveMembers,
  assertRecurrencesUnchanged,
  assertTasksExist,
  listCompletionSeries,
  moveRecurrenceRules,
  type SeriesRow,
} from '../recurrence/recurrences.queries.ts';
import { toDueInstant } from '../reminders/reminder-times.ts';
import { copyReminders } from '../reminders/reminders.queries.ts';
import { createTasks, type RecurrenceChange, recordRecurrenceChanges, type TaskEdit } from './tasks.write.ts';

/** Creating this many tasks in a batch takes about 200 ms. */
const CREATED_TASKS_MAX = 2_000;
/**
 * The maximum total size of the subtask descriptions that a batch copies. Subtasks whose description no longer fits are
 * copied without it.
 */
const SUBTASK_DESCRIPTION_BYTES_MAX = 300_000;

export const toRepeatsColumn = (mode: Series['mode']) => recurrenceModes.indexOf(mode) + 1;
export const REPEATS_AFTER_COMPLETION = toRepeatsColumn('completion');

/** The maximum total size of the descriptions of repeated tasks in a batch. A single task can exceed it. */
const REPEATED_DESCRIPTION_BYTES_MAX = 1_000_000;

interface NextTasks {
  /** Statements that abort the batch if anything that was read has changed. */
  readonly assertions: readonly Statement<void>[];
  readonly ended: readonly RecurrenceChange[];
  readonly drafts: readonly TaskDraft[];
  /**
   * Statements that abort the batch if a created task breaks a rule. They must come after the statements that create
   * the tasks.
   */
  readonly finalAssertions: readonly Statement<void>[];
  readonly followUpStatements: readonly Statement<void>[];
}

const noNextTasks: NextTasks = {
  assertions: [],
  ended: [],
  drafts: [],
  finalAssertions: [],
  followUpStatements: [],
};

/** Reads nothing unless an edit completes a task that repeats on completion. */
export async function planNextTasks(ctx: Context, edits: readonly TaskEdit[]): Promise<NextTasks> {
  const ids = edits.flatMap(({ task, changes: { status } }) =>
    status === COMPLETED_STATUS && task.repeats === REPEATS_AFTER_COMPLETION ? [task.id] : [],
  );
  if (ids.length === 0) return noNextTasks;
  const { caller, db } = ctx;
  const [series, ...copied] = await db.batch([
    listCompletionSeries(caller.workspace, ids),
    ...readTasksToCopy(caller.workspace, ids),
  ]);
  const today = toWallClock(ctx.now, caller.timezone).date;
  const changes = new Map(edits.map((edit) => [edit.task.id, edit.changes]));
  const planned = series.map((each) => ({
    ...each,
    day: findNextDay(each, today, caller.timezone),
    changes: changes.get(each.task),
  }));
  return buildNextTasks(ctx, db, planned, copied);
}

const readTasksToCopy = (ws: number, ids: readonly number[]) =>
  [listTasksToCopy(ws, ids), listDescendants(ws, ids)] as const;
type TasksToCopy = Results<ReturnType<typeof readTasksToCopy>>;

type PlannedSeries = SeriesRow & {
  readonly day: string | null;
  readonly changes?: TaskChanges | undefined;
};

/** Reads the tasks to copy unless `copied` contains them. The caller in `ctx` becomes the author of the new tasks. */
export async function buildNextTasks(
  ctx: WriteContext,
  db: BatchDatabase,
  series: readonly PlannedSeries[],
  copied?: TasksToCopy,
): Promise<NextTasks> {
  if (series.length === 0) return noNextTasks;
  const { workspace: ws, timezone } = ctx.caller;
  const continued = series.flatMap((each) => (each.day === null ? [] : [{ ...each, day: each.day }]));
  const drafts = continued.length > 0 ? await copyTaskTrees(db, ws, continued, copied) : [];
  if (drafts.length > CREATED_TASKS_MAX) {
    throw invalidRequestError(
      `These tasks repeat, and their next occurrences would have more than ${CREATED_TASKS_MAX} subtasks. Complete fewer tasks at once.`,
    );
  }
  const places = new Map(
    drafts.map(({ repeats, continues }, place) => [repeats ? continues : undefined, place]),
  );
  const moved = series.map(({ task, mode, day }) => ({
    task,
    place: (day === null ? null : places.get(task)) ?? null,
    day,
    dueAt: day === null ? null : getNextTaskTime({ mode, slot: day }, timezone),
  }));
  const people = [...new Set(drafts.flatMap(listAssigneeNumbers))];
  return {
    assertions: [
      assertRecurrencesUnchanged(ws, series),
      assertTasksExist(
        ws,
        series.map(({ task }) => task),
      ),
      ...(people.length > 0 ? [assertActiveMembers(ws, people)] : []),
    ],
    ended: series.map(({ task, rule, mode, days }) => ({
      task,
      repeats: 0,
      change: { from: { rule, mode, days }, to: null },
    })),
    drafts,
    finalAssertions: drafts.some(({ parent }) => parent !== null)
      ? [assertValidParents({ workspace: ws }, selectNewTasks(drafts.length))]
      : [],
    followUpStatements: [
      ...moveRecurrenceRules(ws, moved, drafts.length),
      ...copyDraftReminders(ctx, drafts),
    ],
  };
}

export function buildNextTaskStatements(
  ctx: WriteContext,
  { assertions, ended, drafts, finalAssertions, followUpStatements }: NextTasks,
): Statement<void>[] {
  return [
    ...assertions,
    ...recordRecurrenceChanges(ctx, ended),
    ...(drafts.length > 0 ? createTasks(ctx, drafts) : []),
    ...finalAssertions,
    ...followUpStatements,
  ];
}

function copyDraftReminders({ caller, now }: WriteContext, drafts: readonly TaskDraft[]): Statement<void>[] {
  const copied = drafts.flatMap((draft, place) => {
    const { continues: task, has_reminders = 0 } = draft;
    const dueMoment = has_reminders === 0 ? null : toDueInstant(draft, caller.timezone);
    return task === undefined || dueMoment === null ? [] : [{ task, place, dueMoment }];
  });
  if (copied.length === 0) return [];
  return [copyReminders(caller.workspace, copied, { created: drafts.length, now })];
}

/** Returns the draft of each repeated task, after the drafts of its subtasks. */
async function copyTaskTrees(
  db: BatchDatabase,
  ws: number,
  series: readonly (PlannedSeries & { day: string })[],
  copied?: TasksToCopy,
): Promise<TaskDraft[]> {
  const ids = series.map(({ task }) => task);
  const [all, below] = copied ?? (await db.batch(readTasksToCopy(ws, ids)));
  const roots = all.filter(({ id }) => ids.includes(id));
  const found = new Map(roots.map((root) => [root.id, root]));
  const descendants = excludeArchived(ids, below);
  const described = pickTasksWithDescription([...roots, ...descendants], ids);
  const bytes = roots.reduce((sum, root) => sum + root.bytes, 0);
  if (roots.length > 1 && bytes > REPEATED_DESCRIPTION_BYTES_MAX) {
    throw invalidRequestError(
      `These tasks repeat, and their descriptions total ${formatNumber(bytes)} bytes; up to ${formatNumber(REPEATED_DESCRIPTION_BYTES_MAX)} can be copied at once. Complete fewer tasks at once.`,
    );
  }
  const parents = series.flatMap(({ task, changes }) => ({ ...found.get(task), ...changes }).parent ?? []);
  const [texts, trees] =
    described.length + parents.length > 0
      ? await db.batch([listDescriptions(ws, described), listTrees({ workspace: ws }, { parents })])
      : [[], []];
  const tree = new TaskTree(trees);
  const textOf = new Map(texts.map(({ id, description }) => [id, description]));
  const drafts: TaskDraft[] = [];
  for (const { task, slot, mode, day, changes = {} } of series) {
    const stored = found.get(task);
    if (!stored) continue;
    const { description = textOf.get(task) ?? null, ...others } = changes;
    const root = { ...stored, ...others, active_assignees: listActiveAssignees(stored, changes) };
    const own = descendants.filter(({ top }) => top === task);
    const from = root.due === NO_DEADLINE ? slot : root.due;
    const before = drafts.length;
    const places = new Map(own.map(({ id }, index) => [id, before + index]));
    const end = before + own.length;
    for (const each of own) {
      const parent = places.get(each.parent ?? 0) ?? end;
      const due = each.due === NO_DEADLINE ? NO_DEADLINE : (moveDate(each.due, from, day) ?? NO_DEADLINE);
      drafts.push({
        ...copyTask(each, from, day),
        description: textOf.get(each.id) ?? null,
        due,
        due_time: due === NO_DEADLINE ? null : each.due_time,
        parent_draft: parent,
      });
    }
    const parent = placeTaskIfValid(tree, {
      project: root.project,
      parentId: root.parent,
      descendants: own.length,
    });
    drafts.push({
      ...copyTask(root, from, day),
      description,
      due: day,
      parent,
      repeats: toRepeatsColumn(mode),
    });
  }
  return drafts;
}

/** Picks the tasks whose description is copied: every repeated task, and as many subtasks as fit within the limit. */
function pickTasksWithDescription(tasks: readonly CopiedTaskRow[], roots: readonly number[]): number[] {
  let left = SUBTASK_DESCRIPTION_BYTES_MAX;
  return tasks.flatMap(({ id, bytes }) => {
    if (bytes === 0) return [];
    if (roots.includes(id)) return [id];
    if (bytes > left) return [];
    left -= bytes;
    return [id];
  });
}

/** Leaves out people who have left the workspace. New assignees are always members. */
function listActiveAssignees(stored: CopiedTaskRow, changes: TaskChanges): string {
  const { assignee = stored.assignee, other_assignees = stored.other_assignees } = changes;
  const known = listAssigneeNumbers(stored);
  const active = JSON.parse(stored.active_assignees) as number[];
  const wanted = listAssigneeNumbers({ assignee, other_assignees });
  return JSON.stringify(wanted.filter((no) => active.includes(no) || !known.includes(no)));
}

function copyTask(task: CopiedTaskRow, from: string, to: string): TaskDraft {
  return {
    ...task,
    ...splitAssignees(JSON.parse(task.active_assignees)),
    status: 0,
    start_date: moveDate(task.start_date, from, to),
    scheduled_time: null,
    duration_minutes: null,
    parent: null,
    continues: task.id,
    repeats: 0,
  };
}
