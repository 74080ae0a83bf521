import * as z from 'zod';
import { examplePerson, exampleUserId } from '../kernel/examples.ts';
import { pageInput, pageOf } from '../kernel/pagination.ts';
import { asciiText, civilDate, integerId, timestamp } from '../kernel/schema.ts';
import {
  colorText,
  commentText,
  emailText,
  imageUrl,
  initialsText,
  personId,
  personName,
  projectName,
  referenceText,
  taskName,
} from '../summaries/summaries.schema.ts';
import { tags, taskStatuses } from '../task-model/tasks.schema.ts';

/** The dashboard writes statuses with hyphens, and reads both spellings. */
export function hyphenated(status: string): string {
  return status.replaceAll('_', '-');
}

const hyphenatedStatuses = taskStatuses.map(hyphenated);
const status = z
  .enum([...new Set([...hyphenatedStatuses, ...taskStatuses])] as [string, ...string[]])
  .meta({ example: 'in-progress' });

/** Index of a status in either spelling. */
export function statusIndex(value: string): number {
  return hyphenatedStatuses.indexOf(hyphenated(value));
}

export const peopleFilter = {
  teamId: z.array(integerId).optional().meta({
    description: 'Comma-separated team ids, sub-teams included; with assigneeId only who is in both.',
  }),
  assigneeId: z.array(z.string().min(1)).optional().meta({ description: 'Comma-separated user ids.' }),
};
export const projectFilter = {
  projectId: integerId.optional(),
  projectStatus: z.string().max(50).optional().meta({ description: 'Exact match.', example: 'in-progress' }),
};
const search = z.string().max(200).optional();
const dateRange = { from: civilDate.optional(), to: civilDate.optional() };
const localDate = civilDate
  .optional()
  .meta({ description: "The caller's today; by default the workspace's." });

const taskFilters = {
  search: search.meta({ description: 'Substring of the task name or description, any case.' }),
  ...dateRange,
  ...peopleFilter,
  taskId: integerId.optional(),
  ...projectFilter,
  status: status.optional(),
  localDate,
};

export const statsInput = z.strictObject(taskFilters);
export type StatsInput = z.infer<typeof statsInput>;

export const dashboardSorts = ['due', 'created', 'name', 'status'] as const;
export type DashboardSort = (typeof dashboardSorts)[number];
export const dashboardTasksInput = z.strictObject({
  ...taskFilters,
  sort: z.enum(dashboardSorts).default('due'),
  ...pageInput,
});

export const dashboardCommentsInput = z.strictObject({
  search: search.meta({ description: 'Substring of the comment, any case.' }),
  ...dateRange,
  ...peopleFilter,
  ...projectFilter,
  ...pageInput,
});

export const workloadModes = ['daily', 'monthly'] as const;
export const workloadInput = z.strictObject({
  ...dateRange,
  ...peopleFilter,
  ...projectFilter,
  mode: z.enum(workloadModes).default('daily'),
});
export type WorkloadInput = z.infer<typeof workloadInput>;

export const stats = z
  .object({ projects: z.int(), overdue: z.int(), dueToday: z.int(), dueThisWeek: z.int() })
  .meta({ id: 'DashboardStats', example: { projects: 6, overdue: 4, dueToday: 2, dueThisWeek: 9 } });

export type Stats = z.output<typeof stats>;

const reference = z.object({ id: integerId, key: referenceText, value: referenceText });
const face = z.object({
  id: personId,
  name: personName,
  image: imageUrl.nullable(),
  initials: initialsText,
});

export const dueStates = ['overdue', 'due_today', 'due_this_week', 'upcoming', 'none'] as const;
export const dashboardTask = z
  .object({
    id: integerId,
    title: taskName,
    project: z.object({ id: integerId, name: projectName }),
    status: z.object({ value: z.enum(hyphenatedStatuses), label: referenceText, color: colorText }),
    tags,
    assignee: face.nullable(),
    category: reference.nullable(),
    type: reference.nullable(),
    deadline: civilDate.nullable(),
    dueState: z.enum(dueStates),
    dueLabel: asciiText(50),
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
export const dashboardTaskPage = pageOf(dashboardTask).meta({ id: 'DashboardTaskPage' });

const faceWithEmail = face.extend({ email: emailText });
export const dashboardComment = z
  .object({
    id: integerId,
    content: commentText,
    author: faceWithEmail,
    task: z.object({ id: integerId, title: taskName }),
    project: z.object({ id: integerId, name: projectName }),
    createdAt: timestamp,
  })
  .meta({ id: 'DashboardComment' });
export const dashboardCommentPage = pageOf(dashboardComment).meta({ id: 'DashboardCommentPage' });

export const breakdownKeys = [
  'overdue',
  'due',
  'in-progress',
  'internal-review',
  'client-review',
  'completed',
] as const;
export const workload = z
  .object({
    mode: z.enum(workloadModes),
    from: civilDate,
    to: civilDate,
    workloads: z.array(
      z.object({
        user: faceWithEmail,
        capacityHours: z.number(),
        plannedHours: z.number(),
        utilization: z.int().meta({ description: 'Planned of capacity, whole percent.' }),
        activeTasks: z.int(),
        breakdown: z
          .array(
            z.object({
              key: z.enum(breakdownKeys),
              label: asciiText(50),
              color: colorText,
              count: z.int(),
              estimatedHours: z.number(),
            }),
          )
          .max(breakdownKeys.length),
      }),
    ),
  })
  .meta({ id: 'Workload' });
