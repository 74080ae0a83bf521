import * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';
import { splitIntoBatches } from '../comment-contents/long-contents.ts';
import { personId, personName } from '../summaries/summaries.schema.ts';
import { listPeopleMentionedInComments, type RowWithMentions } from './mentioned-people.queries.ts';

export const mentionedPeople = z.array(z.object({ id: personId, name: personName }));
type MentionedPeople = z.output<typeof mentionedPeople>;

export async function readMentionedPeople(
  db: BatchDatabase,
  caller: Caller,
  page: readonly RowWithMentions[],
): Promise<MentionedPeople> {
  const people = page.flatMap(({ mentioned }) => parseMentionedPeople(mentioned));
  for (const ids of splitIntoBatches(page.filter(({ mentioned }) => mentioned === null))) {
    const [found] = await db.batch([listPeopleMentionedInComments(caller, ids)]);
    people.push(...found.flatMap(({ mentioned }) => parseMentionedPeople(mentioned)));
  }
  return people;
}

export function parseMentionedPeople(mentioned: string | null): MentionedPeople {
  return JSON.parse(mentioned ?? '[]') as MentionedPeople;
}
