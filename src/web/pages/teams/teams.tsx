import * as z from 'zod';
import { listTeams } from '../../../workspaces/reference/teams.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { createTeam, deleteTeam, updateTeam } from '../../../workspaces/teams/change-teams.ts';
import { removeTeamMember, setTeamMember } from '../../../workspaces/teams/team-people.ts';
import { form, page } from '../../page-model/page.ts';
import { TeamsView } from './teams.view.tsx';

const SHOWN = 100;

export const teamsParams = z.object({});
export const teamsReads = { teams: listTeams, people: listUsers };

export const teamsPage = page({
  name: 'teams',
  path: '/teams',
  title: () => 'Teams',
  params: teamsParams,
  reads: teamsReads,
  inputs: () => ({ teams: { limit: SHOWN }, people: { limit: SHOWN } }),
  view: TeamsView,
});

export const newTeam = form({ name: 'newTeam', path: '/teams', operation: createTeam });
export const changeTeam = form({ name: 'changeTeam', path: '/teams/:id', operation: updateTeam });
export const removeTeam = form({
  name: 'removeTeam',
  path: '/teams/:id/remove',
  operation: deleteTeam,
  removal: 'asked',
  flash: () => ({ text: 'Team deleted' }),
});
export const putIntoTeam = form({ name: 'putIntoTeam', path: '/teams/:id/people', operation: setTeamMember });
export const takeFromTeam = form({
  name: 'takeFromTeam',
  path: '/teams/:id/people/:userId/remove',
  operation: removeTeamMember,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id, userId }, fields }) => ({
    text: 'Removed from team',
    undo: { path: `/teams/${id}/people`, fields: { userId, role: fields.get('role') ?? 'member' } },
  }),
});
