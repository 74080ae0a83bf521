import { signOutBrowserById, signOutOtherBrowsers } from '../../../accounts/own/browsers.ts';
import { changeName, changePassword, requestEmailChange } from '../../../accounts/own/change-profile.ts';
import { createWorkspace } from '../../../accounts/own/create-workspace.ts';
import { deleteAccount } from '../../../accounts/own/delete-account.ts';
import { removePicture } from '../../../accounts/own/picture.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';

export interface AccountForm {
  readonly path: string;
  readonly operation: AnyOperation;
  readonly redirectTo: (output: never) => string;
  /** The page asks for confirmation, because the form can't be undone. */
  readonly removal?: 'asked';
}

export const ACCOUNT = '/account';
const backWith = (done: keyof typeof doneMessages) => () => `${ACCOUNT}?done=${done}`;

export const doneMessages = {
  name: 'Name updated in all your workspaces.',
  picture: 'Picture updated.',
  mail: 'We sent a link to your new address. Open it to confirm the change.',
  password: 'Password changed. All other browsers are signed out.',
  browsers: 'Signed out.',
} as const;

/** The picture has its own form in own-account.tsx, because it uploads a file. */
export const accountForms: readonly AccountForm[] = [
  { path: `${ACCOUNT}/name`, operation: changeName, redirectTo: backWith('name') },
  {
    path: `${ACCOUNT}/picture/remove`,
    operation: removePicture,
    redirectTo: backWith('picture'),
    removal: 'asked',
  },
  { path: `${ACCOUNT}/email`, operation: requestEmailChange, redirectTo: backWith('mail') },
  { path: `${ACCOUNT}/password`, operation: changePassword, redirectTo: backWith('password') },
  {
    path: `${ACCOUNT}/browsers/sign-out`,
    operation: signOutBrowserById,
    redirectTo: backWith('browsers'),
    removal: 'asked',
  },
  {
    path: `${ACCOUNT}/browsers/sign-out-others`,
    operation: signOutOtherBrowsers,
    redirectTo: backWith('browsers'),
    removal: 'asked',
  },
  {
    path: `${ACCOUNT}/workspaces`,
    operation: createWorkspace,
    redirectTo: ({ workspaceId }: { workspaceId: string }) => `/app/${workspaceId}`,
  },
  { path: `${ACCOUNT}/remove`, operation: deleteAccount, redirectTo: () => '/', removal: 'asked' },
];
