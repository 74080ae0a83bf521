import type { AnyOperation } from '../kernel/operation.ts';
import { createProject, getProjectSettings, handOverProject, updateProject } from './change-projects.ts';
import { addProjectMembers, removeProjectMember } from './project-people.ts';

export const projectForms: readonly AnyOperation[] = [
  createProject,
  getProjectSettings,
  updateProject,
  handOverProject,
  addProjectMembers,
  removeProjectMember,
];
