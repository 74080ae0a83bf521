import * as z from 'zod';
import { notFoundError } from '../../kernel/errors/errors.ts';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { exampleUserId } from '../../kernel/operation/examples.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { pickMatches, SEARCH_CHARACTERS_MAX } from '../../search/index/pick-matches.ts';
import { toInitials } from './initials.ts';
import * as queries from './reference.queries.ts';
import { user } from './reference.schema.ts';

export const listUsers = defineOperation(
  {
    name: 'listUsers',
    summary: "List the workspace's people by name",
    description: 'Lists current members only. Use their ids for `assigneeId` and `participantIds`.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({
      ...pageInput,
      search: z.string().min(1).max(SEARCH_CHARACTERS_MAX).optional().meta({
        description: 'Only people whose name or email address contains this text, ignoring case.',
        example: 'mara',
      }),
    }),
    output: buildPageSchema(user).meta({ id: 'UserPage' }),
  },
  async ({ db, caller }, { search, ...input }) => {
    const range = toRange(input, 2);
    const order = { range, key: (row: queries.UserRow) => [row.name, row.id], show: toUser };
    if (search !== undefined) {
      const [all] = await db.batch([queries.listAllUsers(caller, range)]);
      return buildPage({ ...order, ...pickMatches(all, search, range, ({ name, email }) => [name, email]) });
    }
    const [rows, total] = await db.batch([queries.listUsers(caller, range), queries.countUsers(caller)]);
    return buildPage({ ...order, total, rows });
  },
);

export const getUser = defineOperation(
  {
    name: 'getUser',
    summary: 'Get a person in the workspace',
    description: 'Finds the same people as `GET /users`.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({ id: z.string().meta({ example: exampleUserId }) }),
    output: user,
  },
  async ({ db, caller }, { id }) => {
    const [found] = await db.batch([queries.getUser(caller, id)]);
    if (!found) throw notFoundError('user', id, ({ call }) => call('listUsers'));
    return toUser(found);
  },
);

function toUser(row: queries.UserRow) {
  return { ...row, initials: toInitials(row.name) };
}
