import * as z from 'zod';
import { addDays, toWallClock } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import {
  personReference,
  projectReference,
  resolveCallReferences,
  type ToolContext,
} from '../../kernel/tools/tool.ts';
import { OPEN_STATUS, taskListInput, taskPriorities, taskStatuses } from '../model/tasks.schema.ts';

const listInputFields = taskListInput.shape;

export const taskFilterInput = z.strictObject({
  project: projectReference.optional(),
  assignee: z
    .union([personReference, z.array(personReference).min(1).max(50)])
    .optional()
    .meta({ description: 'One or several; none finds unassigned tasks.' }),
  status: z
    .array(z.enum([...taskStatuses, OPEN_STATUS]))
    .min(1)
    .optional()
    .meta({ description: 'open: all except completed.' }),
  priority: z.array(z.enum(taskPriorities)).min(1).optional(),
  search: listInputFields.search.meta({ description: 'Part of name or description.' }),
  dueFrom: listInputFields.dueFrom.meta({ description: undefined }),
  dueTo: listInputFields.dueTo.meta({ description: undefined }),
  overdue: z.literal(true).optional().meta({ description: 'Due before today and not completed.' }),
  updatedSince: listInputFields.updatedSince.meta({ description: 'Timestamp.' }),
});

export async function toTaskListFilter(
  ctx: ToolContext,
  { project, assignee, overdue, ...given }: z.output<typeof taskFilterInput>,
) {
  const names = assignee === undefined ? [] : [assignee].flat();
  const people = names.filter((name) => name !== 'none');
  const { projectId, userIds } = await resolveCallReferences(ctx, { project, people });
  if (overdue && (given.status || given.dueTo)) {
    throw invalidRequestError(
      'overdue already means status open and a deadline before today. Omit status and dueTo.',
    );
  }
  const yesterday = addDays(toWallClock(ctx.now, ctx.caller.timezone).date, -1);
  return {
    ...given,
    ...(overdue && { status: [OPEN_STATUS] as [typeof OPEN_STATUS], dueTo: yesterday }),
    ...(projectId !== undefined && { projectId: [projectId] }),
    assigneeId:
      names.length > 0 ? [...userIds, ...(people.length < names.length ? ['none'] : [])] : undefined,
    scope: 'all' as const,
  };
}
