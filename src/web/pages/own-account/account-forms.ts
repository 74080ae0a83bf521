import { signOutBrowserById, signOutOtherBrowsers } from '../../../accounts/own/browsers.ts';
import { changeName, changePassword, requestEmailChange } from '../../../accounts/own/change-profile.ts';
import { deleteAccount } from '../../../accounts/own/delete-account.ts';
import { removePicture } from '../../../accounts/own/picture.ts';
import { createWorkspace } from '../../../accounts/own/second-workspace.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';

export interface AccountForm {
  readonly path: string;
  readonly operation: AnyOperation;
  /** Where to go afterwards. */
  readonly redirectTo: (output: never) => string;
  /** It removes something that no undo brings back, so the page asks first. */
  readonly removal?: 'asked';
}

export const ACCOUNT = '/account';
const back = (done: keyof typeof doneWords) => () => `${ACCOUNT}?done=${done}`;

/** What the page says after a form was carried out. */
export const doneWords = {
  name: 'Your name is changed, in every workspace.',
  picture: 'Your picture is changed.',
  mail: 'A link is on its way to the new address. It becomes yours once you open it and press the button.',
  password: 'Your password is changed, and every other browser is signed out.',
  browsers: 'Signed out.',
} as const;

/** Every form on one's account. The one of the picture sends a file, and stands in picture-form.ts. */
export const accountForms: readonly AccountForm[] = [
  { path: `${ACCOUNT}/name`, operation: changeName, redirectTo: back('name') },
  {
    path: `${ACCOUNT}/picture/remove`,
    operation: removePicture,
    redirectTo: back('picture'),
    removal: 'asked',
  },
  { path: `${ACCOUNT}/email`, operation: requestEmailChange, redirectTo: back('mail') },
  { path: `${ACCOUNT}/password`, operation: changePassword, redirectTo: back('password') },
  {
    path: `${ACCOUNT}/browsers/sign-out`,
    operation: signOutBrowserById,
    redirectTo: back('browsers'),
    removal: 'asked',
  },
  {
    path: `${ACCOUNT}/browsers/sign-out-others`,
    operation: signOutOtherBrowsers,
    redirectTo: back('browsers'),
    removal: 'asked',
  },
  {
    path: `${ACCOUNT}/workspaces`,
    operation: createWorkspace,
    redirectTo: ({ workspaceId }: { workspaceId: string }) => `/app/${workspaceId}`,
  },
  { path: `${ACCOUNT}/remove`, operation: deleteAccount, redirectTo: () => '/', removal: 'asked' },
];
