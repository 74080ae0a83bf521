import * as z from 'zod';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import {
  invitePerson,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../workspaces/invitations/invite.ts';
import { changeRole, handOverWorkspace } from '../../../workspaces/people/change-role.ts';
import { leaveWorkspace, removePerson } from '../../../workspaces/people/remove-person.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { form, page } from '../../page-model/page.ts';
import { PeopleView } from './people.view.tsx';

const SHOWN = 100;

export const peopleParams = z.object({
  offset: z.int().min(0).default(0),
  /** The person whose menu is open. Only one is rendered, because each menu lists all names. */
  about: z.string().max(100).optional(),
});
export const peopleReads = { people: listUsers, projects: listProjectChoices };
export const peopleOptionalReads = { invitations: listInvitations };

export const peoplePage = page({
  name: 'people',
  path: '/people',
  title: () => 'People',
  params: peopleParams,
  reads: peopleReads,
  optionalReads: peopleOptionalReads,
  inputs: ({ offset }) => ({
    people: { limit: SHOWN, offset },
    projects: {},
    invitations: {},
  }),
  view: PeopleView,
  script: 'saves',
});

export const invite = form({
  name: 'invite',
  path: '/people/invitations',
  operation: invitePerson,
  flash: ({ input }) => ({ text: `Invitation sent to ${input.email}` }),
});
export const resendInvite = form({
  name: 'inviteAgain',
  path: '/people/invitations/:id/resend',
  operation: resendInvitation,
  flash: () => ({ text: 'Invitation sent again' }),
});
export const withdraw = form({
  name: 'withdrawInvitation',
  path: '/people/invitations/:id/withdraw',
  operation: withdrawInvitation,
  removal: 'asked',
  flash: () => ({ text: 'Invitation withdrawn' }),
});
export const changeRoleForm = form({
  name: 'giveRole',
  path: '/people/:userId/role',
  operation: changeRole,
  flash: () => ({ text: 'Role changed' }),
});
export const removePersonForm = form({
  name: 'takeOut',
  path: '/people/:userId/remove',
  operation: removePerson,
  removal: 'asked',
  flash: () => ({ text: 'Removed from workspace' }),
});
export const transferOwnership = form({
  name: 'giveWorkspace',
  path: '/people/:userId/owner',
  operation: handOverWorkspace,
  removal: 'asked',
  flash: () => ({ text: 'Ownership transferred' }),
});
export const leave = form({
  name: 'leaveWorkspace',
  path: '/leave',
  operation: leaveWorkspace,
  removal: 'asked',
  redirectTo: () => '/app',
});
