import { countDaysBetween, toWallClock } from '../../kernel/dates/civil-date.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successRepeat } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { parseRule } from '../../meetings/recurrence/rrule-text.ts';
import { DAYS_AHEAD_MAX } from '../../meetings/recurrence/rule-days.ts';
import { taskNotFoundError, toDeadline } from '../model/tasks.policy.ts';
import { assertTasksUnchanged } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import {
  continuedRecurrenceError,
  daysWithScheduleError,
  farDeadlineError,
  neverRepeatsError,
  recurrenceNotFoundError,
  requireRecurrencePlan,
} from '../recurrence/recurrence.policy.ts';
import { toRecurrence } from '../recurrence/recurrence.present.ts';
import { recurrence, recurrenceInput } from '../recurrence/recurrence.schema.ts';
import { findFirstSlot, findNextDay, type Series, toDueAt } from '../recurrence/recurrence-days.ts';
import {
  assertRecurrencesUnchanged,
  findRecurrence,
  type RecurrenceRow,
  removeRule,
  saveRecurrence,
} from '../recurrence/recurrences.queries.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { toRepeats } from '../write/next-tasks.ts';
import { recordRecurrences } from '../write/tasks.write.ts';

export const getRecurrence = defineOperation(
  {
    name: 'getRecurrence',
    summary: 'Get the recurrence of a task',
    description: 'Once the rule has moved to the next task, rule is null and nextId names that task.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskIdInput,
    output: recurrence,
  },
  async (ctx, { id }) => {
    const found = toRecurrence(await readRecurrence(ctx, id));
    if (!found) throw recurrenceNotFoundError(id);
    return found;
  },
);

export const setRecurrence = defineOperation(
  {
    name: 'setRecurrence',
    summary: 'Repeat a task',
    description:
      'The rule counts from the deadline, or from today if there is none. The next task gets the rule; change it there from then on.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: recurrenceInput,
    output: recurrence,
  },
  async (ctx, { id, ...wanted }) => {
    const { caller, db } = ctx;
    const rule = wanted.rule.toUpperCase().replace(/^RRULE:/, '');
    parseRule(rule, 'rule');
    if (wanted.mode === 'schedule' && wanted.days != null) throw daysWithScheduleError(wanted.days);
    const found = await readRecurrence(ctx, id);
    requireRecurrencePlan(caller);
    requireUnarchived(found);
    const to = { rule, mode: wanted.mode, days: wanted.days ?? null };
    const from = toRule(found);
    requireCurrentSnapshot(ctx.shown, { ...to }, { ...(from ?? noRule) }, madeBy(id));
    if (found.rule === null && found.has_next === 1) throw continuedRecurrenceError(id, found.next);
    if (from && JSON.stringify(from) === JSON.stringify(to)) return toRecurrence(found) ?? throwLost(id);
    const series = startSeries(ctx, found, to);
    const version = found.version ?? 0;
    await db.batch([
      assertTasksUnchanged(caller, [{ id, version: found.task_version }]),
      assertRecurrencesUnchanged(caller.workspace, [{ task: id, version }]),
      saveRecurrence(caller, {
        ...series,
        task: toIdParameter(id),
        due_at: toDueAt(series, caller.timezone),
        version: version + 1,
      }),
      ...recordRecurrences(ctx, [{ task: id, repeats: toRepeats(to.mode), change: { from, to } }]),
    ]);
    return { ...to, previousId: found.previous, nextId: found.next };
  },
);

export const deleteRecurrence = defineOperation(
  {
    name: 'deleteRecurrence',
    summary: 'Stop repeating a task',
    description: 'Tasks that already exist stay.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput,
    output: successOutput,
    repeat: successRepeat,
  },
  async (ctx, { id }) => {
    const { caller, db } = ctx;
    const found = await readRecurrence(ctx, id);
    requireUnarchived(found);
    const from = toRule(found);
    if (!from) throw recurrenceNotFoundError(id);
    await db.batch([
      assertTasksUnchanged(caller, [{ id, version: found.task_version }]),
      assertRecurrencesUnchanged(caller.workspace, [{ task: id, version: found.version ?? 0 }]),
      ...removeRule(caller.workspace, id),
      ...recordRecurrences(ctx, [{ task: id, repeats: 0, change: { from, to: null } }]),
    ]);
    return { success: true as const };
  },
);

type Rule = Pick<Series, 'rule' | 'mode' | 'days'>;
const noRule = { rule: null, mode: null, days: null };
const madeBy = (id: number) => ({ type: 'task.updated', id, changes: ['recurrence'] }) as const;

async function readRecurrence({ db, caller }: Context, id: number): Promise<RecurrenceRow> {
  const [found] = await db.batch([findRecurrence(caller, id)] as const satisfies readonly Statement[]);
  if (!found) throw taskNotFoundError(id);
  return found;
}

function toRule({ rule, mode, days }: RecurrenceRow): Rule | null {
  return rule === null || mode === null ? null : { rule, mode, days };
}

function startSeries({ now, caller }: Context, { due }: RecurrenceRow, rule: Rule): Series {
  const today = toWallClock(now, caller.timezone).date;
  const deadline = toDeadline(due);
  if (deadline !== null && Math.abs(countDaysBetween(deadline, today)) > DAYS_AHEAD_MAX) {
    throw farDeadlineError(deadline);
  }
  const slot = findFirstSlot(deadline, today);
  const series = { ...rule, first_day: deadline ?? today, slot, occurrence: 1 };
  if (findNextDay(series, today, caller.timezone) === null) throw neverRepeatsError(rule.rule, slot);
  return series;
}

function throwLost(id: number): never {
  throw recurrenceNotFoundError(id);
}
