import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { OPEN_STATUS } from '../../../tasks/model/tasks.schema.ts';
import { listTasks } from '../../../tasks/operations/list-tasks.ts';
import { listTaskStatuses } from '../../../workspaces/reference/statuses.ts';
import { getStepsTaken } from '../../../workspaces/settings/first-steps.ts';
import { definePage } from '../../page-model/page.ts';
import { MyWorkView } from './my-work.view.tsx';

const TASKS_SHOWN_MAX = 100;

export const myWorkParams = z.object({
  project: integerId.optional(),
});
export const myWorkReads = {
  tasks: listTasks,
  statuses: listTaskStatuses,
  projects: listProjectChoices,
  steps: getStepsTaken,
};

export const myWorkPage = definePage({
  name: 'myWork',
  path: '',
  title: () => 'My work',
  params: myWorkParams,
  reads: myWorkReads,
  inputs: () => ({
    tasks: {
      assigneeId: ['me'],
      status: [OPEN_STATUS as typeof OPEN_STATUS],
      sort: 'due' as const,
      scope: 'all' as const,
      limit: TASKS_SHOWN_MAX,
    },
    statuses: {},
    projects: {},
    steps: {},
  }),
  view: MyWorkView,
  script: 'my-work',
  hasTaskPanel: true,
});
