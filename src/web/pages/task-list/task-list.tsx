import { COUNT_MAX } from '../../../kernel/lists/bounded-count.ts';
import { personIn, taskFilterNames } from '../../../tasks/saved-filters/task-filter.ts';
import { findDateProblems } from '../../page-model/date-range.ts';
import { page } from '../../page-model/page.ts';
import { unknownPerson, unknownProject } from '../../page-model/unknown-filters.ts';
import {
  isCountedSoFar,
  taskListOptionalReads,
  taskListParams,
  taskListReads,
  toTaskQuery,
} from './task-list.reads.ts';
import { TaskListView } from './task-list.view.tsx';

const TASKS_SHOWN = 50;

export const taskListPage = page({
  name: 'taskList',
  path: '/tasks',
  title: () => 'All tasks',
  params: taskListParams,
  problems: findDateProblems,
  filters: taskFilterNames,
  unknown: { chosen: unknownPerson, chosenProject: unknownProject },
  reads: taskListReads,
  optionalReads: taskListOptionalReads,
  inputs: (params, asking) => ({
    tasks: {
      ...toTaskQuery(params, asking),
      limit: TASKS_SHOWN,
      offset: params.offset,
      ...(isCountedSoFar(params) && { countUpTo: COUNT_MAX }),
    },
    statuses: {},
    people: {},
    projects: {},
    chosen: personIn(params),
    chosenProject: params.project === undefined ? null : { id: params.project },
    saved: params.filter === undefined ? null : { id: params.filter },
  }),
  view: TaskListView,
  script: 'list',
});
