import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { repeatSuccess, successOutput } from '../../kernel/operation/schema.ts';
import { listPersonCells } from '../../workspaces/directory/directory.queries.ts';
import { forgetEndedSessions } from '../browser-sessions/end-sessions.ts';
import { toEmailKey } from '../sign-up/accounts.queries.ts';
import { deleteAccountRows } from './delete-account.queries.ts';
import { accountDeleteInput } from './own-account.schema.ts';
import { requirePassword } from './require-password.ts';
import { listSolelyOwnedWorkspaces } from './settle-people.queries.ts';
import { settlePersonSoon } from './settle-people.ts';

export const deleteAccount = operation(
  {
    name: 'deleteAccount',
    summary: 'Delete your account',
    description:
      'Removes your name and email address everywhere. Your tasks and comments stay, attributed to a former member. If you are the only owner of a workspace, transfer or delete it first.',
    access: 'account',
    capability: null,
    effect: 'write',
    input: accountDeleteInput,
    output: successOutput,
    repeat: repeatSuccess,
  },
  async (ctx, { email, password }) => {
    const own = await requirePassword(ctx, password);
    if (toEmailKey(email) !== toEmailKey(own.email)) {
      throw invalidRequestError(
        ({ field }) => `${field('email')} must be the email address of this account.`,
      );
    }
    const { directory, now, request } = ctx;
    const [cells] = await directory.batch([listPersonCells(own.id)]);
    const owned = await Promise.all(
      cells.map(({ cell }) => request.cell(cell).batch([listSolelyOwnedWorkspaces(own.id)])),
    );
    const names = owned.flatMap(([found]) => found.map(({ name }) => name));
    if (names.length > 0) {
      throw invalidRequestError(
        `You are the only owner of ${names.join(', ')}. Transfer or delete it before you delete your account.`,
      );
    }
    await directory.batch(deleteAccountRows(own, now));
    await forgetEndedSessions(request, own.id);
    await settlePersonSoon(request, own.id);
    return { success: true as const };
  },
);
