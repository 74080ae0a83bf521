import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { createTeam, deleteTeam, updateTeam } from './change-teams.ts';
import { removeTeamMember, setTeamMember } from './team-people.ts';

export const teamWebOperations: readonly AnyOperation[] = [
  createTeam,
  updateTeam,
  deleteTeam,
  setTeamMember,
  removeTeamMember,
];
