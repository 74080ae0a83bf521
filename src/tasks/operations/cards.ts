import * as z from 'zod';
import { buildPage } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { readTaskPage } from '../list/read-page.ts';
import { toDeadline } from '../model/tasks.policy.ts';
import { toAssignees } from '../model/tasks.present.ts';
import { taskListInput, taskPriorities, taskSorts, taskStatuses } from '../model/tasks.schema.ts';
import { buildCardListQuery } from './cards.queries.ts';
import { cardPage, SEARCH_CARDS_MAX } from './cards.schema.ts';

const cardListInput = taskListInput.omit({ expand: true, fields: true, cursor: true, offset: true }).extend({
  /** Search results are always listed newest first. */
  sort: z.enum([...taskSorts, 'hand']),
});

export const listCards = defineOperation(
  {
    name: 'listCards',
    summary: 'List tasks as board cards, with their comment and file counts',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: cardListInput,
    output: cardPage,
  },
  async (ctx, input) => {
    const { isCounted, ...found } = await readTaskPage(
      ctx,
      { ...input, offset: 0 },
      {
        list: buildCardListQuery(ctx.caller, { isOneProject: input.projectId?.length === 1 }),
        countUpTo: SEARCH_CARDS_MAX,
        searchesDetails: true,
      },
    );
    const { body } = buildPage({
      ...found,
      show: (row) => ({
        id: row.id,
        name: row.name,
        project: row.project,
        parent: row.parent_name,
        status: taskStatuses[row.status] ?? 'todo',
        priority: taskPriorities[row.priority] ?? 'medium',
        assignees: toAssignees(row).assignees ?? [],
        deadline: toDeadline(row.due),
        tags: JSON.parse(row.tags) as string[],
        commentCount: row.comments,
        fileCount: row.files,
        subtasks: { total: row.subtasks, completed: row.subtasks_completed },
        checklist: { total: row.checklist_total, done: row.checklist_done },
        isRecurring: row.repeats > 0,
        isBlocked: row.is_blocked === 1,
        dueTime: row.due_time,
      }),
    });
    return { ...body, isCounted };
  },
);
