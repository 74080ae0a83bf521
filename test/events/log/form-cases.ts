// This file is long because one table lists, for every form, the events that are logged when it is submitted.

import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { saveProjectTemplate } from '../../../src/templates/operations/save-template.ts';
import { renameAsApp } from '../../app-activity/connect-app.ts';
import { proposeChange } from '../../change-sets/propose.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { createMeeting, createProject, createTask, createTeam, type World } from '../../support/world.ts';
import { createTemplate } from '../../templates/create-template.ts';
import { createBotAndKey } from '../../workspaces/bots/create-bot.ts';

type Input = Record<string, unknown>;

export interface FormCase {
  logs: readonly string[];
  input: (world: World) => Input | Promise<Input>;
  by?: keyof World['people'];
}

const createTeamInput = async (world: World): Promise<Input> => ({
  id: await createTeam(world, { lead: world.people.lead, members: [world.people.member] }),
});

const addFileToTask = async (world: World): Promise<Input> => {
  const { owner } = world.people;
  const { id } = await createTask(owner, world.projects.joined.id);
  return { id, attachmentId: await insertFile(world, owner, { task: id }) };
};
const addFileToProject = async (world: World): Promise<Input> => {
  const { id } = world.projects.joined;
  return { id, attachmentId: await insertFile(world, world.people.owner, { project: id }) };
};
async function createRemovedInput(world: World, operation: AnyOperation, input: Input): Promise<Input> {
  await runForm(world.people.owner.token, operation, input);
  return input;
}

const createOwnTemplate = ({ people, projects }: World) => createTemplate(people.owner, projects.joined.id);

