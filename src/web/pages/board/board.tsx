import { integerId } from '../../../kernel/operation/schema.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getProject, listProjectMembers } from '../../../projects/operations/projects.ts';
import { listFieldChoices } from '../../../tasks/custom-fields/list-custom-fields.ts';
import { listLabelChoices } from '../../../tasks/labels/labels.ts';
import { moveCard } from '../../../tasks/operations/move-card.ts';
import { getTask } from '../../../tasks/operations/tasks.ts';
import { taskFilter, toParentInput, toTaskListFilter } from '../../../tasks/saved-filters/task-filter.ts';
import { unknownAssigneeCheck } from '../../page-model/filter-checks.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { buildUndoableMessage } from '../task-list/undo-form.ts';
import { BoardView } from './board.view.tsx';
import { buildColumnInputs, columnChecks, columnParams, columnReads } from './column-reads.ts';
import { isInManualOrder } from './columns.ts';

const CARDS_PER_COLUMN = 40;

export const boardParams = taskFilter
  .pick({
    q: true,
    assignee: true,
    priority: true,
    tag: true,
    blocked: true,
    parent: true,
    fields: true,
    due: true,
  })
  .extend({
    project: integerId,
    sort: taskFilter.shape.sort.unwrap().exclude(['updated']).optional(),
    ...columnParams,
  });
export const boardReads = {
  project: getProject,
  members: listProjectMembers,
  statuses: listStatusesInProject,
  fields: listFieldChoices,
};
export const boardOptionalReads = { ...columnReads, labels: listLabelChoices, chosenParent: getTask };

export const boardPage = definePage({
  name: 'board',
  path: '/projects/:project',
  title: ({ answers }) => answers.project.name,
  params: boardParams,
  filters: ['q', 'assignee', 'priority', 'tag', 'blocked', 'parent', 'fields', 'due', 'sort'],
  unknown: {
    ...columnChecks,
    found: [unknownAssigneeCheck, ...columnChecks.found],
    todo: [unknownAssigneeCheck, ...columnChecks.todo],
  },
  reads: boardReads,
  optionalReads: boardOptionalReads,
  inputs: ({ sort = 'hand' as const, more, ...filter }, { today }) => ({
    project: { id: filter.project },
    members: { id: filter.project },
    statuses: { projectId: filter.project },
    fields: { project: filter.project },
    labels: { withNames: true },
    chosenParent: toParentInput(filter),
    ...buildColumnInputs(
      {
        ...toTaskListFilter(filter, today),
        sort: filter.due ? 'due' : sort === 'hand' && !isInManualOrder(filter) ? 'created' : sort,
      },
      { more, cards: CARDS_PER_COLUMN },
    ),
  }),
  view: BoardView,
  script: 'board',
  hasTaskPanel: true,
  hasCommonStyles: true,
});

export const moveTaskForm = defineForm({
  name: 'moveTask',
  path: '/tasks/:id/move',
  operation: moveCard,
  flash: ({ output, input, now }) => (output.isMoved ? buildUndoableMessage('Moved', [input.id], now) : null),
});
