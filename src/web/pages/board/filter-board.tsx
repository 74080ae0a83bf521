import { integerId } from '../../../kernel/operation/schema.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { listPeopleChoices, listProjectChoices } from '../../../search/lookup/choices.ts';
import { OPEN, type TaskStatus, taskStatuses } from '../../../tasks/model/tasks.schema.ts';
import { getSavedFilter } from '../../../tasks/saved-filters/saved-filters.ts';
import {
  isByDeadline,
  personIn,
  type TaskFilter,
  taskFilter,
  taskFilterNames,
  tasksOf,
} from '../../../tasks/saved-filters/task-filter.ts';
import { listTaskStatuses } from '../../../workspaces/reference/statuses.ts';
import { getUser } from '../../../workspaces/reference/users.ts';
import { page } from '../../page-model/page.ts';
import { unknownPerson, unknownProject } from '../../page-model/unknown-filters.ts';
import { columnInputs, columnParams, columnReads } from './column-reads.ts';
import { FilterBoardView } from './filter-board.view.tsx';

/** Half of those on the board of a project: each is read with its project, and a count reads each project. */
const CARDS_A_COLUMN = 20;

export const filterBoardParams = taskFilter.omit({ archived: true }).extend({
  /** The saved filter that led here. */
  filter: integerId.optional(),
  ...columnParams,
});
export const filterBoardReads = {
  statuses: listTaskStatuses,
  people: listPeopleChoices,
  projects: listProjectChoices,
};
export const filterBoardMaybe = {
  ...columnReads,
  chosen: getUser,
  chosenProject: getProject,
  saved: getSavedFilter,
};

/** A board of what a filter finds, in whichever projects. */
export const filterBoardPage = page({
  name: 'filterBoard',
  path: '/board',
  title: ({ answers }) => answers.saved?.name ?? 'Board',
  params: filterBoardParams,
  filters: taskFilterNames.filter((name) => name !== 'archived'),
  unknown: { chosen: unknownPerson, chosenProject: unknownProject },
  reads: filterBoardReads,
  maybe: filterBoardMaybe,
  inputs: ({ more, filter, status, ...asked }, { today }) => ({
    statuses: {},
    people: {},
    projects: {},
    chosen: personIn(asked),
    chosenProject: asked.project === undefined ? null : { id: asked.project },
    saved: filter === undefined ? null : { id: filter },
    ...columnInputs(
      { ...tasksOf(asked, today), sort: isByDeadline(asked) ? 'due' : 'created' },
      { statuses: statusesShown(status), more, cards: CARDS_A_COLUMN },
    ),
  }),
  view: FilterBoardView,
  script: 'board',
  framing: 'around',
});

/** The columns of a filter. */
export function statusesShown(status: TaskFilter['status']): readonly TaskStatus[] {
  if (status === undefined) return taskStatuses;
  return status === OPEN ? taskStatuses.filter((each) => each !== 'completed') : [status];
}
