import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { parseInput } from '../../kernel/execute/run-operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { buildToolLine, toLinePart } from '../../kernel/text/tool-text.ts';
import { defineTool, retryKeyInput, type ToolContext, toggleHints } from '../../kernel/tools/tool.ts';
import { partialResultNote, rejectOverriddenArguments } from '../../kernel/tools/tool-page.ts';
import { listTasks } from '../operations/list-tasks.ts';
import { taskFilterInput, toTaskListFilter } from '../operations/tool-filter.ts';
import { previewArchived } from './preview.ts';
import { archiveTasksInBulk, unarchiveTasksInBulk } from './update.ts';

const IDS_MAX = 100;
const NAMES_SHOWN_MAX = 20;

const archiveOutput = z.strictObject({
  done: z.array(z.int()),
  refused: z.array(z.strictObject({ id: z.int(), error: z.string() })),
  wouldChange: z.array(z.strictObject({ id: z.int(), name: z.string() })).optional(),
  matching: z.int().optional(),
  note: partialResultNote,
});
type ArchiveResult = z.output<typeof archiveOutput>;

export const setTaskArchived = defineTool(
  {
    name: 'set_task_archived',
    title: 'Archive or restore tasks',
    description:
      'Archived tasks are read-only and hidden from lists. Send ids or filter. A filter without count returns the number of matches; with that exact count, it changes them, 100 per call.',
    access: 'tasks:write',
    hints: toggleHints,
    input: z.strictObject({
      isArchived: z.boolean(),
      ids: z.array(integerId).min(1).max(IDS_MAX).optional(),
      filter: z.looseObject({}).optional().meta({ description: 'Filters of find_tasks: project, status, …' }),
      count: z.int().min(0).optional(),
      dryRun: z.boolean().optional(),
      ...retryKeyInput,
    }),
    output: archiveOutput,
    standsFor: { unarchiveTask: 'isArchived false' },
    lines: toArchiveLines,
  },
  async (ctx, { isArchived, ids, filter, count, dryRun, idempotencyKey }) => {
    if ((ids === undefined) === (filter === undefined))
      throw invalidRequestError('Send either ids or filter.');
    if (ids) {
      rejectOverriddenArguments('ids', { count });
      if (dryRun) return previewArchiving(ctx, isArchived, ids);
      return setTasksArchived(ctx, isArchived, ids, idempotencyKey);
    }
    rejectOverriddenArguments('filter', { idempotencyKey });
    const parsed = parseInput(z.object({ filter: taskFilterInput }), { filter });
    const filters = await toTaskListFilter(ctx, parsed.filter);
    const { ids: all, total, names } = await findMatchingTasks(ctx, { ...filters, isArchived: !isArchived });
    if (count === undefined || dryRun) return { done: [], refused: [], wouldChange: names, matching: total };
    if (count !== total) {
      throw invalidRequestError(
        `count must be the exact number of tasks that match now, which is ${total}; got ${count}. Nothing was changed. Review the matches before you repeat it with the new count.`,
      );
    }
    return { ...(await setTasksArchived(ctx, isArchived, all)), matching: total };
  },
);

async function findMatchingTasks(ctx: ToolContext, filter: z.input<typeof listTasks.input>) {
  const { data, meta } = await ctx.list(listTasks, { ...filter, limit: IDS_MAX });
  return {
    ids: data.map(({ id }) => id),
    names: data.slice(0, NAMES_SHOWN_MAX).map(({ id, name }) => ({ id, name })),
    total: meta.total,
  };
}

async function previewArchiving(
  ctx: ToolContext,
  isArchived: boolean,
  ids: number[],
): Promise<ArchiveResult> {
  const { data } = await ctx.run(previewArchived, { ids, isArchived });
  return {
    done: [],
    refused: data.flatMap(({ index, error }) => (error ? [{ id: ids[index] ?? 0, error }] : [])),
    wouldChange: data.flatMap(({ task, changes }) => (task && changes?.length ? [task] : [])),
  };
}

async function setTasksArchived(
  ctx: ToolContext,
  isArchived: boolean,
  ids: number[],
  key?: string,
): Promise<ArchiveResult> {
  if (ids.length === 0) return { done: [], refused: [] };
  const operation = isArchived ? archiveTasksInBulk : unarchiveTasksInBulk;
  const { data } = await ctx.run(operation, { ids, mode: 'each' }, key);
  return {
    done: data.flatMap(({ index, error }) => (error ? [] : [ids[index] ?? 0])),
    refused: data.flatMap(({ index, error }) =>
      error ? [{ id: ids[index] ?? 0, error: error.message }] : [],
    ),
  };
}

function toArchiveLines({ done, refused, wouldChange, matching }: ArchiveResult): string[] {
  const problems = refused.map(({ id, error }) => `#${id} rejected: ${toLinePart(error)}`);
  if (wouldChange) {
    const hidden = (matching ?? wouldChange.length) - wouldChange.length;
    return [
      ...wouldChange.map(({ id, name }) => buildToolLine(`Would change #${id} ${name}`)),
      ...problems,
      ...(hidden > 0 ? [`and ${hidden} more`] : []),
      matching === undefined
        ? `${wouldChange.length} would change. Nothing was changed.`
        : `${matching} match. Nothing was changed: call again with count=${matching} to change them.`,
    ];
  }
  const ids = done.map((id) => `#${id}`).join(' ');
  const left = matching === undefined ? 0 : matching - done.length;
  return [
    `Changed ${done.length}${ids && `: ${ids}`}`,
    ...problems,
    ...(left > 0 ? [`${left} still match: call again with count=${left}.`] : []),
  ];
}
