import * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { splitIntoBatches } from '../comment-contents/long-contents.ts';
import { personId, personName } from '../summaries/summaries.schema.ts';
import { listMentionedInComments, type MentioningRow } from './mentioned-people.queries.ts';

export const mentionedPeople = z.array(z.object({ id: personId, name: personName }));
type MentionedPeople = z.output<typeof mentionedPeople>;

export async function readMentionedPeople(
  db: Pick<Database, 'batch'>,
  caller: Caller,
  page: readonly MentioningRow[],
): Promise<MentionedPeople> {
  const people = page.flatMap(({ mentioned }) => parseMentioned(mentioned));
  for (const ids of splitIntoBatches(page.filter(({ mentioned }) => mentioned === null))) {
    const [found] = await db.batch([listMentionedInComments(caller, ids)]);
    people.push(...found.flatMap(({ mentioned }) => parseMentioned(mentioned)));
  }
  return people;
}

export function parseMentioned(mentioned: string | null): MentionedPeople {
  return JSON.parse(mentioned ?? '[]') as MentionedPeople;
}
