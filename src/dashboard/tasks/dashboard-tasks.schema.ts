import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson, exampleUserId } from '../../kernel/operation/examples.ts';
import { buildAsciiTextSchema, civilDate, integerId } from '../../kernel/operation/schema.ts';
import { taskFields } from '../../tasks/fields.ts';
import {
  colorText,
  personAvatar,
  projectName,
  referenceText,
  taskName,
} from '../../tasks/summaries/summaries.schema.ts';
import { hyphenatedStatuses, taskFilters } from '../filter/dashboard-filter.schema.ts';

export const dashboardSorts = ['due', 'created', 'name', 'status'] as const;
export type DashboardSort = (typeof dashboardSorts)[number];
export const dashboardTasksInput = z.strictObject({
  ...taskFilters,
  sort: z.enum(dashboardSorts).default('due'),
  ...pageInput,
});
export type DashboardTasksInput = z.infer<typeof dashboardTasksInput>;

const reference = z.object({ id: integerId, key: referenceText, value: referenceText });

export const dueStates = ['overdue', 'due_today', 'due_this_week', 'upcoming', 'none'] as const;
export const dashboardTask = z
  .object({
    id: integerId,
    title: taskName,
    project: z.object({ id: integerId, name: projectName }),
    status: z.object({ value: z.enum(hyphenatedStatuses), label: referenceText, color: colorText }),
    tags: taskFields.tags.output,
    assignee: personAvatar.nullable(),
    category: reference.nullable(),
    type: reference.nullable(),
    deadline: civilDate.nullable(),
    dueState: z.enum(dueStates),
    dueLabel: buildAsciiTextSchema(50),
    daysDiff: z.int().nullable(),
  })
  .meta({
    id: 'DashboardTask',
    example: {
      id: 1042,
      title: 'Draft the launch page',
      project: { id: 7, name: 'Spring launch' },
      status: { value: 'in-progress', label: 'In progress', color: '#2563eb' },
      tags: ['web'],
      assignee: { id: exampleUserId, name: examplePerson.name, image: null, initials: 'ML' },
      category: null,
      type: null,
      deadline: '2026-03-09',
      dueState: 'overdue',
      dueLabel: 'Overdue by 3 days',
      daysDiff: -3,
    },
  });
export const dashboardTaskPage = buildPageSchema(dashboardTask).meta({ id: 'DashboardTaskPage' });
