import { notFoundError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay, toTimestamp } from '../../kernel/operation/schema.ts';
import { deleteSessionCopies } from '../browser-sessions/end-sessions.ts';
import {
  deleteBrowserSessionById,
  deleteBrowserSessions,
  listBrowserSessions,
} from './own-account.queries.ts';
import { browserIdInput, browserListOutput, noInput } from './own-account.schema.ts';

const accountAccess = { access: 'account', capability: null } as const;

export const listBrowsers = defineOperation(
  {
    ...accountAccess,
    name: 'listBrowsers',
    summary: 'List the browsers in which you are signed in, newest first',
    effect: 'read',
    input: noInput,
    output: browserListOutput,
  },
  async ({ account: { id }, directory, now, sessionHash }) => {
    const [found] = await directory.batch([listBrowserSessions(id, now)]);
    return {
      browsers: found.map((each) => ({
        id: each.id,
        userAgent: each.user_agent,
        signedInAt: toTimestamp(each.created_at),
        isThisOne: each.id_hash === sessionHash,
      })),
    };
  },
);

export const signOutBrowserById = defineOperation(
  {
    ...accountAccess,
    name: 'signOutBrowserById',
    summary: 'Sign out a browser',
    effect: 'write',
    input: browserIdInput,
    output: successOutput,
    replay: successReplay,
    audits: ['session.ended'],
  },
  async ({ account: own, directory, request }, { id }) => {
    const [ended] = await directory.batch([deleteBrowserSessionById(own.id, id)]);
    if (!ended) throw notFoundError('browser', id, ({ call }) => call('listBrowsers'));
    await deleteSessionCopies(request, own.id);
    return { success: true as const };
  },
);

export const signOutOtherBrowsers = defineOperation(
  {
    ...accountAccess,
    name: 'signOutOtherBrowsers',
    summary: 'Sign out all other browsers',
    effect: 'write',
    input: noInput,
    output: successOutput,
    replay: successReplay,
    audits: ['session.ended'],
  },
  async ({ account: { id }, directory, request, sessionHash }) => {
    await directory.batch([deleteBrowserSessions(id, sessionHash)]);
    await deleteSessionCopies(request, id);
    return { success: true as const };
  },
);
