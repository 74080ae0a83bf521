// Long because one table lists every form with the events that it logs.

import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { renameAsApp } from '../../app-activity/own-app.ts';
import { proposeChange } from '../../change-sets/propose.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { api } from '../../support/api.ts';
import { createField, useFields } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { createMeeting, createProject, createTask, createTeam, type World } from '../../support/world.ts';
import { newBot } from '../../workspaces/bots/new-bot.ts';

type Input = Record<string, unknown>;

export interface FormCase {
  tells: readonly string[];
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
async function removeFirst(world: World, operation: AnyOperation, input: Input): Promise<Input> {
  await runForm(world.people.owner.token, operation, input);
  return input;
}

/** Lists each form with a valid input and the events that it logs. */
export const formEvents: Record<string, FormCase> = {
  createProject: { tells: ['project.created'], input: () => ({ name: 'A new project' }) },
  updateProject: {
    tells: ['project.updated'],
    input: ({ projects }) => ({ id: projects.joined.id, name: 'Another name' }),
  },
  updateProjectColumn: {
    tells: ['project.updated'],
    input: ({ projects }) => ({ id: projects.joined.id, column: 'todo', label: 'Ideas' }),
  },
  handOverProject: {
    tells: ['project.updated'],
    input: ({ projects, people }) => ({ id: projects.joined.id, userId: people.admin.userId }),
  },
  addProjectMembers: {
    tells: ['project.member_added'],
    input: ({ projects, people }) => ({ id: projects.other.id, userIds: [people.client.userId] }),
  },
  removeProjectMember: {
    tells: ['project.member_removed'],
    input: ({ projects, people }) => ({ id: projects.joined.id, userId: people.client.userId }),
  },
  updateWorkspace: { tells: ['workspace.updated'], input: () => ({ name: 'Renamed' }) },
  changeRole: {
    tells: ['member.updated'],
    input: ({ people }) => ({ userId: people.member.userId, role: 'lead' }),
  },
  handOverWorkspace: {
    tells: ['member.updated', 'member.updated'],
    input: ({ people }) => ({ userId: people.admin.userId }),
  },
  removePerson: {
    tells: ['member.removed'],
    input: ({ people }) => ({ userId: people.client.userId, heirId: null }),
  },
  leaveWorkspace: { tells: ['member.removed'], input: () => ({ heirId: null }), by: 'client' },
  setTaskTags: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      tags: ['urgent'],
    }),
  },
  setTaskField: {
    tells: ['task.updated'],
    input: async (world) => {
      const { id: project } = await createProject(world, { owner: world.people.owner });
      const number = await createField(world, 'text');
      await useFields(world, project, [number]);
      return { id: (await createTask(world.people.owner, project)).id, number, value: 'Ada' };
    },
  },
  setTaskCategory: {
    tells: ['task.updated'],
    input: async ({ people, projects, categories }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      categoryId: categories[0].id,
    }),
  },
  followTask: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({ id: (await createTask(people.member, projects.joined.id)).id }),
  },
  unfollowTask: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({ id: (await createTask(people.owner, projects.joined.id)).id }),
  },
  moveCard: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      status: 'todo',
      above: (await createTask(people.owner, projects.joined.id)).id,
    }),
  },
  moveMeeting: {
    tells: ['task.updated', 'meeting.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createMeeting(people.lead, projects.joined.id, { date: '2030-03-04' });
      return { id, date: '2030-03-05' };
    },
    by: 'lead',
  },
  undoChangesOfTasks: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createTask(people.owner, projects.joined.id);
      await api(people.owner.token).patch(`/tasks/${id}`, { status: 'completed' });
      return { ids: [id], since: 0 };
    },
  },
  restoreConvertedLine: {
    tells: ['task.archived', 'task.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createTask(people.owner, projects.joined.id);
      const items = `/tasks/${id}/checklist/items`;
      const itemId = (await api(people.owner.token).post(items, { text: 'A line' })).body.id;
      const subtaskId = (await api(people.owner.token).post(`${items}/${itemId}/convert`)).body.id;
      return { id, itemId, subtaskId, position: 0 };
    },
  },
  createBot: { tells: ['member.joined'], input: () => ({ name: 'Release bot' }) },
  updateBot: {
    tells: ['member.updated'],
    input: async ({ people }) => ({ id: (await newBot(people.owner)).id, name: 'Deploy bot' }),
  },
  undoAppSession: {
    tells: ['task.updated'],
    input: async (world) => ({ app: (await renameAsApp(world, world.people.owner)).app }),
  },
  undoTaskMove: {
    tells: ['task.moved', 'task.moved'],
    input: async ({ people, projects }) => {
      const { id } = await createTask(people.owner, projects.joined.id);
      await api(people.owner.token).post(`/tasks/${id}/move`, { projectId: projects.other.id });
      return { id };
    },
  },
  applyChangeSet: {
    tells: ['task.updated'],
    input: async (world) => ({ id: (await proposeChange(world, world.people.owner)).id }),
  },
  restoreMeeting: {
    tells: ['meeting.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createMeeting(people.lead, projects.joined.id);
      await api(people.lead.token).delete(`/meetings/${id}`);
      return { id };
    },
    by: 'lead',
  },
  removeTaskFile: { tells: ['attachment.deleted'], input: addFileToTask },
  restoreTaskFile: {
    tells: ['attachment.created'],
    input: async (world) => removeFirst(world, removeTaskFile, await addFileToTask(world)),
  },
  removeProjectFile: { tells: ['attachment.deleted'], input: addFileToProject },
  restoreProjectFile: {
    tells: ['attachment.created'],
    input: async (world) => removeFirst(world, removeProjectFile, await addFileToProject(world)),
  },
  createTeam: { tells: ['team.created'], input: () => ({ name: 'A team' }) },
  updateTeam: {
    tells: ['team.updated'],
    input: async (world) => ({ ...(await createTeamInput(world)), name: 'Another name' }),
  },
  deleteTeam: { tells: ['team.deleted'], input: createTeamInput },
  setTeamMember: {
    tells: ['team.updated'],
    input: async (world) => ({
      ...(await createTeamInput(world)),
      userId: world.people.admin.userId,
      role: 'member',
    }),
  },
  removeTeamMember: {
    tells: ['team.updated'],
    input: async (world) => ({ ...(await createTeamInput(world)), userId: world.people.member.userId }),
  },
  createCategory: { tells: ['category.created'], input: () => ({ value: 'Research' }) },
  updateCategory: {
    tells: ['category.updated'],
    input: ({ categories }) => ({ id: categories[0].id, value: 'Another name' }),
  },
  createCustomField: {
    tells: ['custom_field.created'],
    input: () => ({ name: 'Effort', type: 'number' }),
  },
  updateCustomField: {
    tells: ['custom_field.updated'],
    input: async (world) => ({ id: await createField(world, 'text'), name: 'Another name' }),
  },
  deleteCustomField: {
    tells: ['custom_field.deleted'],
    input: async (world) => ({ id: await createField(world, 'text') }),
  },
  restoreCustomField: {
    tells: ['custom_field.created'],
    input: async (world) => {
      const id = await createField(world, 'text');
      await runForm(world.people.owner.token, deleteCustomField, { id });
      return { id };
    },
  },
  setProjectFields: {
    tells: ['custom_field.updated'],
    input: async (world) => {
      const { id } = await createProject(world, { owner: world.people.owner });
      return { id, fieldIds: [await createField(world, 'text')] };
    },
  },
  createType: {
    tells: ['type.created'],
    input: ({ categories }) => ({ categoryId: categories[0].id, value: 'Interview' }),
  },
  updateType: {
    tells: ['type.updated'],
    input: ({ categories }) => ({ id: categories[0].typeId, value: 'Another name' }),
  },
  updateLabel: {
    tells: ['label.updated'],
    input: async ({ people, projects }) => {
      await createTask(people.owner, projects.joined.id, { tags: ['Web'] });
      return { label: 'web', color: '#dc2626' };
    },
  },
};
