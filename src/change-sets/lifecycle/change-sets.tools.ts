import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { formatCount } from '../../kernel/text/number-format.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import { defineTool, destructiveHints, idempotentHints } from '../../kernel/tools/tool.ts';
import { reason, statuses, title } from '../model/change-sets.schema.ts';
import { beginChanges, discardChanges, proposeChanges } from './change-sets.ts';

const changeSetOutput = z.strictObject({
  changeSet: z.int(),
  title: z.string(),
  status: z.enum(statuses),
  changes: z.int(),
  conflicts: z.int(),
  url: z.string(),
});

function toChangeSetLine({
  changeSet,
  title: name,
  status,
  changes,
  conflicts,
}: z.output<typeof changeSetOutput>) {
  return buildToolLine(
    `Change set ${changeSet}${name && `: ${name}`}`,
    status,
    formatCount(changes, 'change'),
    conflicts > 0 && `${formatCount(conflicts, 'change')} that can't be applied`,
  );
}

export const beginChangesTool = defineTool(
  {
    name: 'begin_changes',
    title: 'Stage changes',
    description: 'Stage your task changes until a person approves them.',
    access: 'tasks:write',
    hints: idempotentHints,
    input: z.strictObject({ title: title.optional() }),
    output: changeSetOutput,
    lines: (set) => [
      toChangeSetLine(set),
      'You can stage up to 200 changes within 7 days. New tasks get provisional ids. Finish with propose_changes or discard_changes.',
    ],
  },
  (ctx, input) => ctx.run(beginChanges, input),
);

export const proposeChangesTool = defineTool(
  {
    name: 'propose_changes',
    title: 'Propose changes',
    description: 'Close the set. Give the person its URL to approve it.',
    access: 'tasks:write',
    hints: idempotentHints,
    input: z.strictObject({ reason: reason.optional(), id: integerId.optional() }),
    output: changeSetOutput,
    lines: (set) => [
      toChangeSetLine(set),
      set.status === 'proposed'
        ? `Give the person this URL to approve the changes: ${set.url}. Your next changes take effect immediately, unless you begin another change set.`
        : `See ${set.url}`,
    ],
  },
  (ctx, input) => ctx.run(proposeChanges, input),
);

export const discardChangesTool = defineTool(
  {
    name: 'discard_changes',
    title: 'Discard changes',
    description: 'Discard an open or proposed change set.',
    access: 'tasks:write',
    hints: destructiveHints,
    input: z.strictObject({ id: integerId.optional() }),
    output: changeSetOutput,
    lines: (set) => [toChangeSetLine(set)],
  },
  (ctx, input) => ctx.run(discardChanges, input),
);
