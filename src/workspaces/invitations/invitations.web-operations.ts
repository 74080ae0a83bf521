import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { acceptInvitation, registerByInvitation, showInvitation } from './accept.ts';
import { invitePerson, listInvitations, resendInvitation, withdrawInvitation } from './invite.ts';

export const invitationWebOperations: readonly AnyOperation[] = [
  listInvitations,
  invitePerson,
  resendInvitation,
  withdrawInvitation,
  showInvitation,
  acceptInvitation,
  registerByInvitation,
];
