import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { readTaskPage } from '../list/read-page.ts';
import { toAssignees, toStructure, toTask } from '../model/tasks.present.ts';
import { listTasks } from '../model/tasks.queries.ts';
import { taskListInput, taskPage } from '../model/tasks.schema.ts';
import { listTaskPlans } from './timeline.queries.ts';

const TIMELINE_TASKS_MAX = 100;

const timelineTask = taskPage.shape.data.element.omit({ comments: true }).extend({
  startDate: civilDate.nullable(),
  deadline: civilDate,
  /** The ids of the listed, open tasks that block this one. Empty if this task is completed. */
  blockers: z.array(integerId),
});
export type TimelineTask = z.output<typeof timelineTask>;

export const listTimeline = defineOperation(
  {
    name: 'listTimeline',
    summary: 'List tasks due in a period, or due later and started by its end, with start dates and blockers',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: taskListInput
      .pick({ projectId: true, assigneeId: true })
      .extend({ from: civilDate, to: civilDate }),
    output: z.object({
      tasks: z.array(timelineTask),
      /** True if more tasks are due in the period. */
      hasMore: z.boolean(),
    }),
  },
  async (ctx, { from, to, ...filter }) => {
    const { caller } = ctx;
    const input = taskListInput.parse({
      ...filter,
      dueFrom: from,
      sort: 'due',
      scope: 'all',
      limit: TIMELINE_TASKS_MAX,
    });
    const { rows, extra: plans = [] } = await readTaskPage(ctx, input, {
      list: (ids, sort) => listTasks(ids, sort, { structureFor: caller, hasAssignees: true }),
      countUpTo: TIMELINE_TASKS_MAX,
      readAlongside: (ids) => [listTaskPlans(caller, ids)],
    });
    const planById = new Map(plans.map((plan) => [plan.id, plan]));
    const listed = rows.slice(0, TIMELINE_TASKS_MAX).map((row) => {
      const { start_date: startDate = null, blockers = '[]' } = planById.get(row.id) ?? {};
      const blockerIds = JSON.parse(blockers) as number[];
      return {
        ...toTask(row),
        ...toStructure(row),
        ...toAssignees(row),
        deadline: row.due,
        startDate,
        blockerIds,
      };
    });
    const shown = listed.filter(
      ({ deadline, startDate }) => deadline <= to || (startDate !== null && startDate <= to),
    );
    const openIds = new Set(shown.filter(({ status }) => status !== 'completed').map(({ id }) => id));
    const next = rows[TIMELINE_TASKS_MAX];
    return {
      tasks: shown.map(({ blockerIds, ...task }) => ({
        ...task,
        blockers: openIds.has(task.id) ? blockerIds.filter((id) => openIds.has(id)) : [],
      })),
      hasMore: next !== undefined && next.due <= to,
    };
  },
);
