import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { acceptInvitation, registerByInvitation, showInvitation } from './accept.ts';
import { invitePeople, listInvitations, resendInvitation, withdrawInvitation } from './invite.ts';

export const invitationWebOperations: readonly AnyOperation[] = [
  listInvitations,
  invitePeople,
  resendInvitation,
  withdrawInvitation,
  showInvitation,
  acceptInvitation,
  registerByInvitation,
];
