import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import {
  personReference,
  projectReference,
  resolveCallReferences,
  type ToolContext,
} from '../../kernel/tools/tool.ts';
import { getYesterday, toolTimeInput, toToolTimestamp } from '../../kernel/tools/tool-time.ts';
import { findTeamMembers, teamReference } from '../../workspaces/reference/team-members.ts';
import { resolveFieldFilter } from '../custom-fields/resolve-field-filter.ts';
import { OPEN_STATUS, taskListInput, taskPriorities, taskStatuses } from '../model/tasks.schema.ts';

const listInputFields = taskListInput.shape;

export const taskFilterInput = z.strictObject({
  project: projectReference.optional(),
  assignee: z
    .union([personReference, z.array(personReference).min(1).max(50)])
    .optional()
    .meta({ description: 'One person, a list, or `none` for unassigned.' }),
  team: teamReference.optional().meta({ description: 'Team id or name. Includes subteams.' }),
  status: z
    .array(z.enum([...taskStatuses, OPEN_STATUS]))
    .min(1)
    .optional()
    .meta({ description: '`open`: all except completed.' }),
  priority: z.array(z.enum(taskPriorities)).min(1).optional(),
  parent: z
    .union([integerId, z.literal('none')])
    .optional()
    .meta({ description: 'Task id, or `none` for top-level tasks.' }),
  labels: listInputFields.tags.meta({ description: 'With any of these tags.' }),
  isBlocked: z.boolean().optional(),
  search: listInputFields.search.meta({ description: 'Part of the name or description.' }),
  fields: z.unknown().optional(),
  dueFrom: listInputFields.dueFrom.meta({ description: undefined }),
  dueTo: listInputFields.dueTo.meta({ description: undefined }),
  overdue: z.literal(true).optional().meta({ description: 'Due before today, not completed.' }),
  updatedSince: toolTimeInput.optional().meta({ description: 'Date or timestamp.' }),
});

export type ToolFilter = z.output<typeof taskFilterInput>;

export async function resolveToolFilter(
  ctx: ToolContext,
  { project, assignee, team, overdue, updatedSince, parent, labels, fields, ...given }: ToolFilter,
) {
  const names = assignee === undefined ? [] : [assignee].flat();
  const people = names.filter((name) => name !== 'none');
  const { projectId, userIds } = await resolveCallReferences(ctx, { project, people });
  if (overdue && (given.status || given.dueTo)) {
    throw invalidRequestError(
      "'overdue' already selects open tasks due before today. Omit the arguments 'status' and 'dueTo'.",
    );
  }
  const named =
    names.length > 0 ? [...userIds, ...(people.length < names.length ? ['none'] : [])] : undefined;
  return {
    ...given,
    ...(parent !== undefined && { parentId: String(parent) }),
    ...(labels && { tags: labels }),
    ...(fields !== undefined &&
      (await ctx.run(resolveFieldFilter, {
        fields: fields as z.input<typeof resolveFieldFilter.input>['fields'],
      }))),
    ...(overdue && { status: [OPEN_STATUS] as [typeof OPEN_STATUS], dueTo: getYesterday(ctx) }),
    ...(updatedSince && { updatedSince: toToolTimestamp(updatedSince, ctx.caller.timezone) }),
    ...(projectId !== undefined && { projectId: [projectId] }),
    assigneeId: team === undefined ? named : await findTeamAssignees(ctx, team, named),
    scope: 'all' as const,
  };
}

async function findTeamAssignees(ctx: ToolContext, team: string | number, named: string[] | undefined) {
  const members = await findTeamMembers(ctx, team);
  const both = named ? members.filter((id) => named.includes(id)) : members;
  if (both.length === 0) {
    throw invalidRequestError(
      named ? 'None of the assignees belong to this team.' : 'This team has no members, so it has no tasks.',
    );
  }
  return both;
}
