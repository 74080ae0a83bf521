import { BOUNDED_COUNT_MAX } from '../../../kernel/lists/bounded-count.ts';
import { taskFilterNames, toNamedPeople } from '../../../tasks/saved-filters/task-filter.ts';
import { findDateProblems } from '../../page-model/date-range.ts';
import { definePage } from '../../page-model/page.ts';
import {
  tooManyTagsFilter,
  unknownProjectFilter,
  unnamedPersonFilter,
  unusableFieldFilter,
} from '../../page-model/unknown-filters.ts';
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
    chosen: unnamedPersonFilter,
    chosenProject: unknownProjectFilter,
    tasks: [tooManyTagsFilter, unusableFieldFilter],
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
    chosen: toNamedPeople(params),
    chosenProject: params.project === undefined ? null : { id: params.project },
    saved: params.filter === undefined ? null : { id: params.filter },
  }),
  view: TaskListView,
  script: 'list',
  hasTaskPanel: true,
});
