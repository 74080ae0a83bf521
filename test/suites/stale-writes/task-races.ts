// This file is long because every operation that changes tasks needs a race, and most races use the same objects.
import { getTemplate } from '../../../src/templates/operations/templates.ts';
import { renameAsApp } from '../../app-activity/connect-app.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { editableFields } from '../../support/task-fields.ts';
import { addPerson, createMeeting, createProject, createTask, type World } from '../../support/world.ts';
import { createTemplate } from '../../templates/create-template.ts';
import {
  getOwnersApi,
  type Input,
  type Race,
  type RaceObjects,
  sendAsAdmin,
  sendAsOwner,
  toProgramAndPageRaces,
} from './race.ts';

export const createRaceTask = async ({ people, projects }: World): Promise<RaceObjects> => ({
  id: (await createTask(people.owner, projects.joined.id)).id,
});
const createTaskWithDeadline = async ({ people, projects }: World): Promise<RaceObjects> => ({
  id: (await createTask(people.owner, projects.joined.id, { deadline: '2026-12-24' })).id,
});
async function createTaskWithField(world: World): Promise<RaceObjects> {
  const { id: project } = await createProject(world, { owner: world.people.owner });
  const number = await createField(world, 'text');
  await addFieldsToProject(world, project, [number]);
  return { id: (await createTask(world.people.owner, project)).id, number };
}
async function createArchivedTask(world: World): Promise<RaceObjects> {
  const objects = await createRaceTask(world);
  await sendAsOwner(world)('archiveTask', objects);
  return objects;
}
async function createDeletedTask(world: World): Promise<RaceObjects> {
  const objects = await createRaceTask(world);
  await sendAsOwner(world)('deleteTask', objects);
  return objects;
}
export const readTaskState = async ({ id }: RaceObjects, world: World) => [
  (await getOwnersApi(world).get(`/tasks/${id}`)).body,
  (await getOwnersApi(world).get(`/tasks/${id}/activities`)).body.data,
];
const editTaskAsAdmin = (fields: Input) => (objects: RaceObjects, world: World) =>
  sendAsAdmin(world)('updateTask', { id: objects.id, ...fields });
export const archiveTaskAsAdmin = ({ id }: RaceObjects, world: World) =>
  sendAsAdmin(world)('archiveTask', { id });

async function createParentTask(world: World): Promise<RaceObjects> {
  const { id } = await createRaceTask(world);
  const [other, second] = [await createRaceTask(world), await createRaceTask(world)];
  for (const each of [other, second]) {
    await sendAsOwner(world)('updateTask', { id: each.id, parentId: id });
  }
  return { id: id ?? 0, other: other.id ?? 0, second: second.id ?? 0 };
}
const readSubtaskState = async ({ id, other, second }: RaceObjects, world: World) => [
  (await getOwnersApi(world).get(`/tasks?ids=${id},${other},${second}&expand=structure`)).body.data,
  (await getOwnersApi(world).get(`/tasks/${id}/subtasks`)).body.data,
];

export const task = {
  createObjects: createRaceTask,
  applyOtherEdit: editTaskAsAdmin({ status: 'completed' }),
  readState: readTaskState,
};
const toIdInput = ({ id }: RaceObjects) => ({ id });
const toBulkInput = ({ id }: RaceObjects) => ({ mode: 'all', ids: [id] });
const toBulkMoveInput = (objects: RaceObjects, { projects }: World) => ({
  ...toBulkInput(objects),
  projectId: projects.other.id,
});
const archivedTask = {
  createObjects: createArchivedTask,
  applyOtherEdit: ({ id }: RaceObjects, world: World) => sendAsAdmin(world)('unarchiveTask', { id }),
  readState: readTaskState,
};

const fieldRaces = editableFields.flatMap(({ name, before, value, otherValue }) =>
  toProgramAndPageRaces(
    {
      ...task,
      // `dueTime` requires a deadline.
      createObjects: name === 'dueTime' ? createTaskWithDeadline : createRaceTask,
      toInput: ({ id }) => ({ id, [name]: value }),
      applyOtherEdit: editTaskAsAdmin({ [name]: otherValue }),
    },
    { [name]: before },
  ),
);

