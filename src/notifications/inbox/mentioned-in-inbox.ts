import * as z from 'zod';
import { pageInput } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { mentionedPeople, readMentionedPeople } from '../../tasks/mentions/mentioned-people.ts';
import { listCallerCells, queryCallerCells } from './caller-cells.ts';
import { listMentioningComments } from './notifications.queries.ts';
import { notificationKinds } from './notifications.schema.ts';

/** The inbox page runs this together with `listInbox`, for the same notifications. */
export const listMentionedInInbox = defineOperation(
  {
    name: 'listMentionedInInbox',
    summary: "List the people mentioned in your notifications' comments",
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({
      limit: pageInput.limit,
      offset: pageInput.offset,
      unreadOnly: z.boolean(),
      kinds: notificationKinds,
    }),
    output: z.object({ people: mentionedPeople }),
  },
  async (ctx, { limit, offset, ...filter }) => {
    const { caller } = ctx;
    const isSplit = listCallerCells(caller).length > 1;
    const part = isSplit ? { limit: offset + limit, offset: 0 } : { limit, offset };
    const range = { ...part, after: null, skipped: part.offset };
    const people = await queryCallerCells(ctx, async (db) => {
      const [rows] = await db.batch([listMentioningComments(caller.userId, range, filter)]);
      return readMentionedPeople(db, caller, rows);
    });
    return { people: people.flat() };
  },
);
