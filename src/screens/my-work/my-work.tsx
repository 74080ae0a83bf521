import * as z from 'zod';
import { integerId } from '../../kernel/schema.ts';
import { listProjectChoices } from '../../lookup/choices.ts';
import { listTaskStatuses } from '../../reference/statuses.ts';
import { OPEN } from '../../task-model/tasks.schema.ts';
import { listTasks } from '../../tasks/list.ts';
import { page } from '../../web/page-model/page.ts';
import { getStepsTaken } from '../../workspace-settings/first-steps.ts';
import { MyWorkView } from './my-work.view.tsx';

const SHOWN = 100;

export const myWorkParams = z.object({
  /** The one that tasks are being added to. */
  project: integerId.optional(),
});
export const myWorkReads = {
  tasks: listTasks,
  statuses: listTaskStatuses,
  projects: listProjectChoices,
  steps: getStepsTaken,
};

export const myWorkPage = page({
  name: 'myWork',
  path: '',
  title: () => 'My work',
  params: myWorkParams,
  reads: myWorkReads,
  inputs: () => ({
    tasks: {
      assigneeId: ['me'],
      status: [OPEN as typeof OPEN],
      sort: 'due' as const,
      scope: 'all' as const,
      limit: SHOWN,
    },
    statuses: {},
    projects: {},
    steps: {},
  }),
  view: MyWorkView,
  script: 'my-work',
});
