import * as z from 'zod';
import type { ScopeFilter } from '../../dashboard/scope/scope.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { toInstantRange } from '../../kernel/dates/instant-range.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { toFieldTexts } from '../../tasks/custom-fields/field-values.ts';
import { readTaskPage } from '../../tasks/list/read-page.ts';
import { compareSortKeys } from '../../tasks/model/sort-keys.ts';
import { toAssignees, toStructure, toTask } from '../../tasks/model/tasks.present.ts';
import { listTasks } from '../../tasks/model/tasks.queries.ts';
import { taskListInput, taskPage } from '../../tasks/model/tasks.schema.ts';
import { describeRecurrence } from '../../tasks/recurrence/describe-recurrence.ts';
import { projectName } from '../../tasks/summaries/summaries.schema.ts';
import {
  REPORT_ENTRIES_MAX,
  sumTimeByProjectAndPerson,
  sumTrackedSeconds,
  type TimeReportRow,
} from './team-time.queries.ts';

const trackedTask = taskPage.shape.data.element.omit({ comments: true }).extend({
  trackedSeconds: z.int().nullable(),
  isRecurring: z.boolean(),
  /** Null if the task doesn't repeat, or if the list wasn't read with repetitions. */
  repeat: z.string().nullable(),
  fieldTexts: z.record(z.string(), z.string()),
});

/** People who can't see other people's workload still see their own time. */
function getWorkloadScope(caller: Caller): ScopeFilter {
  const reach = getReach(caller, 'seeWorkload');
  return { reach: reach === 'none' ? 'self' : reach };
}

export const listTaskRows = defineOperation(
  {
    name: 'listTaskRows',
    summary: 'List tasks, optionally with the time tracked by the people whose workload you can see',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: taskListInput.omit({ expand: true, fields: true }).extend({
      withTracked: z.boolean().default(false),
      withFields: z.boolean().default(false),
      withRepeat: z.boolean().default(false),
      searchesDetails: z.boolean().default(false),
      countUpTo: z.int().min(1).optional(),
    }),
    output: buildPageSchema(trackedTask),
  },
  async (ctx, { withTracked, withFields, withRepeat, searchesDetails, countUpTo, ...input }) => {
    const { caller, now } = ctx;
    const filter = getWorkloadScope(caller);
    const { extra, definitions, ...found } = await readTaskPage(ctx, input, {
      list: (ids, sort) =>
        listTasks(ids, sort, {
          structureFor: caller,
          hasAssignees: true,
          hasFields: withFields,
          hasFieldPeople: withFields,
          hasRecurrences: withRepeat,
        }),
      countUpTo,
      hasFields: withFields,
      searchesDetails,
      readAlongside: (ids) => (withTracked ? [sumTrackedSeconds(caller, filter, ids, now)] : []),
    });
    const secondsOf = new Map(extra?.map(({ task, seconds }) => [task, seconds]));
    return buildPage({
      ...found,
      show: (task) => ({
        ...toTask(task),
        ...toStructure(task),
        isRecurring: (task.repeats ?? 0) > 0,
        repeat: task.recurrence ? describeRecurrence(JSON.parse(task.recurrence)) : null,
        dueTime: task.due_time,
        ...toAssignees(task),
        trackedSeconds: withTracked ? (secondsOf.get(task.id) ?? 0) : null,
        fieldTexts: withFields && definitions ? toFieldTexts(definitions, task) : {},
      }),
    });
  },
);

export const reportTime = defineOperation(
  {
    name: 'reportTime',
    summary: 'Report hours by project and person, for the people whose workload you can see',
    access: 'session',
    capability: 'seeWorkload',
    effect: 'read',
    input: z.strictObject({ from: civilDate, to: civilDate, ...pageInput }),
    output: buildPageSchema(
      z.object({
        project: z.object({ id: integerId, name: projectName }),
        person: z.object({ id: z.string(), name: z.string() }),
        seconds: z.int(),
        entries: z.int(),
      }),
    ),
  },
  async ({ caller, db, now }, { from, to, ...input }) => {
    if (from > to)
      throw invalidRequestError(
        ({ field }) => `${field('from')} must not be after ${field('to')}; got '${from}' and '${to}'.`,
      );
    const range = toRange(input, 2);
    const { sinceMs = 0, beforeMs = 0 } = toInstantRange({ from, to }, caller.timezone);
    const [sums] = await db.batch([
      sumTimeByProjectAndPerson(caller, getWorkloadScope(caller), { sinceMs, beforeMs }, now),
    ]);
    if (sums.reduce((sum, { entries }) => sum + entries, 0) > REPORT_ENTRIES_MAX) {
      throw invalidRequestError(
        `A report can cover up to ${REPORT_ENTRIES_MAX} entries, and there are more from '${from}' to '${to}'. Choose fewer days.`,
      );
    }
    const getReportSortKey = ({ project, member }: TimeReportRow) => [project, member];
    const { after } = range;
    const remaining = after
      ? sums.filter((row) => compareSortKeys(getReportSortKey(row), after, false) > 0)
      : sums;
    return buildPage({
      range,
      total: sums.length,
      rows: remaining.slice(range.offset, range.offset + range.limit + 1),
      key: getReportSortKey,
      show: (row) => ({
        project: { id: row.project, name: row.project_name },
        person: { id: row.user_id, name: row.person },
        seconds: row.seconds,
        entries: row.entries,
      }),
    });
  },
);
