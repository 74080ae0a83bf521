import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import type { ToolContext } from '../../kernel/tools/tool.ts';
import { listTasks } from '../operations/list-tasks.ts';
import { resolveToolFilter, type ToolFilter } from '../operations/tool-filter.ts';

export const MATCHES_MAX = 100;
const MATCHES_SHOWN_MAX = 20;

export const filterResults = {
  wouldChange: z.array(z.strictObject({ id: z.int(), name: z.string() })).optional(),
  matching: z.int().optional(),
};

export async function findMatchingTasks(
  ctx: ToolContext,
  filter: ToolFilter,
  { isArchived }: { isArchived: boolean },
) {
  const listed = { ...(await resolveToolFilter(ctx, filter)), isArchived, limit: MATCHES_MAX };
  const { data, meta } = await ctx.list(listTasks, listed);
  return {
    ids: data.map(({ id }) => id),
    shown: data.slice(0, MATCHES_SHOWN_MAX).map(({ id, name }) => ({ id, name })),
    total: meta.total,
  };
}

export function requireExactCount(count: number, total: number) {
  if (count === total) return;
  throw invalidRequestError(
    `count must be the exact number of tasks that match now, which is ${total}; got ${count}. Nothing was changed. Review the matches before you repeat the call with the new count.`,
  );
}

export function toMatchLines({
  matching,
  wouldChange,
}: {
  matching: number;
  wouldChange: readonly { id: number; name: string }[];
}): string[] {
  const hidden = matching - wouldChange.length;
  return [
    ...wouldChange.map(({ id, name }) => buildToolLine(`Would change #${id} ${name}`)),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    `${matching} match. Nothing was changed: call again with count=${matching} to change them.`,
  ];
}