export const formEvents: Record<string, FormCase> = {
  createProject: { logs: ['project.created'], input: () => ({ name: 'A new project' }) },
  updateProject: {
    logs: ['project.updated'],
    input: ({ projects }) => ({ id: projects.joined.id, name: 'Another name' }),
  },
  updateProjectColumn: {
    logs: ['project.updated'],
    input: ({ projects }) => ({ id: projects.joined.id, column: 'todo', label: 'Ideas' }),
  },
  handOverProject: {
    logs: ['project.updated'],
    input: ({ projects, people }) => ({ id: projects.joined.id, userId: people.admin.userId }),
  },
  addProjectMembers: {
    logs: ['project.member_added'],
    input: ({ projects, people }) => ({ id: projects.other.id, userIds: [people.client.userId] }),
  },
  removeProjectMember: {
    logs: ['project.member_removed'],
    input: ({ projects, people }) => ({ id: projects.joined.id, userId: people.client.userId }),
  },
  updateWorkspace: { logs: ['workspace.updated'], input: () => ({ name: 'Renamed' }) },
  changeRole: {
    logs: ['member.updated'],
    input: ({ people }) => ({ userId: people.member.userId, role: 'lead' }),
  },
  handOverWorkspace: {
    logs: ['member.updated', 'member.updated'],
    input: ({ people }) => ({ userId: people.admin.userId }),
  },
  removePerson: {
    logs: ['member.removed'],
    input: ({ people }) => ({ userId: people.client.userId, heirId: null }),
  },
  leaveWorkspace: { logs: ['member.removed'], input: () => ({ heirId: null }), by: 'client' },
  setTaskTags: {
    logs: ['task.updated'],
    input: async ({ people, projects }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      tags: ['urgent'],
    }),
  },
  updateSelectedTasks: {
    logs: ['task.updated', 'task.updated'],
    input: async ({ people, projects }) => {
      const tasks = [1, 2].map(() => createTask(people.owner, projects.joined.id));
      const ids = (await Promise.all(tasks)).map(({ id }) => id);
      return { ids, set: { addTags: ['urgent'], priority: 'high' } };
    },
  },
  setTaskField: {
    logs: ['task.updated'],
    input: async (world) => {
      const { id: project } = await createProject(world, { owner: world.people.owner });
      const number = await createField(world, 'text');
      await addFieldsToProject(world, project, [number]);
      return { id: (await createTask(world.people.owner, project)).id, number, value: 'Ada' };
    },
  },
  setTaskCategory: {
    logs: ['task.updated'],
    input: async ({ people, projects, categories }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      categoryId: categories[0].id,
    }),
  },
  followTask: {
    logs: ['task.updated'],
    input: async ({ people, projects }) => ({ id: (await createTask(people.member, projects.joined.id)).id }),
  },
  unfollowTask: {
    logs: ['task.updated'],
    input: async ({ people, projects }) => ({ id: (await createTask(people.owner, projects.joined.id)).id }),
  },
  moveCard: {
    logs: ['task.updated'],
    input: async ({ people, projects }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      status: 'todo',
      above: (await createTask(people.owner, projects.joined.id)).id,
    }),
  },
  moveMeeting: {
    logs: ['task.updated', 'meeting.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createMeeting(people.lead, projects.joined.id, { date: '2030-03-04' });
      return { id, date: '2030-03-05' };
    },
    by: 'lead',
  },
  undoTaskChanges: {
    logs: ['task.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createTask(people.owner, projects.joined.id);
      await api(people.owner.token).patch(`/tasks/${id}`, { status: 'completed' });
      return { ids: [id], since: 0 };
    },
  },
  restoreConvertedLine: {
    logs: ['task.archived', 'task.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createTask(people.owner, projects.joined.id);
      const items = `/tasks/${id}/checklist/items`;
      const itemId = (await api(people.owner.token).post(items, { text: 'A line' })).body.id;
      const subtaskId = (await api(people.owner.token).post(`${items}/${itemId}/convert`)).body.id;
      return { id, itemId, subtaskId, position: 0 };
    },
  },
  createBot: { logs: ['member.joined'], input: () => ({ name: 'Release bot' }) },
  updateBot: {
    logs: ['member.updated'],
    input: async ({ people }) => ({ id: (await createBotAndKey(people.owner)).id, name: 'Deploy bot' }),
  },
  undoAppSession: {
    logs: ['task.updated'],
    input: async (world) => ({ app: (await renameAsApp(world, world.people.owner)).app }),
  },
  undoTaskMoves: {
    logs: ['task.moved', 'task.moved'],
    input: async ({ people, projects }) => {
      const { id } = await createTask(people.owner, projects.joined.id);
      await api(people.owner.token).post(`/tasks/${id}/move`, { projectId: projects.other.id });
      return { ids: [id], since: 0 };
    },
  },
  saveTaskTemplate: {
    logs: ['template.created'],
    input: async ({ people, projects }) => ({ id: (await createTask(people.owner, projects.joined.id)).id }),
  },
  saveProjectTemplate: { logs: ['template.created'], input: ({ projects }) => ({ id: projects.joined.id }) },
  updateTemplate: {
    logs: ['template.updated'],
    input: async (world) => ({ id: await createOwnTemplate(world), name: 'Renamed' }),
  },
  addTemplateTask: {
    logs: ['template.updated'],
    input: async (world) => ({ id: await createOwnTemplate(world), name: 'Added' }),
  },
  updateTemplateTask: {
    logs: ['template.updated'],
    input: async (world) => ({ id: await createOwnTemplate(world), itemId: 1, name: 'Changed' }),
  },
  deleteTemplateTask: {
    logs: ['template.updated'],
    input: async (world) => ({ id: await createOwnTemplate(world), itemId: 2 }),
  },
  deleteTemplate: {
    logs: ['template.deleted'],
    input: async (world) => ({ id: await createOwnTemplate(world) }),
  },
  createProjectFromTemplate: {
    logs: ['project.created'],
    input: async (world) => {
      const { id } = await createProject(world, { owner: world.people.owner });
      const saved = await runForm(world.people.owner.token, saveProjectTemplate, { id });
      return { templateId: saved.body.id, name: 'From a template' };
    },
  },
  applyChangeSet: {
    logs: ['task.updated'],
    input: async (world) => ({ id: (await proposeChange(world, world.people.owner)).id }),
  },
  restoreMeeting: {
    logs: ['meeting.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createMeeting(people.lead, projects.joined.id);
      await api(people.lead.token).delete(`/meetings/${id}`);
      return { id };
    },
    by: 'lead',
  },
  removeTaskFile: { logs: ['attachment.deleted'], input: addFileToTask },
  restoreTaskFile: {
    logs: ['attachment.created'],
    input: async (world) => createRemovedInput(world, removeTaskFile, await addFileToTask(world)),
  },
  removeProjectFile: { logs: ['attachment.deleted'], input: addFileToProject },
  restoreProjectFile: {
    logs: ['attachment.created'],
    input: async (world) => createRemovedInput(world, removeProjectFile, await addFileToProject(world)),
  },
  createTeam: { logs: ['team.created'], input: () => ({ name: 'A team' }) },
  updateTeam: {
    logs: ['team.updated'],
    input: async (world) => ({ ...(await createTeamInput(world)), name: 'Another name' }),
  },
  deleteTeam: { logs: ['team.deleted'], input: createTeamInput },
  setTeamMember: {
    logs: ['team.updated'],
    input: async (world) => ({
      ...(await createTeamInput(world)),
      userId: world.people.admin.userId,
      role: 'member',
    }),
  },
  removeTeamMember: {
    logs: ['team.updated'],
    input: async (world) => ({ ...(await createTeamInput(world)), userId: world.people.member.userId }),
  },
  createCategory: { logs: ['category.created'], input: () => ({ value: 'Research' }) },
  updateCategory: {
    logs: ['category.updated'],
    input: ({ categories }) => ({ id: categories[0].id, value: 'Another name' }),
  },
  createCustomField: {
    logs: ['custom_field.created'],
    input: () => ({ name: 'Effort', type: 'number' }),
  },
  updateCustomField: {
    logs: ['custom_field.updated'],
    input: async (world) => ({ id: await createField(world, 'text'), name: 'Another name' }),
  },
  deleteCustomField: {
    logs: ['custom_field.deleted'],
    input: async (world) => ({ id: await createField(world, 'text') }),
  },
  restoreCustomField: {
    logs: ['custom_field.created'],
    input: async (world) => {
      const id = await createField(world, 'text');
      await runForm(world.people.owner.token, deleteCustomField, { id });
      return { id };
    },
  },
  setProjectFields: {
    logs: ['custom_field.updated'],
    input: async (world) => {
      const { id } = await createProject(world, { owner: world.people.owner });
      return { id, fieldIds: [await createField(world, 'text')] };
    },
  },
  createType: {
    logs: ['type.created'],
    input: ({ categories }) => ({ categoryId: categories[0].id, value: 'Interview' }),
  },
  updateType: {
    logs: ['type.updated'],
    input: ({ categories }) => ({ id: categories[0].typeId, value: 'Another name' }),
  },
  updateLabel: {
    logs: ['label.updated'],
    input: async ({ people, projects }) => {
      await createTask(people.owner, projects.joined.id, { tags: ['Web'] });
      return { label: 'web', color: '#dc2626' };
    },
  },
};
