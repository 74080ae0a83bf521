import {
  isSortedByDeadline,
  taskFilterNames,
  toNamedPeople,
  toTaskListFilter,
} from '../../../tasks/saved-filters/task-filter.ts';
import { definePage } from '../../page-model/page.ts';
import {
  tooManyTagsFilter,
  unknownProjectFilter,
  unnamedPersonFilter,
} from '../../page-model/unknown-filters.ts';
import { buildColumnInputs } from './column-reads.ts';
import {
  filterBoardOptionalReads,
  filterBoardParams,
  filterBoardReads,
  listVisibleStatuses,
} from './filter-board.reads.ts';
import { FilterBoardView } from './filter-board.view.tsx';

/** This is half as many as on a project's board, because each card and each count also reads projects. */
const CARDS_PER_COLUMN = 20;

export const filterBoardPage = definePage({
  name: 'filterBoard',
  path: '/board',
  title: ({ answers }) => answers.saved?.name ?? 'Board',
  params: filterBoardParams,
  filters: taskFilterNames.filter((name) => name !== 'archived' && name !== 'blocked'),
  unknown: {
    selectedPeople: unnamedPersonFilter,
    selectedProject: unknownProjectFilter,
    todo: tooManyTagsFilter,
    completed: tooManyTagsFilter,
  },
  reads: filterBoardReads,
  optionalReads: filterBoardOptionalReads,
  inputs: ({ more, filter, status, ...query }, { today }) => ({
    statuses: { projectId: query.project },
    people: {},
    labels: { withNames: true },
    projects: {},
    selectedPeople: toNamedPeople(query),
    selectedProject: query.project === undefined ? null : { id: query.project },
    saved: filter === undefined ? null : { id: filter },
    ...buildColumnInputs(
      { ...toTaskListFilter(query, today), sort: isSortedByDeadline(query) ? 'due' : 'created' },
      { statuses: listVisibleStatuses(status), more, cards: CARDS_PER_COLUMN },
    ),
  }),
  view: FilterBoardView,
  script: 'board',
  hasTaskPanel: true,
});
