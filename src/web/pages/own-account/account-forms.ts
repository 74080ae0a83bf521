import { signOutBrowserById, signOutOtherBrowsers } from '../../../accounts/own/browsers.ts';
import { changeName, changePassword, requestEmailChange } from '../../../accounts/own/change-profile.ts';
import { createWorkspace } from '../../../accounts/own/create-workspace.ts';
import { deleteAccount } from '../../../accounts/own/delete-account.ts';
import { removePicture } from '../../../accounts/own/picture.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';
import { createOwnApp, deleteOwnApp, updateOwnApp } from '../../../oauth/own-apps/own-apps.ts';

export interface AccountForm {
  readonly path: string;
  readonly operation: AnyOperation;
  readonly redirectTo: (output: never) => string;
  readonly removal?: 'asked';
  /** Defaults to the account page. */
  readonly page?: typeof OWN_APPS_PATH;
}

export const ACCOUNT_PATH = '/account';
export const ACCOUNT_DATA_PATH = '/account/data.json';
export const OWN_APPS_PATH = '/account/apps';
const redirectToAccountWithMessage = (done: keyof typeof successMessages) => () =>
  `${ACCOUNT_PATH}?done=${done}`;

export const successMessages = {
  name: 'Name updated in all your workspaces',
  picture: 'Picture updated',
  mail: 'We sent a link to your new address. Open it to confirm the change.',
  password: 'Password changed. All other browsers are signed out.',
  browser: 'Browser signed out',
  browsers: 'All other browsers signed out',
} as const;

export const ownAppMessages = {
  registered: 'App registered',
  saved: 'App saved',
  deleted: 'App deleted. Its access has been revoked for everyone.',
} as const;
const redirectToAppsWithMessage = (done: keyof typeof ownAppMessages) => () =>
  `${OWN_APPS_PATH}?done=${done}`;

/** The picture has its own form in own-account.tsx, because it uploads a file. */
export const accountForms: readonly AccountForm[] = [
  { path: `${ACCOUNT_PATH}/name`, operation: changeName, redirectTo: redirectToAccountWithMessage('name') },
  {
    path: `${ACCOUNT_PATH}/picture/remove`,
    operation: removePicture,
    redirectTo: redirectToAccountWithMessage('picture'),
    removal: 'asked',
  },
  {
    path: `${ACCOUNT_PATH}/email`,
    operation: requestEmailChange,
    redirectTo: redirectToAccountWithMessage('mail'),
  },
  {
    path: `${ACCOUNT_PATH}/password`,
    operation: changePassword,
    redirectTo: redirectToAccountWithMessage('password'),
  },
  {
    path: `${ACCOUNT_PATH}/browsers/sign-out`,
    operation: signOutBrowserById,
    redirectTo: redirectToAccountWithMessage('browser'),
    removal: 'asked',
  },
  {
    path: `${ACCOUNT_PATH}/browsers/sign-out-others`,
    operation: signOutOtherBrowsers,
    redirectTo: redirectToAccountWithMessage('browsers'),
    removal: 'asked',
  },
  {
    path: `${ACCOUNT_PATH}/workspaces`,
    operation: createWorkspace,
    redirectTo: ({ workspaceId }: { workspaceId: string }) => `/app/${workspaceId}`,
  },
  {
    path: OWN_APPS_PATH,
    operation: createOwnApp,
    redirectTo: redirectToAppsWithMessage('registered'),
    page: OWN_APPS_PATH,
  },
  {
    path: `${OWN_APPS_PATH}/update`,
    operation: updateOwnApp,
    redirectTo: redirectToAppsWithMessage('saved'),
    page: OWN_APPS_PATH,
  },
  {
    path: `${OWN_APPS_PATH}/delete`,
    operation: deleteOwnApp,
    redirectTo: redirectToAppsWithMessage('deleted'),
    page: OWN_APPS_PATH,
    removal: 'asked',
  },
  { path: `${ACCOUNT_PATH}/remove`, operation: deleteAccount, redirectTo: () => '/', removal: 'asked' },
];
