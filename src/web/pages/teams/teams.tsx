import * as z from 'zod';
import { listTeams } from '../../../workspaces/reference/teams.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { createTeam, deleteTeam, updateTeam } from '../../../workspaces/teams/change-teams.ts';
import { removeTeamMember, setTeamMember } from '../../../workspaces/teams/team-people.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { TeamsView } from './teams.view.tsx';

const TEAMS_SHOWN_MAX = 100;

export const teamsParams = z.object({});
export const teamsReads = { teams: listTeams, people: listUsers };

export const teamsPage = definePage({
  name: 'teams',
  path: '/teams',
  title: () => 'Teams',
  params: teamsParams,
  reads: teamsReads,
  inputs: () => ({ teams: { limit: TEAMS_SHOWN_MAX }, people: { limit: TEAMS_SHOWN_MAX } }),
  view: TeamsView,
});

export const createTeamForm = defineForm({ name: 'newTeam', path: '/teams', operation: createTeam });
export const updateTeamForm = defineForm({ name: 'changeTeam', path: '/teams/:id', operation: updateTeam });
export const deleteTeamForm = defineForm({
  name: 'removeTeam',
  path: '/teams/:id/remove',
  operation: deleteTeam,
  removal: 'asked',
  flash: () => ({ text: 'Team deleted' }),
});
export const addToTeamForm = defineForm({
  name: 'putIntoTeam',
  path: '/teams/:id/people',
  operation: setTeamMember,
});
export const removeFromTeamForm = defineForm({
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
