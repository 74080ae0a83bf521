// This file is long because it lists the races of every operation on tasks.
import { getTemplate } from '../../../src/templates/operations/templates.ts';
import { renameAsApp } from '../../app-activity/own-app.ts';
import { createField, useFields } from '../../support/custom-fields.ts';
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
  withAndWithoutPage,
} from './race.ts';

export const newTask = async ({ people, projects }: World): Promise<RaceObjects> => ({
  id: (await createTask(people.owner, projects.joined.id)).id,
});
const createTaskWithDeadline = async ({ people, projects }: World): Promise<RaceObjects> => ({
  id: (await createTask(people.owner, projects.joined.id, { deadline: '2026-12-24' })).id,
});
async function newTaskWithField(world: World): Promise<RaceObjects> {
  const { id: project } = await createProject(world, { owner: world.people.owner });
  const number = await createField(world, 'text');
  await useFields(world, project, [number]);
  return { id: (await createTask(world.people.owner, project)).id, number };
}
async function newArchivedTask(world: World): Promise<RaceObjects> {
  const thing = await newTask(world);
  await sendAsOwner(world)('archiveTask', thing);
  return thing;
}
const stateOfTask = async ({ id }: RaceObjects, world: World) => [
  (await getOwnersApi(world).get(`/tasks/${id}`)).body,
  (await getOwnersApi(world).get(`/tasks/${id}/activities`)).body.data,
];
const patchAsOther = (fields: Input) => (thing: RaceObjects, world: World) =>
  sendAsAdmin(world)('updateTask', { id: thing.id, ...fields });
const archiveAsOther = ({ id }: RaceObjects, world: World) => sendAsAdmin(world)('archiveTask', { id });

async function newParent(world: World): Promise<RaceObjects> {
  const { id } = await newTask(world);
  const [other, second] = [await newTask(world), await newTask(world)];
  for (const each of [other, second]) {
    await sendAsOwner(world)('updateTask', { id: each.id, parentId: id });
  }
  return { id: id ?? 0, other: other.id ?? 0, second: second.id ?? 0 };
}
const stateOfSubtasks = async ({ id, other, second }: RaceObjects, world: World) => [
  (await getOwnersApi(world).get(`/tasks?ids=${id},${other},${second}&expand=structure`)).body.data,
  (await getOwnersApi(world).get(`/tasks/${id}/subtasks`)).body.data,
];

const task = { make: newTask, theirs: patchAsOther({ status: 'completed' }), state: stateOfTask };
const pickId = ({ id }: RaceObjects) => ({ id });
const toBulkInput = ({ id }: RaceObjects) => ({ mode: 'all', ids: [id] });
const archivedTask = {
  make: newArchivedTask,
  theirs: ({ id }: RaceObjects, world: World) => sendAsAdmin(world)('unarchiveTask', { id }),
  state: stateOfTask,
};

const fieldRaces = editableFields.flatMap(({ name, before, mine, theirs }) =>
  withAndWithoutPage(
    {
      ...task,
      // A task without a deadline has no time.
      make: name === 'dueTime' ? createTaskWithDeadline : newTask,
      mine: ({ id }) => ({ id, [name]: mine }),
      theirs: patchAsOther({ [name]: theirs }),
    },
    { [name]: before },
  ),
);

const newComment = async (world: World): Promise<RaceObjects> => {
  const thing = await newTask(world);
  const { body } = await getOwnersApi(world).post(`/tasks/${thing.id}/comments`, { content: 'First' });
  return { ...thing, commentId: body.id };
};
const comment = {
  make: newComment,
  theirs: ({ id, commentId }: RaceObjects, world: World) =>
    sendAsOwner(world)('updateComment', { id, commentId, content: 'Theirs' }),
  state: async (thing: RaceObjects, world: World) => [
    await stateOfTask(thing, world),
    (await getOwnersApi(world).get(`/tasks/${thing.id}/comments`)).body.data,
  ],
};
const pickCommentIds = ({ id, commentId }: RaceObjects) => ({ id, commentId });

