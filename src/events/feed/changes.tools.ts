import * as z from 'zod';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import {
  defineTool,
  personReference,
  projectReference,
  readOnlyHints,
  resolveCallReferences,
} from '../../kernel/tools/tool.ts';
import { partialResultNote } from '../../kernel/tools/tool-page.ts';
import { toolTimeInput, toToolTimestamp } from '../../kernel/tools/tool-time.ts';
import { type Change, listChanges } from './changes.ts';
import { eventKinds } from './events.schema.ts';
import { groupIntoStories } from './stories.ts';

/** The maximum size of the stories as JSON. The result also contains them as text. */
const STORIES_BYTES_MAX = 9_000;

const story = z.strictObject({
  task: z.strictObject({ id: z.int(), name: z.string() }).optional(),
  project: z.string().optional(),
  last: z.string(),
  people: z.array(z.strictObject({ by: z.string().nullable(), did: z.array(z.string()) })),
});

export const listChangesTool = defineTool(
  {
    name: 'list_changes',
    title: 'See what changed',
    description: 'List changes from the last 30 days by task, newest first.',
    access: 'events:read',
    hints: readOnlyHints,
    input: z.strictObject({
      since: toolTimeInput,
      project: projectReference.optional(),
      person: personReference.optional(),
      kinds: z
        .array(z.enum(eventKinds as [string, ...string[]]))
        .min(1)
        .optional(),
      cursor: z.string().max(1_000).optional(),
    }),
    output: z.strictObject({
      data: z.array(story),
      nextCursor: z.string().nullable(),
      keptSince: z.string().optional(),
      scannedSince: z.string().optional(),
      note: partialResultNote,
    }),
    fields: { projectId: 'project', actorId: 'person' },
    lines: ({ data, nextCursor, keptSince, scannedSince }) => [
      ...data.flatMap(toStoryLines),
      ...(keptSince ? [`Changes before ${keptSince} are no longer available.`] : []),
      nextCursor === null
        ? data.length > 0
          ? 'No other changes since then.'
          : 'No changes since then.'
        : scannedSince
          ? `No matches since ${scannedSince}. To search older changes, call again with cursor=${nextCursor}`
          : `There are older changes: call again with cursor=${nextCursor}`,
    ],
  },
  async (ctx, { since: day, project, person, kinds, cursor }) => {
    const { projectId, userIds } = await resolveCallReferences(ctx, {
      project,
      people: person ? [person] : [],
    });
    const since = toToolTimestamp(day, ctx.caller.timezone);
    const found = await ctx.list(listChanges, { since, kinds, projectId, actorId: userIds[0], cursor });
    const { data, nextCursor, keptSince, scannedSince } = found;
    const fitting = countFittingChanges(data);
    return {
      data: groupIntoStories(data.slice(0, fitting)),
      nextCursor: fitting < data.length ? String(data[fitting - 1]?.seq) : nextCursor,
      ...(keptSince !== null && keptSince > since && { keptSince }),
      ...(data.length === 0 && nextCursor !== null && { scannedSince }),
    };
  },
);

function countFittingChanges(changes: readonly Change[]): number {
  const measureBytes = (count: number) =>
    new TextEncoder().encode(JSON.stringify(groupIntoStories(changes.slice(0, count)))).length;
  let low = Math.min(1, changes.length);
  let high = changes.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measureBytes(middle) <= STORIES_BYTES_MAX) low = middle;
    else high = middle - 1;
  }
  return low;
}

function toStoryLines({ task, project, last, people }: z.output<typeof story>): string[] {
  return [
    buildToolLine(
      task ? `#${task.id} ${task.name}` : project ? 'Project' : 'Workspace',
      project,
      `last ${last}`,
    ),
    ...people.map(({ by, did }) => buildToolLine(`- ${by ?? 'Edgework'}`, ...did)),
  ];
}
