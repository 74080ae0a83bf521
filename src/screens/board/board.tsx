import * as z from 'zod';
import { civilDate, integerId } from '../../kernel/schema.ts';
import { getProject, listProjectMembers } from '../../projects/projects.ts';
import { listTaskStatuses } from '../../reference/statuses.ts';
import { type TaskStatus, taskPriorities, taskStatuses } from '../../task-model/tasks.schema.ts';
import { CARDS_FOUND_MAX } from '../../tasks/cards.schema.ts';
import { listCards } from '../../tasks/cards.ts';
import { moveCard } from '../../tasks/move-card.ts';
import { createTask } from '../../tasks/tasks.ts';
import { form, page } from '../../web/page-model/page.ts';
import { undoChanges } from '../task-list/undo.ts';
import { BoardView } from './board.view.tsx';

/** Five columns of these make a board of 200 cards; a column that is opened shows as many as a list may hold. */
const CARDS_A_COLUMN = 40;
const CARDS_IN_OPEN_COLUMN = 100;

export const boardParams = z.object({
  project: integerId,
  assignee: z.string().max(100).optional(),
  priority: z.enum(taskPriorities).optional(),
  q: z.string().max(200).optional(),
  /** Last deadline. */
  to: civilDate.optional(),
  /** By hand where it is left out. */
  sort: z.enum(['created', 'due']).optional(),
  /** The column that shows more. */
  more: z.enum(taskStatuses).optional(),
  /** The task whose new column is being chosen, where no script shows the choice. */
  move: integerId.optional(),
});
type BoardParams = z.output<typeof boardParams>;

function cards({ project, assignee, priority, to, sort }: BoardParams) {
  return {
    projectId: project,
    scope: 'all' as const,
    ...(assignee && { assigneeId: [assignee] }),
    ...(priority && { priority: [priority] }),
    ...(to && { dueTo: to }),
    sort: sort ?? ('hand' as const),
  };
}

function column(status: TaskStatus, params: BoardParams) {
  if (params.q) return null;
  const limit = params.more === status ? CARDS_IN_OPEN_COLUMN : CARDS_A_COLUMN;
  return { ...cards(params), status: [status], limit };
}

export const boardReads = { project: getProject, members: listProjectMembers, statuses: listTaskStatuses };

/** The columns, or what a text finds in all of them: looking for it once costs a fifth. */
export const boardMaybe = {
  found: listCards,
  todo: listCards,
  in_progress: listCards,
  internal_review: listCards,
  client_review: listCards,
  completed: listCards,
};

export const boardPage = page({
  name: 'board',
  path: '/projects/:project',
  title: ({ answers }) => answers.project.name,
  params: boardParams,
  reads: boardReads,
  maybe: boardMaybe,
  inputs: (params) => ({
    project: { id: params.project },
    members: { id: params.project },
    statuses: {},
    found: params.q
      ? { ...cards(params), status: [...taskStatuses], search: params.q, limit: CARDS_FOUND_MAX }
      : null,
    todo: column('todo', params),
    in_progress: column('in_progress', params),
    internal_review: column('internal_review', params),
    client_review: column('client_review', params),
    completed: column('completed', params),
  }),
  view: BoardView,
  script: 'board',
  hasCommonStyles: true,
});

/** Sent by a drag, a key, and "Move to…". */
export const moveTask = form({
  name: 'moveTask',
  path: '/tasks/:id/move',
  operation: moveCard,
  done: ({ output, input, now }) => (output.isMoved ? undoChanges('Moved', [input.id], now) : null),
});

/** The field at the end of a column. */
export const quickAdd = form({ name: 'quickAdd', path: '/tasks', operation: createTask });
