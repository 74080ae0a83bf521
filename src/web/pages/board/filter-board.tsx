import {
  isSortedByDeadline,
  listVisibleStatuses,
  taskFilterNames,
  toNamePeopleInput,
  toParentInput,
  toTaskListFilter,
} from '../../../tasks/saved-filters/task-filter.ts';
import { unknownProjectCheck, unnamedAssigneeCheck } from '../../page-model/filter-checks.ts';
import { definePage } from '../../page-model/page.ts';
import { buildColumnInputs, columnChecks } from './column-reads.ts';
import { filterBoardOptionalReads, filterBoardParams, filterBoardReads } from './filter-board.reads.ts';
import { FilterBoardView } from './filter-board.view.tsx';

/** A project's board shows twice as many cards. Here, each card and each count also reads projects. */
const CARDS_PER_COLUMN = 20;

export const filterBoardPage = definePage({
  name: 'filterBoard',
  path: '/board',
  title: ({ answers }) => answers.saved?.name ?? 'Board',
  params: filterBoardParams,
  filters: taskFilterNames.filter((name) => name !== 'archived'),
  unknown: {
    selectedPeople: unnamedAssigneeCheck,
    selectedProject: unknownProjectCheck,
    ...columnChecks,
  },
  reads: filterBoardReads,
  optionalReads: filterBoardOptionalReads,
  inputs: ({ more, filter, status, ...query }, { today }) => ({
    statuses: { projectId: query.project },
    people: {},
    fields: { project: query.project },
    labels: { withNames: true },
    projects: {},
    selectedPeople: toNamePeopleInput(query),
    selectedProject: query.project === undefined ? null : { id: query.project },
    chosenParent: toParentInput(query),
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
