import * as z from 'zod';
import { listDashboardTasks } from '../../dashboard/tasks.ts';
import { listProjects } from '../../projects/projects.ts';
import { page } from '../../web/page-model/page.ts';
import { MyWorkView } from './my-work.view.tsx';

const TASKS_A_STATUS = 50;
const PROJECTS_OFFERED = 100;

export const myWorkParams = z.object({});
export const myWorkReads = {
  todo: listDashboardTasks,
  inProgress: listDashboardTasks,
  internalReview: listDashboardTasks,
  clientReview: listDashboardTasks,
  projects: listProjects,
};

export const myWorkPage = page({
  name: 'myWork',
  path: '',
  title: () => 'My work',
  params: myWorkParams,
  reads: myWorkReads,
  inputs: (_params, { me }) => {
    const mine = { assigneeId: [me], sort: 'due' as const, limit: TASKS_A_STATUS };
    return {
      todo: { ...mine, status: 'todo' },
      inProgress: { ...mine, status: 'in_progress' },
      internalReview: { ...mine, status: 'internal_review' },
      clientReview: { ...mine, status: 'client_review' },
      projects: { limit: PROJECTS_OFFERED },
    };
  },
  view: MyWorkView,
});