const createTaskWithComment = async (world: World): Promise<RaceObjects> => {
  const objects = await createRaceTask(world);
  const { body } = await getOwnersApi(world).post(`/tasks/${objects.id}/comments`, { content: 'First' });
  return { ...objects, commentId: body.id };
};
const comment = {
  createObjects: createTaskWithComment,
  applyOtherEdit: ({ id, commentId }: RaceObjects, world: World) =>
    sendAsOwner(world)('updateComment', { id, commentId, content: 'Theirs' }),
  readState: async (objects: RaceObjects, world: World) => [
    await readTaskState(objects, world),
    (await getOwnersApi(world).get(`/tasks/${objects.id}/comments`)).body.data,
  ],
};
const toCommentInput = ({ id, commentId }: RaceObjects) => ({ id, commentId });

const createTaskWithChecklistItem = async (world: World): Promise<RaceObjects> => {
  const objects = await createRaceTask(world);
  const path = `/tasks/${objects.id}/checklist/items`;
  const { body } = await getOwnersApi(world).post(path, { text: 'First' });
  return { ...objects, itemId: body.id };
};
const checklistItem = {
  createObjects: createTaskWithChecklistItem,
  applyOtherEdit: ({ id, itemId }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateChecklistLine', { id, itemId, text: 'Theirs' }),
  readState: async (objects: RaceObjects, world: World) => [
    await readTaskState(objects, world),
    (await getOwnersApi(world).get(`/tasks/${objects.id}/checklist`)).body,
  ],
};

const createConvertedChecklistItem = async (world: World): Promise<RaceObjects> => {
  const objects = await createTaskWithChecklistItem(world);
  const path = `/tasks/${objects.id}/checklist/items/${objects.itemId}/convert`;
  const { body } = await getOwnersApi(world).post(path);
  return { ...objects, other: body.id };
};

const recurrence = {
  createObjects: async (world: World): Promise<RaceObjects> => {
    const objects = await createRaceTask(world);
    await getOwnersApi(world).put(`/tasks/${objects.id}/recurrence`, {
      rule: 'FREQ=DAILY',
      mode: 'schedule',
    });
    return objects;
  },
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('setRecurrence', { id, rule: 'FREQ=MONTHLY', mode: 'schedule' }),
  readState: async (objects: RaceObjects, world: World) => [
    await readTaskState(objects, world),
    (await getOwnersApi(world).get(`/tasks/${objects.id}/recurrence`)).body,
  ],
};

const template = {
  createObjects: async ({ people, projects }: World) => ({
    id: await createTemplate(people.owner, projects.joined.id),
  }),
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateTemplate', { id, name: 'Theirs' }),
  readState: async ({ id }: RaceObjects, { people }: World) =>
    (await runForm(people.owner.token, getTemplate, { id })).body,
};

const meeting = {
  // The person has no other meetings, so the times never conflict.
  createObjects: async (world: World) => {
    const { owner, admin } = world.people;
    const person = await addPerson(world, 'fresh', 'admin');
    const project = await createProject(world, { owner: person, members: [owner, admin], name: 'A project' });
    return { id: (await createMeeting(person, project.id)).id, userId: person.userId };
  },
  toInput: ({ id }: RaceObjects) => ({ id, time: '12:00', location: 'Mine' }),
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateMeeting', { id, location: 'Theirs', date: '2026-12-08' }),
  readState: async ({ id }: RaceObjects, world: World) =>
    (await getOwnersApi(world).get(`/meetings/${id}`)).body,
};

export const taskRaces: Readonly<Record<string, readonly Race[]>> = {
  updateTask: [
    // The status in the input equals the stored one, so it changes something only if the other person's edit came
    // first.
    { ...task, toInput: ({ id }) => ({ id, name: 'Mine', status: 'todo' }) },
    ...fieldRaces,
    ...toProgramAndPageRaces(
      {
        ...task,
        toInput: ({ id }, { people }) => ({ id, assigneeId: people.member.userId }),
        applyOtherEdit: (objects, world) =>
          editTaskAsAdmin({ assigneeId: world.people.lead.userId })(objects, world),
      },
      { assigneeId: null },
    ),
  ],
  orderSubtasks: [
    {
      createObjects: createParentTask,
      toInput: ({ id, other, second }) => ({ id, ids: [second, other] }),
      applyOtherEdit: ({ other }, world) => sendAsAdmin(world)('archiveTask', { id: other }),
      readState: readSubtaskState,
    },
  ],
  archiveTask: [
    { ...task, toInput: toIdInput },
    {
      createObjects: createParentTask,
      toInput: toIdInput,
      applyOtherEdit: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, parentId: null }),
      readState: readSubtaskState,
    },
  ],
  unarchiveTask: [{ ...archivedTask, toInput: toIdInput }],
  moveTask: [
    { ...task, toInput: ({ id }, { projects }) => ({ id, projectId: projects.other.id }) },
    {
      createObjects: createParentTask,
      toInput: ({ id }, { projects }) => ({ id, projectId: projects.other.id }),
      applyOtherEdit: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, parentId: null }),
      readState: readSubtaskState,
    },
  ],
  deleteTask: [{ ...task, toInput: toIdInput }],
  restoreTask: [
    {
      createObjects: createDeletedTask,
      toInput: toIdInput,
      applyOtherEdit: ({ id }, world) => sendAsAdmin(world)('restoreTask', { id }),
      readState: readTaskState,
    },
  ],
  undoTaskMoves: [
    {
      ...task,
      createObjects: async (world) => {
        const objects = await createRaceTask(world);
        await sendAsOwner(world)('moveTask', { ...objects, projectId: world.projects.other.id });
        return objects;
      },
      toInput: ({ id }) => ({ ids: [id], since: 0 }),
    },
  ],
  duplicateTask: [{ ...task, toInput: toIdInput }],
  replaceChecklist: [
    {
      ...checklistItem,
      toInput: ({ id, itemId }) => ({ id, items: [{ id: itemId, text: 'Mine' }, { text: 'New' }] }),
    },
  ],
  updateChecklistLine: [
    ...toProgramAndPageRaces(
      { ...checklistItem, toInput: ({ id, itemId }) => ({ id, itemId, text: 'Mine' }) },
      { text: 'First' },
    ),
    {
      ...checklistItem,
      toInput: ({ id, itemId }) => ({ id, itemId, position: 2 }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)('addChecklistLine', { id, text: 'Theirs', position: 0 }),
      shown: { position: 0 },
    },
  ],
  deleteChecklistLine: [{ ...checklistItem, toInput: ({ id, itemId }) => ({ id, itemId }) }],
  convertChecklistLine: [{ ...checklistItem, toInput: ({ id, itemId }) => ({ id, itemId }) }],
  restoreConvertedLine: [
    {
      ...checklistItem,
      createObjects: createConvertedChecklistItem,
      toInput: ({ id, itemId, other }) => ({ id, itemId, subtaskId: other, position: 0 }),
      applyOtherEdit: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, name: 'Theirs' }),
    },
  ],
  setRecurrence: toProgramAndPageRaces(
    { ...recurrence, toInput: ({ id }) => ({ id, rule: 'FREQ=WEEKLY', mode: 'completion' }) },
    { rule: 'FREQ=DAILY' },
  ),
  deleteRecurrence: [{ ...recurrence, toInput: toIdInput }],
  updateTasksInBulk: [
    { ...task, toInput: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', status: 'todo' }] }) },
    {
      ...task,
      toInput: ({ id }) => ({ mode: 'each', ids: [id], set: { priority: 'high', status: 'todo' } }),
    },
    { ...task, toInput: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', ifVersion: '"1"' }] }) },
  ],
  updateSelectedTasks: [
    {
      ...task,
      toInput: ({ id }) => ({ ids: [id], set: { addTags: ['mine'], status: 'todo' } }),
      applyOtherEdit: ({ id }, world) => sendAsAdmin(world)('setTaskTags', { id, tags: ['theirs'] }),
    },
  ],
  archiveTasksInBulk: [{ ...task, toInput: toBulkInput }],
  unarchiveTasksInBulk: [{ ...archivedTask, toInput: toBulkInput }],
  moveTasksInBulk: [
    { ...task, toInput: toBulkMoveInput },
    {
      createObjects: createParentTask,
      toInput: toBulkMoveInput,
      applyOtherEdit: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, parentId: null }),
      readState: readSubtaskState,
    },
  ],
  deleteTasksInBulk: [
    { ...task, toInput: toBulkInput },
    {
      createObjects: createParentTask,
      toInput: toBulkInput,
      applyOtherEdit: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, parentId: null }),
      readState: readSubtaskState,
    },
  ],
  restoreTasksInBulk: [
    {
      createObjects: createDeletedTask,
      toInput: toBulkInput,
      applyOtherEdit: ({ id }, world) => sendAsAdmin(world)('restoreTask', { id }),
      readState: readTaskState,
    },
  ],
  setTaskTags: toProgramAndPageRaces(
    {
      ...task,
      toInput: ({ id }) => ({ id, tags: ['mine'] }),
      applyOtherEdit: ({ id }, world) => sendAsAdmin(world)('setTaskTags', { id, tags: ['theirs'] }),
    },
    { tags: [] },
  ),
  setTaskField: toProgramAndPageRaces(
    {
      ...task,
      createObjects: createTaskWithField,
      toInput: ({ id, number }) => ({ id, number, value: 'Mine' }),
      applyOtherEdit: ({ id, number }, world) =>
        sendAsAdmin(world)('setTaskField', { id, number, value: 'Theirs' }),
      readState: async ({ id, number }, world) =>
        (await getOwnersApi(world).get(`/tasks/${id}?expand=customFields`)).body.customFields[`cf_${number}`],
    },
    { value: null },
  ),
  setTaskCategory: toProgramAndPageRaces(
    {
      ...task,
      toInput: ({ id }, { categories }) => ({ id, typeId: categories[0].typeId }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)('setTaskCategory', { id, categoryId: world.categories[1].id }),
    },
    { kind: [null, null] },
  ),
  moveCard: [
    { ...task, toInput: ({ id }) => ({ id, status: 'in_progress' }) },
    {
      ...task,
      createObjects: async (world) => ({
        ...(await createRaceTask(world)),
        other: (await createRaceTask(world)).id ?? 0,
      }),
      toInput: ({ id, other }) => ({ id, status: 'todo', above: other }),
    },
  ],
  followTask: [
    {
      ...task,
      sender: (_objects, { people }) => people.lead,
      toInput: toIdInput,
      applyOtherEdit: archiveTaskAsAdmin,
    },
  ],
  unfollowTask: [
    {
      ...task,
      toInput: toIdInput,
      applyOtherEdit: (objects, world) =>
        editTaskAsAdmin({ assigneeId: world.people.owner.userId })(objects, world),
    },
  ],
  undoTaskChanges: [
    {
      ...task,
      createObjects: async (world) => {
        const objects = await createRaceTask(world);
        await sendAsOwner(world)('updateTask', { ...objects, status: 'completed', name: 'Changed' });
        return objects;
      },
      toInput: ({ id }) => ({ ids: [id], since: 0 }),
      applyOtherEdit: editTaskAsAdmin({ status: 'client_review' }),
    },
  ],
  undoAppSession: [
    {
      ...task,
      createObjects: async (world) => {
        const { app, task: id } = await renameAsApp(world, world.people.owner);
        return { id, app };
      },
      toInput: ({ app }) => ({ app }),
      applyOtherEdit: editTaskAsAdmin({ name: 'Changed' }),
    },
  ],
  updateTemplate: toProgramAndPageRaces(
    { ...template, toInput: ({ id }) => ({ id, name: 'Mine' }) },
    { name: 'Before' },
  ),
  deleteTemplate: [{ ...template, toInput: toIdInput }],
  addTemplateTask: [{ ...template, toInput: ({ id }) => ({ id, name: 'Mine' }) }],
  updateTemplateTask: toProgramAndPageRaces(
    {
      ...template,
      toInput: ({ id }) => ({ id, itemId: 1, name: 'Mine' }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)('updateTemplateTask', { id, itemId: 1, name: 'Theirs' }),
    },
    { name: 'Before' },
  ),
  deleteTemplateTask: [{ ...template, toInput: ({ id }) => ({ id, itemId: 2 }) }],
  addComment: [
    { ...task, toInput: ({ id }) => ({ id, content: 'Mine' }), applyOtherEdit: archiveTaskAsAdmin },
  ],
  updateComment: toProgramAndPageRaces(
    { ...comment, toInput: (objects) => ({ ...toCommentInput(objects), content: 'Mine' }) },
    { content: 'First' },
  ),
  deleteComment: [
    { ...comment, toInput: toCommentInput },
    { ...comment, toInput: toCommentInput, applyOtherEdit: archiveTaskAsAdmin },
  ],
  updateMeeting: [meeting],
  moveMeeting: toProgramAndPageRaces(meeting, { location: null }),
  cancelMeeting: [{ ...meeting, toInput: toIdInput }],
  startTimer: [{ ...task, toInput: ({ id }) => ({ taskId: id }), applyOtherEdit: archiveTaskAsAdmin }],
};
