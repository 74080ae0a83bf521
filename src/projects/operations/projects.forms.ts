import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { createProject, getProjectSettings, handOverProject, updateProject } from './change-projects.ts';
import { findNames, listProjectOverview } from './overview.ts';
import { addProjectMembers, removeProjectMember } from './project-people.ts';

export const projectForms: readonly AnyOperation[] = [
  listProjectOverview,
  findNames,
  createProject,
  getProjectSettings,
  updateProject,
  handOverProject,
  addProjectMembers,
  removeProjectMember,
];
