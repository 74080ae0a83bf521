import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { createProject, getProjectSettings, handOverProject, updateProject } from './change-projects.ts';
import { findNames, listProjectOverviews } from './overview.ts';
import { listStatusesInProject, updateProjectColumn } from './project-columns.ts';
import { addProjectMembers, removeProjectMember } from './project-people.ts';

export const projectWebOperations: readonly AnyOperation[] = [
  listProjectOverviews,
  findNames,
  createProject,
  getProjectSettings,
  updateProject,
  listStatusesInProject,
  updateProjectColumn,
  handOverProject,
  addProjectMembers,
  removeProjectMember,
];
