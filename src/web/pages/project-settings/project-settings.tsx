import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { deleteProject } from '../../../projects/deletion/delete-project.ts';
import {
  createProject,
  getProjectSettings,
  handOverProject,
  updateProject,
} from '../../../projects/operations/change-projects.ts';
import { listProjectColumns, updateProjectColumn } from '../../../projects/operations/project-columns.ts';
import { addProjectMembers, removeProjectMember } from '../../../projects/operations/project-people.ts';
import { listProjectMembers } from '../../../projects/operations/projects.ts';
import { listProjectFields } from '../../../tasks/custom-fields/list-custom-fields.ts';
import { listTemplates } from '../../../templates/operations/templates.ts';
import { listProjectStatuses } from '../../../workspaces/reference/statuses.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { TEMPLATES_SUGGESTED_MAX } from '../../components/template-links.tsx';
import { defineForm, definePage } from '../../page-model/page.ts';
import { NewProjectView } from './new-project.view.tsx';
import { ProjectSettingsView } from './project-settings.view.tsx';

const PEOPLE_SUGGESTED_MAX = 100;

export const newProjectParams = z.object({});
export const newProjectReads = { templates: listTemplates };

export const newProjectPage = definePage({
  name: 'newProject',
  path: '/projects/new',
  title: () => 'New project',
  params: newProjectParams,
  reads: newProjectReads,
  inputs: () => ({ templates: { kind: 'project' as const, limit: TEMPLATES_SUGGESTED_MAX } }),
  view: NewProjectView,
});

export const createProjectForm = defineForm({
  name: 'createProject',
  path: '/projects',
  operation: createProject,
  multiline: ['description'],
  redirectTo: ({ id }, { base }) => `${base}/projects/${id}`,
});

export const projectSettingsParams = z.object({ project: integerId });
export const projectSettingsReads = {
  settings: getProjectSettings,
  members: listProjectMembers,
  people: listUsers,
  statuses: listProjectStatuses,
  columns: listProjectColumns,
  fields: listProjectFields,
};

export const projectSettingsPage = definePage({
  name: 'projectSettings',
  path: '/projects/:project/settings',
  title: ({ answers }) => `Settings · ${answers.settings.name}`,
  params: projectSettingsParams,
  reads: projectSettingsReads,
  inputs: ({ project }) => ({
    settings: { id: project },
    members: { id: project },
    people: { limit: PEOPLE_SUGGESTED_MAX },
    statuses: {},
    columns: { id: project },
    fields: { id: project },
  }),
  view: ProjectSettingsView,
});

export const updateProjectForm = defineForm({
  name: 'changeProject',
  path: '/projects/:id',
  operation: updateProject,
  multiline: ['description'],
  flash: () => ({ text: 'Project saved' }),
});
export const updateProjectColumnForm = defineForm({
  name: 'changeColumn',
  path: '/projects/:id/columns',
  operation: updateProjectColumn,
  flash: () => ({ text: 'Column saved' }),
});
export const addProjectMembersForm = defineForm({
  name: 'addPeople',
  path: '/projects/:id/people',
  operation: addProjectMembers,
});
export const removeProjectMemberForm = defineForm({
  name: 'removePersonFromProject',
  path: '/projects/:id/people/:userId/remove',
  operation: removeProjectMember,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id, userId }, fields }) => ({
    text: 'Removed from project',
    // Removing a client has no Undo, because Undo couldn't restore which of the project's tasks they followed.
    ...(fields.get('role') !== 'client' && {
      undo: { path: `/projects/${id}/people`, fields: { userIds: userId } },
    }),
  }),
});
export const handOverProjectForm = defineForm({
  name: 'handOverProject',
  path: '/projects/:id/owner',
  operation: handOverProject,
});
export const deleteProjectForm = defineForm({
  name: 'removeProject',
  path: '/projects/:id/remove',
  operation: deleteProject,
  redirectTo: (_done, { base }) => `${base}/projects`,
  removal: 'asked',
  flash: () => ({ text: 'Project deleted' }),
});
