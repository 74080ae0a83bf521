import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { listPersonCells } from '../../workspaces/directory/directory.queries.ts';
import { deleteSessionCopies } from '../browser-sessions/end-sessions.ts';
import { toEmailKey } from '../sign-up/accounts.queries.ts';
import { listSolelyOwnedWorkspaces } from './copy-people.queries.ts';
import { tryToCopyPerson } from './copy-people.ts';
import { deleteAccountRows } from './delete-account.queries.ts';
import { findOwnAccount } from './own-account.queries.ts';
import { accountDeleteInput } from './own-account.schema.ts';
import { requireCorrectPassword } from './require-password.ts';

export const deleteAccount = defineOperation(
  {
    name: 'deleteAccount',
    summary: 'Delete your account',
    description:
      'Removes your name and email address everywhere. Your tasks and comments are kept and attributed to a former member. If you are the only owner of a workspace, transfer or delete it first.',
    access: 'account',
    capability: null,
    effect: 'write',
    input: accountDeleteInput,
    output: successOutput,
    replay: successReplay,
    audits: ['member.left', 'session.ended'],
  },
  async (ctx, { email, password }) => {
    const { account, directory, now, request } = ctx;
    // Uses one batch, because each batch also checks the session, and a request can send only a limited number of
    // statements.
    const [found, cells] = await directory.batch([findOwnAccount(account.id), listPersonCells(account.id)]);
    const own = await requireCorrectPassword(ctx, found, password);
    if (toEmailKey(email) !== toEmailKey(own.email)) {
      throw invalidRequestError(
        ({ field }) => `${field('email')} must be the email address of this account.`,
      );
    }
    const owned = await Promise.all(
      cells.map(({ cell }) => request.cell(cell).batch([listSolelyOwnedWorkspaces(own.id)])),
    );
    const names = owned.flatMap(([workspaces]) => workspaces.map(({ name }) => name));
    if (names.length > 0) {
      throw invalidRequestError(
        `You are the only owner of ${names.join(', ')}. Transfer or delete ${names.length === 1 ? 'it' : 'them'} before you delete your account.`,
      );
    }
    await directory.batch(deleteAccountRows(own, now));
    await deleteSessionCopies(request, own.id);
    await tryToCopyPerson(request, own.id);
    return { success: true as const };
  },
);
