import { Answer } from '../../kernel/operation/answer.ts';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { idsInOrder } from '../../kernel/sql/database.ts';
import { draftOf, type TaskDraft } from '../model/insert.queries.ts';
import { idsOf, newestTask, newTasks } from '../model/selection.queries.ts';
import { taskCreateInput } from '../model/tasks.schema.ts';
import { requireReferences } from '../operations/task-references.ts';
import { createTasks } from '../write/tasks.write.ts';
import { bulkCreateInput, bulkResult } from './bulk.schema.ts';
import { assertReferences, listReferences } from './create.queries.ts';
import { withDescriptions } from './descriptions.ts';
import { type Details, readDetails } from './details.ts';
import {
  advance,
  getAccepted,
  type Item,
  itemsOf,
  type Mode,
  parseItems,
  requireMode,
  toResult,
} from './items.ts';

export const createTasksInBulk = operation(
  {
    name: 'createTasksInBulk',
    summary: 'Create up to 100 tasks at once',
    description:
      'All tasks are created or none are. With mode each, valid items are created, and the others return an error.',
    access: 'tasks:write',
    capability: 'seeProjects',
    effect: 'write',
    input: bulkCreateInput,
    output: bulkResult,
    repeat: {
      entity: newestTask,
      async answer(ctx, { mode, tasks }, newest) {
        const items = await draftsOf(ctx, mode, tasks);
        const count = getAccepted(items).length;
        const ids = Array.from({ length: count }, (_, place) => newest - count + 1 + place);
        const created = await readDetails(ctx, idsInOrder(ids), count);
        return toResponse(ctx, mode, inOrder(ctx, items, ids, created.tasks), created);
      },
    },
  },
  async (ctx, { mode, tasks }) => {
    const items = await draftsOf(ctx, mode, tasks);
    const drafts = getAccepted(items);
    if (drafts.length === 0) return toResponse(ctx, mode, toResult(advance(items, unreachable), ctx.words));
    const created = await readDetails(ctx, idsOf(newTasks(drafts.length)), drafts.length, [
      assertReferences(ctx.caller, drafts),
      ...createTasks(ctx, drafts),
    ]);
    return toResponse(ctx, mode, inOrder(ctx, items, [...created.tasks.keys()], created.tasks), created);
  },
);

/** Each item becomes a draft of its task, or the error that rejects it. */
export async function draftsOf(
  ctx: Context,
  mode: Mode,
  tasks: readonly unknown[],
): Promise<Item<TaskDraft>[]> {
  const parsed = parseItems(taskCreateInput, tasks);
  requireMode(mode, parsed, itemsOf('tasks'));
  const named = getAccepted(parsed);
  const [found] = named.length > 0 ? await ctx.db.batch([listReferences(ctx.caller, named)]) : [[]];
  let next = 0;
  const drafts = advance(parsed, (input) => draftOf(input, requireReferences(found[next++] ?? null, input)));
  requireMode(mode, drafts, itemsOf('tasks'));
  return drafts;
}

/** Ids rise in the order in which the tasks were sent. */
function inOrder<T>(
  ctx: Context,
  items: readonly Item<TaskDraft>[],
  ids: readonly number[],
  created: Map<number, T>,
) {
  let next = 0;
  return toResult(
    advance(items, () => created.get(ids[next++] ?? 0) as T),
    ctx.words,
  );
}

/** Status 201 promises that everything was created, which mode `each` doesn't. */
function toResponse<T>({ db, caller }: Context, mode: Mode, body: T, created?: Details) {
  const inParts = created && withDescriptions(db, caller, created.long);
  return new Answer(body, { inParts, ...(mode === 'each' && { status: 200 }) });
}

function unreachable(): never {
  throw new Error('an item that is going on was not handled');
}
