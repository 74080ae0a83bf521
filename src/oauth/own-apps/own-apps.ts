import * as z from 'zod';
import { invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { successOutput, successReplay, toTimestamp } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { createSecret } from '../../kernel/secrets/tokens.ts';
import { deleteRecentCodes } from '../consent/codes.queries.ts';
import {
  type AppRow,
  assertAppUnchanged,
  findApp,
  insertApp,
  listApps,
  markAppDeleted,
  updateApp,
} from './own-apps.queries.ts';
import {
  OWN_APPS_MAX,
  ownAppCreateInput,
  ownAppDeleteInput,
  ownAppsOutput,
  ownAppUpdateInput,
  splitLines,
} from './own-apps.schema.ts';
import { revokeDeletedApps } from './revoke-deleted-apps.ts';

const accountAccess = { access: 'account', capability: null } as const;
/** The request revokes access for this many slices of an app's users. The cron job `apps.revoke` does the rest. */
const SLICES_PER_REQUEST = 3;

export const listOwnApps = defineOperation(
  {
    ...accountAccess,
    name: 'listOwnApps',
    summary: 'List the apps you registered, newest first',
    effect: 'read',
    input: z.strictObject({}),
    output: ownAppsOutput,
  },
  async ({ account, directory }) => {
    const [found] = await directory.batch([listApps(account.id, OWN_APPS_MAX)]);
    return {
      apps: found.map((app) => ({
        id: app.id,
        name: app.name,
        redirectUris: formatRedirectUris(app),
        createdAt: toTimestamp(app.created_at),
        people: app.people,
      })),
    };
  },
);

export const createOwnApp = defineOperation(
  {
    ...accountAccess,
    name: 'createOwnApp',
    summary: 'Register an app',
    effect: 'write',
    input: ownAppCreateInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ account, directory, now }, { name, redirectUris }) => {
    const id = `client_${createSecret()}`;
    const app = { id, name, redirectUris: splitLines(redirectUris) };
    const [, made] = await directory.batch([
      insertApp(app, account.id, OWN_APPS_MAX, now),
      findApp(account.id, id),
    ]);
    if (!made) {
      throw invalidRequestError(
        `You can register up to ${OWN_APPS_MAX} apps. Delete an app that you don't use.`,
      );
    }
    return { success: true as const };
  },
);

export const updateOwnApp = defineOperation(
  {
    ...accountAccess,
    name: 'updateOwnApp',
    summary: 'Change the name and redirect URIs of an app you registered',
    description:
      'Authorizations in progress fail if their redirect URI is removed. Issued tokens keep working.',
    effect: 'write',
    input: ownAppUpdateInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ account, directory, snapshot }, { id, name, redirectUris }) => {
    const [app] = await directory.batch([findApp(account.id, id)]);
    if (!app) throw unknownAppError(id);
    const current = { name: app.name, redirectUris: formatRedirectUris(app) };
    requireCurrentSnapshot(snapshot, { name, redirectUris }, current, 'own');
    const wanted = {
      name: name ?? app.name,
      redirect_uris:
        redirectUris === undefined ? app.redirect_uris : JSON.stringify(splitLines(redirectUris)),
    };
    await directory.batch([assertAppUnchanged(app), updateApp(id, wanted)]);
    return { success: true as const };
  },
);

export const deleteOwnApp = defineOperation(
  {
    ...accountAccess,
    name: 'deleteOwnApp',
    summary: 'Delete an app you registered, and revoke its access',
    effect: 'write',
    input: ownAppDeleteInput,
    output: successOutput,
    replay: successReplay,
    audits: ['app.disconnected'],
  },
  async ({ account, directory, request, now }, { id }) => {
    const [app] = await directory.batch([findApp(account.id, id)]);
    if (!app) throw unknownAppError(id);
    // Deletes the codes, so that `requireCodeStillExists` revokes the token of an exchange in progress.
    await directory.batch([markAppDeleted(account.id, id, now), deleteRecentCodes(id, now)]);
    await tryToRevokeDeletedApps(request);
    return { success: true as const };
  },
);

async function tryToRevokeDeletedApps(scope: RequestScope): Promise<void> {
  try {
    await revokeDeletedApps.run(scope, { left: SLICES_PER_REQUEST * revokeDeletedApps.cost });
  } catch (error) {
    log('error', 'app.unrevoked', { cause: describeError(error) });
  }
}

function formatRedirectUris({ redirect_uris }: AppRow): string {
  return (JSON.parse(redirect_uris) as string[]).join('\n');
}

const unknownAppError = (id: string) => notFoundError('app', id, ({ call }) => call('listOwnApps'));
