import * as z from 'zod';
import { listLatestComments } from '../../../dashboard/comments/latest-comments.ts';
import { getTaskFlow } from '../../../dashboard/flow/task-flow.ts';
import { listNextDeadlines } from '../../../dashboard/tasks/next-deadlines.ts';
import { getDashboardTiles } from '../../../dashboard/tiles/tiles.ts';
import { getDashboardWorkload } from '../../../dashboard/workload/page-workload.ts';
import { workloadModes } from '../../../dashboard/workload/workload.schema.ts';
import { getMonthRange } from '../../../kernel/dates/civil-date.ts';
import { civilDate, integerId } from '../../../kernel/operation/schema.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import {
  getTeamChoice,
  listPeopleChoices,
  listProjectChoices,
  listStatusChoices,
  listTeamChoices,
} from '../../../search/lookup/choices.ts';
import { namePeople } from '../../../tasks/mentions/mentionable.ts';
import { taskStatuses } from '../../../tasks/model/tasks.schema.ts';
import {
  unknownProjectCheck,
  unknownTeamCheck,
  unnamedAssigneeCheck,
} from '../../page-model/filter-checks.ts';
import { findDateProblems } from '../../page-model/find-date-problems.ts';
import { definePage } from '../../page-model/page.ts';
import { DashboardView } from './dashboard.view.tsx';
import { DEADLINES_SHOWN_MAX, getDeadlinesEndDate, getFlowStartDate } from './date-ranges.ts';
import { findUnsupportedFilters } from './unsupported-filters.ts';

const COMMENTS_SHOWN_MAX = 6;

/** The task list uses the same names for the filters that both pages offer. */
export const dashboardParams = z.object({
  q: z.string().max(200).optional(),
  project: integerId.optional(),
  team: integerId.optional(),
  assignee: z.string().max(100).optional(),
  projectStatus: z.string().max(50).optional(),
  status: z.enum(taskStatuses).optional(),
  from: civilDate.optional(),
  to: civilDate.optional(),
  mode: z.enum(workloadModes).default('daily'),
});
export type DashboardParams = z.output<typeof dashboardParams>;

export const dashboardReads = {
  tiles: getDashboardTiles,
  due: listNextDeadlines,
  projects: listProjectChoices,
  teams: listTeamChoices,
  people: listPeopleChoices,
  statuses: listStatusChoices,
};

/** Hidden sections aren't read. Lists of choices are limited, so selected items are read separately. */
export const dashboardOptionalReads = {
  comments: listLatestComments,
  workload: getDashboardWorkload,
  flow: getTaskFlow,
  selectedProject: getProject,
  columns: listStatusesInProject,
  selectedTeam: getTeamChoice,
  selectedPerson: namePeople,
};

/** Without `from`, the period starts on its default day and ends on `to`, or contains only `to` if `to` is earlier. */
function getWorkloadDateRange({ from, to, mode }: DashboardParams, today: string) {
  if (from !== undefined || to === undefined) return { ...(from && { from }), ...(to && { to }) };
  const start = mode === 'monthly' ? getMonthRange(today).from : today;
  return { from: to < start ? to : start, to };
}

export const dashboardPage = definePage({
  name: 'dashboard',
  path: '/dashboard',
  title: () => 'Dashboard',
  params: dashboardParams,
  problems: findDateProblems,
  filters: dashboardParams.keyof().options,
  unknown: {
    selectedProject: unknownProjectCheck,
    selectedTeam: unknownTeamCheck,
    selectedPerson: unnamedAssigneeCheck,
    statuses: {
      filter: 'projectStatus',
      message: "This project status doesn't exist. Choose another status.",
      isIn: ({ projects }, named) => projects.some(({ value }) => value === named),
    },
  },
  reads: dashboardReads,
  optionalReads: dashboardOptionalReads,
  inputs: (params, { me, today }) => {
    const { q, project, team, assignee, projectStatus, status, from, to, mode } = params;
    const person = assignee === 'me' ? me : assignee;
    const scope = {
      ...(project !== undefined && { projectId: project }),
      ...(team !== undefined && { teamId: [team] }),
      ...(person !== undefined && { assigneeId: [person] }),
      ...(projectStatus !== undefined && { projectStatus }),
    };
    const text = q === undefined ? {} : { search: q };
    const days = { ...(from && { from }), ...(to && { to }) };
    const taskFilter = { ...scope, ...text, ...(status && { status }) };
    const ahead = { from: today, to: getDeadlinesEndDate(today) };
    const unsupported = findUnsupportedFilters(params);
    return {
      tiles: { ...taskFilter, ...days },
      due: { ...taskFilter, ...(from || to ? days : ahead), limit: DEADLINES_SHOWN_MAX },
      projects: {},
      teams: {},
      people: {},
      statuses: {},
      comments: unsupported.comments ? null : { ...scope, ...text, ...days, limit: COMMENTS_SHOWN_MAX },
      workload: unsupported.workload ? null : { ...scope, ...getWorkloadDateRange(params, today), mode },
      flow: unsupported.flow
        ? null
        : { since: getFlowStartDate(today), ...(project !== undefined && { projectId: project }) },
      selectedProject: project === undefined ? null : { id: project },
      columns: project === undefined ? null : { projectId: project },
      selectedTeam: team === undefined ? null : { id: team },
      selectedPerson: person === undefined ? null : { ids: [person] },
    };
  },
  mentioned: ({ comments }) => comments?.people ?? [],
  view: DashboardView,
  script: 'saves',
});