const newLine = async (world: World): Promise<RaceObjects> => {
  const thing = await newTask(world);
  const path = `/tasks/${thing.id}/checklist/items`;
  const { body } = await getOwnersApi(world).post(path, { text: 'First' });
  return { ...thing, itemId: body.id };
};
const line = {
  make: newLine,
  theirs: ({ id, itemId }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateChecklistLine', { id, itemId, text: 'Theirs' }),
  state: async (thing: RaceObjects, world: World) => [
    await stateOfTask(thing, world),
    (await getOwnersApi(world).get(`/tasks/${thing.id}/checklist`)).body,
  ],
};

const newConvertedLine = async (world: World): Promise<RaceObjects> => {
  const thing = await newLine(world);
  const path = `/tasks/${thing.id}/checklist/items/${thing.itemId}/convert`;
  const { body } = await getOwnersApi(world).post(path);
  return { ...thing, other: body.id };
};

const recurrence = {
  make: async (world: World): Promise<RaceObjects> => {
    const thing = await newTask(world);
    await getOwnersApi(world).put(`/tasks/${thing.id}/recurrence`, { rule: 'FREQ=DAILY', mode: 'schedule' });
    return thing;
  },
  theirs: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('setRecurrence', { id, rule: 'FREQ=MONTHLY', mode: 'schedule' }),
  state: async (thing: RaceObjects, world: World) => [
    await stateOfTask(thing, world),
    (await getOwnersApi(world).get(`/tasks/${thing.id}/recurrence`)).body,
  ],
};

const template = {
  make: async ({ people, projects }: World) => ({
    id: await createTemplate(people.owner, projects.joined.id),
  }),
  theirs: ({ id }: RaceObjects, world: World) => sendAsAdmin(world)('updateTemplate', { id, name: 'Theirs' }),
  state: async ({ id }: RaceObjects, { people }: World) =>
    (await runForm(people.owner.token, getTemplate, { id })).body,
};

const meeting = {
  // The person has no other meetings, so the times never conflict.
  make: async (world: World) => {
    const { owner, admin } = world.people;
    const person = await addPerson(world, 'fresh', 'admin');
    const project = await createProject(world, { owner: person, members: [owner, admin], name: 'A project' });
    return { id: (await createMeeting(person, project.id)).id, userId: person.userId };
  },
  mine: ({ id }: RaceObjects) => ({ id, time: '12:00', location: 'Mine' }),
  theirs: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateMeeting', { id, location: 'Theirs', date: '2026-12-08' }),
  state: async ({ id }: RaceObjects, world: World) => (await getOwnersApi(world).get(`/meetings/${id}`)).body,
};

export const taskRaces: Readonly<Record<string, readonly Race[]>> = {
  updateTask: [
    // The status equals the one that was read, so it is a change only because of the other person's edit.
    { ...task, mine: ({ id }) => ({ id, name: 'Mine', status: 'todo' }) },
    ...fieldRaces,
    ...withAndWithoutPage(
      {
        ...task,
        mine: ({ id }, { people }) => ({ id, assigneeId: people.member.userId }),
        theirs: (thing, world) => patchAsOther({ assigneeId: world.people.lead.userId })(thing, world),
      },
      { assigneeId: null },
    ),
  ],
  orderSubtasks: [
    {
      make: newParent,
      mine: ({ id, other, second }) => ({ id, ids: [second, other] }),
      theirs: ({ other }, world) => sendAsAdmin(world)('archiveTask', { id: other }),
      state: stateOfSubtasks,
    },
  ],
  archiveTask: [
    { ...task, mine: pickId },
    {
      make: newParent,
      mine: pickId,
      theirs: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, parentId: null }),
      state: stateOfSubtasks,
    },
  ],
  unarchiveTask: [{ ...archivedTask, mine: pickId }],
  moveTask: [
    { ...task, mine: ({ id }, { projects }) => ({ id, projectId: projects.other.id }) },
    {
      make: newParent,
      mine: ({ id }, { projects }) => ({ id, projectId: projects.other.id }),
      theirs: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, parentId: null }),
      state: stateOfSubtasks,
    },
  ],
  deleteTask: [{ ...task, mine: pickId }],
  restoreTask: [
    {
      make: async (world) => {
        const thing = await newTask(world);
        await sendAsOwner(world)('deleteTask', thing);
        return thing;
      },
      mine: pickId,
      theirs: ({ id }, world) => sendAsAdmin(world)('restoreTask', { id }),
      state: stateOfTask,
    },
  ],
  undoTaskMove: [
    {
      ...task,
      make: async (world) => {
        const thing = await newTask(world);
        await sendAsOwner(world)('moveTask', { ...thing, projectId: world.projects.other.id });
        return thing;
      },
      mine: pickId,
    },
  ],
  duplicateTask: [{ ...task, mine: pickId }],
  replaceChecklist: [
    { ...line, mine: ({ id, itemId }) => ({ id, items: [{ id: itemId, text: 'Mine' }, { text: 'New' }] }) },
  ],
  updateChecklistLine: [
    ...withAndWithoutPage(
      { ...line, mine: ({ id, itemId }) => ({ id, itemId, text: 'Mine' }) },
      { text: 'First' },
    ),
    {
      ...line,
      mine: ({ id, itemId }) => ({ id, itemId, position: 2 }),
      theirs: ({ id }, world) => sendAsAdmin(world)('addChecklistLine', { id, text: 'Theirs', position: 0 }),
      shown: { position: 0 },
    },
  ],
  deleteChecklistLine: [{ ...line, mine: ({ id, itemId }) => ({ id, itemId }) }],
  convertChecklistLine: [{ ...line, mine: ({ id, itemId }) => ({ id, itemId }) }],
  restoreConvertedLine: [
    {
      ...line,
      make: newConvertedLine,
      mine: ({ id, itemId, other }) => ({ id, itemId, subtaskId: other, position: 0 }),
      theirs: ({ other }, world) => sendAsAdmin(world)('updateTask', { id: other, name: 'Theirs' }),
    },
  ],
  setRecurrence: withAndWithoutPage(
    { ...recurrence, mine: ({ id }) => ({ id, rule: 'FREQ=WEEKLY', mode: 'completion' }) },
    { rule: 'FREQ=DAILY' },
  ),
  deleteRecurrence: [{ ...recurrence, mine: pickId }],
  updateTasksInBulk: [
    { ...task, mine: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', status: 'todo' }] }) },
    { ...task, mine: ({ id }) => ({ mode: 'each', ids: [id], set: { priority: 'high', status: 'todo' } }) },
    { ...task, mine: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', ifVersion: '"1"' }] }) },
  ],
  archiveTasksInBulk: [{ ...task, mine: toBulkInput }],
  unarchiveTasksInBulk: [{ ...archivedTask, mine: toBulkInput }],
  setTaskTags: withAndWithoutPage(
    {
      ...task,
      mine: ({ id }) => ({ id, tags: ['mine'] }),
      theirs: ({ id }, world) => sendAsAdmin(world)('setTaskTags', { id, tags: ['theirs'] }),
    },
    { tags: [] },
  ),
  setTaskField: withAndWithoutPage(
    {
      ...task,
      make: newTaskWithField,
      mine: ({ id, number }) => ({ id, number, value: 'Mine' }),
      theirs: ({ id, number }, world) => sendAsAdmin(world)('setTaskField', { id, number, value: 'Theirs' }),
      state: async ({ id, number }, world) =>
        (await getOwnersApi(world).get(`/tasks/${id}?expand=customFields`)).body.customFields[`cf_${number}`],
    },
    { value: null },
  ),
  setTaskCategory: withAndWithoutPage(
    {
      ...task,
      mine: ({ id }, { categories }) => ({ id, typeId: categories[0].typeId }),
      theirs: ({ id }, world) =>
        sendAsAdmin(world)('setTaskCategory', { id, categoryId: world.categories[1].id }),
    },
    { kind: [null, null] },
  ),
  moveCard: [
    { ...task, mine: ({ id }) => ({ id, status: 'in_progress' }) },
    {
      ...task,
      make: async (world) => ({ ...(await newTask(world)), other: (await newTask(world)).id ?? 0 }),
      mine: ({ id, other }) => ({ id, status: 'todo', above: other }),
    },
  ],
  followTask: [{ ...task, by: (_thing, { people }) => people.lead, mine: pickId, theirs: archiveAsOther }],
  unfollowTask: [
    {
      ...task,
      mine: pickId,
      theirs: (thing, world) => patchAsOther({ assigneeId: world.people.owner.userId })(thing, world),
    },
  ],
  undoTaskChanges: [
    {
      ...task,
      make: async (world) => {
        const thing = await newTask(world);
        await sendAsOwner(world)('updateTask', { ...thing, status: 'completed', name: 'Changed' });
        return thing;
      },
      mine: ({ id }) => ({ ids: [id], since: 0 }),
      theirs: patchAsOther({ status: 'client_review' }),
    },
  ],
  undoAppSession: [
    {
      ...task,
      make: async (world) => {
        const { app, task: id } = await renameAsApp(world, world.people.owner);
        return { id, app };
      },
      mine: ({ app }) => ({ app }),
      theirs: patchAsOther({ name: 'Changed' }),
    },
  ],
  updateTemplate: withAndWithoutPage(
    { ...template, mine: ({ id }) => ({ id, name: 'Mine' }) },
    { name: 'Before' },
  ),
  deleteTemplate: [{ ...template, mine: pickId }],
  addTemplateTask: [{ ...template, mine: ({ id }) => ({ id, name: 'Mine' }) }],
  updateTemplateTask: withAndWithoutPage(
    {
      ...template,
      mine: ({ id }) => ({ id, itemId: 1, name: 'Mine' }),
      theirs: ({ id }, world) => sendAsAdmin(world)('updateTemplateTask', { id, itemId: 1, name: 'Theirs' }),
    },
    { name: 'Before' },
  ),
  deleteTemplateTask: [{ ...template, mine: ({ id }) => ({ id, itemId: 2 }) }],
  addComment: [{ ...task, mine: ({ id }) => ({ id, content: 'Mine' }), theirs: archiveAsOther }],
  updateComment: withAndWithoutPage(
    { ...comment, mine: (thing) => ({ ...pickCommentIds(thing), content: 'Mine' }) },
    { content: 'First' },
  ),
  deleteComment: [
    { ...comment, mine: pickCommentIds },
    { ...comment, mine: pickCommentIds, theirs: archiveAsOther },
  ],
  updateMeeting: [meeting],
  moveMeeting: withAndWithoutPage(meeting, { location: null }),
  cancelMeeting: [{ ...meeting, mine: pickId }],
  startTimer: [{ ...task, mine: ({ id }) => ({ taskId: id }), theirs: archiveAsOther }],
};
