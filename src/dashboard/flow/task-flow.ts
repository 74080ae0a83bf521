import * as z from 'zod';
import { toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { civilDate } from '../../kernel/operation/schema.ts';
import { taskStatusRows } from '../../schema/cell/reference.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';
import { listStatuses } from '../../workspaces/reference/reference.queries.ts';
import { projectFilter } from '../scope/scope.schema.ts';
import { listFlowDays } from './task-flow.queries.ts';

export const taskFlow = z.object({
  statuses: z.array(z.object({ label: z.string(), color: z.string() })),
  days: z.array(z.object({ day: civilDate, tasks: z.array(z.int()) })),
});

export const getTaskFlow = defineOperation(
  {
    name: 'getTaskFlow',
    summary: 'Count tasks by status at the start of each day',
    access: 'session',
    capability: 'seeDashboard',
    effect: 'read',
    input: z.strictObject({ ...projectFilter, since: civilDate }),
    output: taskFlow,
  },
  async ({ db, caller, reach }, { since, ...filter }) => {
    const everyOne = toRange({ limit: taskStatuses.length, offset: 0 }, 2);
    const [statuses, days] = await db.batch([
      listStatuses(taskStatusRows, { ...everyOne, includeInactive: true }),
      listFlowDays(caller, { ...filter, reach }, since),
    ]);
    return {
      statuses: statuses.map(({ label, color }) => ({ label, color })),
      days: days.map(({ day, status0, status1, status2, status3, status4 }) => ({
        day,
        tasks: [status0, status1, status2, status3, status4],
      })),
    };
  },
);
