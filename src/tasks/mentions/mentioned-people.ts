import * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import { toFirstRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { splitIntoBatches } from '../comment-contents/long-contents.ts';
import { DETAIL_COMMENTS_MAX } from '../model/tasks.schema.ts';
import { personId, personName } from '../summaries/summaries.schema.ts';
import {
  listAssigneesInHistory,
  listMentionedInComments,
  listMentionedOnTask,
  type MentioningRow,
} from './mentioned-people.queries.ts';

export const mentionedPeople = z.array(z.object({ id: personId, name: personName }));
type MentionedPeople = z.output<typeof mentionedPeople>;

const rowsInput = z.int().min(1).max(100);

export const listPeopleNamedOnTask = defineOperation(
  {
    name: 'listPeopleNamedOnTask',
    summary: "List current and former members mentioned in a task's comments or named in its history",
    description: 'Without `offset`, reads the last comments.',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({
      id: integerId,
      offset: z.int().min(0).optional(),
      comments: rowsInput.default(DETAIL_COMMENTS_MAX),
      history: rowsInput,
    }),
    output: z.object({ people: mentionedPeople }),
  },
  async ({ db, caller }, { id, offset, comments: limit, history }) => {
    const shown = { limit, offset: offset ?? 0, isNewestFirst: offset === undefined };
    const [rows, assignees] = await db.batch([
      listMentionedOnTask(caller, id, shown),
      listAssigneesInHistory(caller, id, toFirstRange(history)),
    ]);
    return { people: [...assignees, ...(await readMentionedPeople(db, caller, rows))] };
  },
);

/** Sends an extra batch only if there are long comments. */
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

function parseMentioned(mentioned: string | null): MentionedPeople {
  return JSON.parse(mentioned ?? '[]') as MentionedPeople;
}
