import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listBrowsers, signOutBrowserById, signOutOtherBrowsers } from './browsers.ts';
import {
  changeName,
  changePassword,
  confirmEmail,
  getProfile,
  requestEmailChange,
} from './change-profile.ts';
import { createWorkspace } from './create-workspace.ts';
import { deleteAccount } from './delete-account.ts';
import { checkPasswordReset, requestPasswordReset, resetPassword } from './password-reset.ts';
import { removePicture, setPicture } from './picture.ts';

export const ownAccountWebOperations: readonly AnyOperation[] = [
  requestPasswordReset,
  checkPasswordReset,
  resetPassword,
  getProfile,
  changeName,
  changePassword,
  requestEmailChange,
  confirmEmail,
  setPicture,
  removePicture,
  listBrowsers,
  signOutBrowserById,
  signOutOtherBrowsers,
  createWorkspace,
  deleteAccount,
];
