import * as z from 'zod';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import { pickFields, summaryOutput } from '../../kernel/tools/tool.ts';
import type { activity } from './activities.schema.ts';

export const historyEntry = z.strictObject({
  id: z.int(),
  type: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  actor: summaryOutput,
  via: z.string(),
  commentId: z.int().nullable(),
  createdAt: z.string(),
});

export function toHistoryEntry({ actor, field: _, ...each }: z.output<typeof activity>) {
  return { ...each, actor: pickFields(actor, 'id', 'name') };
}

export function toActivityLine(each: z.output<typeof historyEntry>): string {
  return buildToolLine(
    each.createdAt,
    String(each.actor.name),
    each.type,
    each.from !== null && `from ${each.from}`,
    each.to !== null && `to ${each.to}`,
    each.commentId !== null && `comment ${each.commentId}`,
    `via ${each.via}`,
  );
}
