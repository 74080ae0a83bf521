import * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';
import { splitIntoBatches } from '../comment-contents/long-contents.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { personId, personName } from '../summaries/summaries.schema.ts';
import {
  findDescriptionReferences,
  listCommentReferences,
  type RowWithReferences,
} from './references.queries.ts';

/** The mentioned people, linked tasks and attached images in a text that the caller can see. */
export const textReferences = z.object({
  people: z.array(z.object({ id: personId, name: personName })),
  tasks: z.array(z.object({ id: integerId, name: z.string() })),
  images: z.array(integerId),
});
type TextReferences = z.output<typeof textReferences>;

export async function readCommentReferences(
  db: BatchDatabase,
  caller: Caller,
  page: readonly RowWithReferences[],
): Promise<TextReferences> {
  const found = page.map(({ refs }) => refs);
  for (const ids of splitIntoBatches(page.filter(({ refs }) => refs === null))) {
    const [rows] = await db.batch([listCommentReferences(caller, ids)]);
    found.push(...rows.map(({ refs }) => refs));
  }
  return mergeReferences(found.map(parseReferences));
}

export function mergeReferences(all: readonly TextReferences[]): TextReferences {
  return {
    people: all.flatMap(({ people }) => people),
    tasks: all.flatMap(({ tasks }) => tasks),
    images: all.flatMap(({ images }) => images),
  };
}

function parseReferences(refs: string | null): TextReferences {
  return refs === null ? { people: [], tasks: [], images: [] } : (JSON.parse(refs) as TextReferences);
}

export const getDescriptionReferences = defineOperation(
  {
    name: 'getDescriptionReferences',
    summary: "Get the tasks and images that a task's description refers to",
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: textReferences,
  },
  async ({ db, caller }, { id }) => {
    const [found] = await db.batch([findDescriptionReferences(caller, id)]);
    if (!found) throw taskNotFoundError(id);
    return parseReferences(found.refs);
  },
);
