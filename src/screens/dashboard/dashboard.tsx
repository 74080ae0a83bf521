import * as z from 'zod';
import { listDashboardComments } from '../../dashboard/comments.ts';
import { workloadModes } from '../../dashboard/dashboard.schema.ts';
import { getDashboardStats } from '../../dashboard/stats.ts';
import { listDashboardTasks } from '../../dashboard/tasks.ts';
import { getWorkload } from '../../dashboard/workload.ts';
import { integerId } from '../../kernel/schema.ts';
import { getProject, listProjects } from '../../projects/projects.ts';
import { listTeams } from '../../reference/teams.ts';
import { page } from '../../web/page-model/page.ts';
import { DashboardView } from './dashboard.view.tsx';
import { lastDayAhead } from './days-ahead.ts';

const TASKS_SHOWN = 10;
const COMMENTS_SHOWN = 6;
const PROJECTS_OFFERED = 100;

export const dashboardParams = z.object({
  project: integerId.optional(),
  team: integerId.optional(),
  mode: z.enum(workloadModes).default('daily'),
});

export const dashboardReads = {
  stats: getDashboardStats,
  due: listDashboardTasks,
  comments: listDashboardComments,
  workload: getWorkload,
  projects: listProjects,
  teams: listTeams,
};

export const dashboardMaybe = { chosenProject: getProject };

export const dashboardPage = page({
  name: 'dashboard',
  path: '/dashboard',
  title: () => 'Dashboard',
  params: dashboardParams,
  reads: dashboardReads,
  maybe: dashboardMaybe,
  inputs: ({ project, team, mode }, { today }) => {
    const filter = {
      ...(project !== undefined && { projectId: project }),
      ...(team !== undefined && { teamId: [team] }),
    };
    return {
      stats: filter,
      due: { ...filter, from: today, to: lastDayAhead(today), sort: 'due' as const, limit: TASKS_SHOWN },
      comments: { ...filter, limit: COMMENTS_SHOWN },
      workload: { ...filter, mode },
      projects: { limit: PROJECTS_OFFERED },
      chosenProject: project === undefined ? null : { id: project },
      teams: {},
    };
  },
  texts: ({ comments }) => comments.data.map(({ content }) => content),
  view: DashboardView,
});
