import { notFoundError } from '../../kernel/errors/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { repeatSuccess, successOutput, toTimestamp } from '../../kernel/operation/schema.ts';
import { forgetEndedSessions } from '../browser-sessions/end-sessions.ts';
import { deleteBrowserById, deleteBrowserSessions, listBrowserSessions } from './own-account.queries.ts';
import { browserIdInput, browserList, noInput } from './own-account.schema.ts';

const accountAccess = { access: 'account', capability: null } as const;

export const listBrowsers = operation(
  {
    ...accountAccess,
    name: 'listBrowsers',
    summary: 'List the browsers you are signed in on, newest first',
    effect: 'read',
    input: noInput,
    output: browserList,
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

export const signOutBrowserById = operation(
  {
    ...accountAccess,
    name: 'signOutBrowserById',
    summary: 'Sign out a browser',
    effect: 'write',
    input: browserIdInput,
    output: successOutput,
    repeat: repeatSuccess,
  },
  async ({ account: own, directory, request }, { id }) => {
    const [ended] = await directory.batch([deleteBrowserById(own.id, id)]);
    if (!ended) throw notFoundError('browser', id, ({ call }) => call('listBrowsers'));
    await forgetEndedSessions(request, own.id);
    return { success: true as const };
  },
);

export const signOutOtherBrowsers = operation(
  {
    ...accountAccess,
    name: 'signOutOtherBrowsers',
    summary: 'Sign out all other browsers',
    effect: 'write',
    input: noInput,
    output: successOutput,
    repeat: repeatSuccess,
  },
  async ({ account: { id }, directory, request, sessionHash }) => {
    await directory.batch([deleteBrowserSessions(id, sessionHash)]);
    await forgetEndedSessions(request, id);
    return { success: true as const };
  },
);
