import {
  isByDeadline,
  personIn,
  taskFilterNames,
  tasksOf,
} from '../../../tasks/saved-filters/task-filter.ts';
import { page } from '../../page-model/page.ts';
import { unknownPerson, unknownProject } from '../../page-model/unknown-filters.ts';
import { columnInputs } from './column-reads.ts';
import {
  filterBoardMaybe,
  filterBoardParams,
  filterBoardReads,
  statusesShown,
} from './filter-board.reads.ts';
import { FilterBoardView } from './filter-board.view.tsx';

/** Half of those on the board of a project: each is read with its project, and a count reads each project. */
const CARDS_A_COLUMN = 20;

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
