import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { buildToolLine, toLinePart } from '../../kernel/text/tool-text.ts';
import {
  defineTool,
  idempotentHints,
  markDescribedElsewhere,
  retryKeyInput,
  type ToolContext,
} from '../../kernel/tools/tool.ts';
import { partialResultNote, rejectOverriddenArguments } from '../../kernel/tools/tool-page.ts';
import { type ToolFilter, taskFilterInput } from '../operations/tool-filter.ts';
import { filterResults, findMatchingTasks, requireExactCount, toMatchLines } from './matching-tasks.ts';
import { previewArchived } from './preview.ts';
import { archiveTasksInBulk, unarchiveTasksInBulk } from './update.ts';

const IDS_MAX = 100;

const archiveOutput = z.strictObject({
  done: z.array(z.int()),
  refused: z.array(z.strictObject({ id: z.int(), error: z.string() })),
  ...filterResults,
  note: partialResultNote,
});
type ArchiveResult = z.output<typeof archiveOutput>;

export const setTaskArchived = defineTool(
  {
    name: 'set_task_archived',
    title: 'Archive or restore tasks',
    description:
      'Archived tasks are read-only and hidden from lists. Send `ids`, or `filter` and `count`; up to 100 per call.',
    access: 'tasks:write',
    hints: idempotentHints,
    input: z.strictObject({
      isArchived: z.boolean(),
      ids: z.array(integerId).min(1).max(IDS_MAX).optional(),
      filter: markDescribedElsewhere(taskFilterInput, 'Filters of find_tasks.').optional(),
      count: z.int().min(0).optional(),
      dryRun: z.boolean().optional(),
      ...retryKeyInput,
    }),
    output: archiveOutput,
    covers: { unarchiveTask: 'isArchived false' },
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
    const matches = await findMatchingTasks(ctx, filter as ToolFilter, { isArchived: !isArchived });
    const { total } = matches;
    if (count === undefined || dryRun)
      return { done: [], refused: [], wouldChange: matches.shown, matching: total };
    requireExactCount(count, total);
    return { ...(await setTasksArchived(ctx, isArchived, matches.ids)), matching: total };
  },
);

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
  if (wouldChange && matching !== undefined) return toMatchLines({ matching, wouldChange });
  if (wouldChange) {
    return [
      ...wouldChange.map(({ id, name }) => buildToolLine(`Would change #${id} ${name}`)),
      ...problems,
      `${wouldChange.length} would change. Nothing was changed.`,
    ];
  }
  const ids = done.map((id) => `#${id}`).join(' ');
  const left = matching === undefined ? 0 : matching - done.length;
  return [
    `Changed ${done.length}${ids && `: ${ids}`}`,
    ...problems,
    ...(left > 0 ? [`Still matching: ${left}. To change them, call again with count=${left}.`] : []),
  ];
}
