import * as z from 'zod';
import { workloadModes } from '../../dashboard/dashboard.schema.ts';
import { getTaskFlow } from '../../dashboard/flow.ts';
import { listLatestComments, listNextDeadlines } from '../../dashboard/latest.ts';
import { getDashboardStats } from '../../dashboard/stats.ts';
import { getWorkload } from '../../dashboard/workload.ts';
import { integerId } from '../../kernel/schema.ts';
import { listProjectChoices, listTeamChoices } from '../../lookup/choices.ts';
import { getProject } from '../../projects/projects.ts';
import { page } from '../../web/page-model/page.ts';
import { DashboardView } from './dashboard.view.tsx';
import { firstDayOfFlow, lastDayAhead } from './days-shown.ts';

const TASKS_SHOWN = 10;
const COMMENTS_SHOWN = 6;

export const dashboardParams = z.object({
  project: integerId.optional(),
  team: integerId.optional(),
  mode: z.enum(workloadModes).default('daily'),
});

export const dashboardReads = {
  stats: getDashboardStats,
  due: listNextDeadlines,
  comments: listLatestComments,
  workload: getWorkload,
  projects: listProjectChoices,
  teams: listTeamChoices,
};

export const dashboardMaybe = { chosenProject: getProject, flow: getTaskFlow };

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
      due: { ...filter, from: today, to: lastDayAhead(today), limit: TASKS_SHOWN },
      comments: { ...filter, limit: COMMENTS_SHOWN },
      workload: { ...filter, mode },
      projects: {},
      chosenProject: project === undefined ? null : { id: project },
      // Teams have no days of their own.
      flow:
        team === undefined
          ? { since: firstDayOfFlow(today), ...(project !== undefined && { projectId: project }) }
          : null,
      teams: {},
    };
  },
  texts: ({ comments }) => comments.data.map(({ content }) => content),
  view: DashboardView,
});
