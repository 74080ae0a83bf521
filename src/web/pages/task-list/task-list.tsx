import { BOUNDED_COUNT_MAX } from '../../../kernel/lists/bounded-count.ts';
import {
  taskFilterNames,
  toNamePeopleInput,
  toParentInput,
} from '../../../tasks/saved-filters/task-filter.ts';
import {
  fieldFilterCheck,
  tagSearchLimitCheck,
  unknownProjectCheck,
  unnamedAssigneeCheck,
} from '../../page-model/filter-checks.ts';
import { findDateProblems } from '../../page-model/find-date-problems.ts';
import { definePage } from '../../page-model/page.ts';
import {
  buildTaskQuery,
  isCountLimited,
  taskListOptionalReads,
  taskListParams,
  taskListReads,
} from './task-list.reads.ts';
import { TaskListView } from './task-list.view.tsx';

const TASKS_SHOWN_MAX = 50;

export const taskListPage = definePage({
  name: 'taskList',
  path: '/tasks',
  title: () => 'All tasks',
  params: taskListParams,
  problems: findDateProblems,
  filters: taskFilterNames,
  unknown: {
    chosen: unnamedAssigneeCheck,
    chosenProject: unknownProjectCheck,
    tasks: [tagSearchLimitCheck, fieldFilterCheck],
  },
  reads: taskListReads,
  optionalReads: taskListOptionalReads,
  inputs: (params, asking) => ({
    tasks: {
      ...buildTaskQuery(params, asking),
      limit: TASKS_SHOWN_MAX,
      offset: params.offset,
      ...(isCountLimited(params) && { countUpTo: BOUNDED_COUNT_MAX }),
    },
    statuses: { projectId: params.project },
    people: {},
    projects: {},
    labels: { withNames: true },
    fields: { project: params.project },
    chosen: toNamePeopleInput(params),
    chosenProject: params.project === undefined ? null : { id: params.project },
    chosenParent: toParentInput(params),
    saved: params.filter === undefined ? null : { id: params.filter },
  }),
  view: TaskListView,
  script: 'list',
  hasTaskPanel: true,
});
