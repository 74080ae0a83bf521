import * as z from 'zod';
import { invalidRequestError } from '../kernel/errors/errors.ts';
import { formatCount } from '../kernel/text/number-format.ts';
import { buildToolLine, quoteLines } from '../kernel/text/tool-text.ts';
import {
  defineTool,
  personReference,
  pickFields,
  projectReference,
  readOnlyHints,
  resolveCallReferences,
  summaryOutput,
} from '../kernel/tools/tool.ts';
import {
  partialResultNote,
  slicePage,
  toolPageFields,
  toolPageInput,
  trimPage,
} from '../kernel/tools/tool-page.ts';
import { getYesterday } from '../kernel/tools/tool-time.ts';
import { taskStatuses } from '../tasks/model/tasks.schema.ts';
import { listDashboardComments } from './comments/dashboard-comments.ts';
import { dashboardSorts, dashboardTasksInput } from './tasks/dashboard-tasks.schema.ts';
import { listOpenDashboardTasks } from './tasks/dashboard-tasks.ts';
import { stats } from './tiles/stats.schema.ts';
import { getDashboardStats } from './tiles/stats.ts';
import { workloadModes } from './workload/workload.schema.ts';
import { getWorkload } from './workload/workload.ts';

const dashboardViews = ['stats', 'tasks', 'comments', 'workload'] as const;
const filterFields = dashboardTasksInput.shape;

const dashboardEntry = z.strictObject({
  id: z.int().optional(),
  title: z.string().optional(),
  status: z.string().optional(),
  assignee: summaryOutput.nullable().optional(),
  dueLabel: z.string().optional(),
  deadline: z.string().nullable().optional(),
  project: summaryOutput.optional(),
  content: z.string().optional(),
  author: summaryOutput.optional(),
  task: summaryOutput.optional(),
  createdAt: z.string().optional(),
  user: summaryOutput.optional(),
  capacityHours: z.number().optional(),
  plannedHours: z.number().optional(),
  utilization: z.int().optional(),
  activeTasks: z.int().optional(),
  breakdown: z.array(summaryOutput).optional(),
});
type DashboardEntry = z.output<typeof dashboardEntry>;

export const getDashboard = defineTool(
  {
    name: 'get_dashboard',
    title: 'Get the dashboard',
    description:
      'Get `stats` (overdue and due), `tasks` (open, by deadline), `comments` (newest first) or `workload` (utilization by person).',
    access: 'dashboard:read',
    hints: readOnlyHints,
    // Sets no defaults, because they would be passed to every view, and each view rejects other views' filters.
    input: z.strictObject({
      view: z.enum(dashboardViews),
      search: filterFields.search.meta({ description: undefined }),
      from: filterFields.from.meta({ description: 'First day to include.' }),
      to: filterFields.to,
      teamId: filterFields.teamId.meta({ description: undefined }),
      assignees: z.array(personReference).max(50).optional(),
      project: projectReference.optional(),
      projectStatus: filterFields.projectStatus.meta({ description: undefined }),
      status: z.enum(taskStatuses).optional(),
      overdue: z.literal(true).optional().meta({ description: 'For `tasks`.' }),
      sort: z.enum(dashboardSorts).optional(),
      mode: z.enum(workloadModes).optional().meta({ description: 'For `workload`. Default `daily`.' }),
      ...toolPageInput,
    }),
    output: z.strictObject({
      stats: z.strictObject(stats.shape).optional(),
      window: summaryOutput.optional(),
      data: z.array(dashboardEntry).optional(),
      total: toolPageFields.total.optional(),
      nextCursor: toolPageFields.nextCursor.optional(),
      note: partialResultNote,
    }),
    fields: { projectId: 'project', assigneeId: 'assignees' },
    lines: ({ stats: counts, window, data = [] }) => [
      ...(window ? [`Workload (${window.mode}), ${window.from} to ${window.to}`] : []),
      ...(counts
        ? [
            `${formatCount(counts.projects, 'project')}; ${formatCount(counts.overdue, 'task')} overdue, ${counts.dueToday} due today, ${counts.dueThisWeek} due this week`,
          ]
        : []),
      ...data.flatMap(toEntryLines),
    ],
  },
  async (ctx, { view, assignees, project, overdue, ...given }) => {
    if (overdue) rejectOverdueConflicts(view, given);
    const { projectId, userIds } = await resolveCallReferences(ctx, { project, people: assignees });
    const filter = {
      ...given,
      ...(projectId !== undefined && { projectId }),
      ...(assignees && { assigneeId: userIds }),
    };
    switch (view) {
      case 'stats':
        return { stats: await ctx.runWithRoleNote(getDashboardStats, filter) };
      case 'tasks':
        return trimPage(
          await ctx.list(listOpenDashboardTasks, { ...filter, ...(overdue && { to: getYesterday(ctx) }) }),
          (each) => ({
            ...pickFields(each, 'id', 'title', 'project', 'deadline', 'dueLabel'),
            status: toStatusName(each.status.value),
            assignee: each.assignee && pickFields(each.assignee, 'id', 'name'),
          }),
        );
      case 'comments':
        return trimPage(await ctx.list(listDashboardComments, filter), (each) => ({
          ...pickFields(each, 'id', 'content', 'task', 'project', 'createdAt'),
          author: pickFields(each.author, 'id', 'name'),
        }));
      case 'workload': {
        const { limit, cursor, ...window } = filter;
        const { workloads, ...frame } = await ctx.runWithRoleNote(getWorkload, window);
        const people = slicePage(
          workloads,
          { limit, cursor },
          {
            key: ({ user }) => user.id,
            trim: ({ user, breakdown, ...each }) => ({
              user: pickFields(user, 'id', 'name'),
              ...each,
              breakdown: breakdown.map(({ key, ...part }) => ({
                key: toStatusName(key),
                ...pickFields(part, 'count', 'estimatedHours'),
              })),
            }),
          },
        );
        return { window: frame, ...people };
      }
    }
  },
);

function toStatusName(hyphenated: string): string {
  return hyphenated.replaceAll('-', '_');
}

function rejectOverdueConflicts(view: string, { status, to }: { status?: unknown; to?: unknown }) {
  if (view !== 'tasks')
    throw invalidRequestError(`'overdue' requires the view 'tasks'; got the view '${view}'`);
  if (status !== undefined || to !== undefined) {
    throw invalidRequestError(
      "'overdue' already selects open tasks due before today. Omit the arguments 'status' and 'to'.",
    );
  }
}

function toEntryLines(each: DashboardEntry): string[] {
  if (each.task) {
    const about = buildToolLine(
      each.createdAt,
      String(each.author?.name),
      `on #${each.task.id} ${each.task.title}`,
    );
    return [about, ...quoteLines(each.content ?? '')];
  }
  return [each.user ? toWorkloadLine(each, each.user) : toTaskLine(each)];
}

function toWorkloadLine(each: DashboardEntry, user: z.output<typeof summaryOutput>): string {
  const counts = each.breakdown?.filter((part) => part.count !== 0) ?? [];
  return buildToolLine(
    String(user.id),
    String(user.name),
    `${each.utilization}% booked: ${each.plannedHours} of ${each.capacityHours} h`,
    `${each.activeTasks} active`,
    counts.map((part) => `${part.key} ${part.count} (${part.estimatedHours} h)`).join(', '),
  );
}

function toTaskLine(each: DashboardEntry): string {
  return buildToolLine(
    `#${each.id} ${each.title}`,
    each.status,
    each.assignee ? String(each.assignee.name) : 'unassigned',
    String(each.project?.name),
    each.dueLabel,
  );
}
