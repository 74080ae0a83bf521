import * as z from 'zod';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import {
  invitePeople,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '../../../workspaces/invitations/invite.ts';
import { changeRole, handOverWorkspace } from '../../../workspaces/people/change-role.ts';
import { leaveWorkspace, removePerson } from '../../../workspaces/people/remove-person.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { PeopleView } from './people.view.tsx';

const PEOPLE_SHOWN_MAX = 100;

export const peopleParams = z.object({
  offset: z.int().min(0).default(0),
  /** The person whose menu is open. Only one menu is rendered, because each menu contains the list of people. */
  about: z.string().max(100).optional(),
});
export const peopleReads = { people: listUsers, projects: listProjectChoices };
export const peopleOptionalReads = { invitations: listInvitations };

export const peoplePage = definePage({
  name: 'people',
  path: '/people',
  title: () => 'People',
  params: peopleParams,
  reads: peopleReads,
  optionalReads: peopleOptionalReads,
  inputs: ({ offset }) => ({
    people: { limit: PEOPLE_SHOWN_MAX, offset },
    projects: {},
    invitations: {},
  }),
  view: PeopleView,
  script: 'saves',
});

export const inviteForm = defineForm({
  name: 'invite',
  path: '/people/invitations',
  operation: invitePeople,
  multiline: ['email'],
  flash: ({ input: { email } }) => ({
    text: email.length === 1 ? `Invitation sent to ${email[0]}` : `${email.length} invitations sent`,
  }),
});
export const resendInvitationForm = defineForm({
  name: 'inviteAgain',
  path: '/people/invitations/:id/resend',
  operation: resendInvitation,
  flash: () => ({ text: 'Invitation sent again' }),
});
export const withdrawInvitationForm = defineForm({
  name: 'withdrawInvitation',
  path: '/people/invitations/:id/withdraw',
  operation: withdrawInvitation,
  removal: 'asked',
  flash: () => ({ text: 'Invitation withdrawn' }),
});
export const changeRoleForm = defineForm({
  name: 'giveRole',
  path: '/people/:userId/role',
  operation: changeRole,
  flash: () => ({ text: 'Role changed' }),
});
export const removePersonForm = defineForm({
  name: 'takeOut',
  path: '/people/:userId/remove',
  operation: removePerson,
  removal: 'asked',
  flash: () => ({ text: 'Removed from workspace' }),
});
export const transferOwnershipForm = defineForm({
  name: 'giveWorkspace',
  path: '/people/:userId/owner',
  operation: handOverWorkspace,
  removal: 'asked',
  flash: () => ({ text: 'Ownership transferred' }),
});
export const leaveWorkspaceForm = defineForm({
  name: 'leaveWorkspace',
  path: '/leave',
  operation: leaveWorkspace,
  removal: 'asked',
  redirectTo: () => '/app',
});
