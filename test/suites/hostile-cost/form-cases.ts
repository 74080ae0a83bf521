// This file is long because it lists valid input for every form of the web app.

import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { notificationTypes } from '../../../src/notifications/inbox/notifications.schema.ts';
import { deleteProject } from '../../../src/projects/deletion/delete-project.ts';
import type { AnyForm } from '../../../src/web/page-model/page.ts';
import { deleteExports, insertExport } from '../../exports/prepare-export.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { addCsvFile, deleteImportedFile, prepareImport } from '../../imports/prepare-import.ts';
import {
  createSubscriptionFields,
  turnOnPushEverywhere,
} from '../../notifications/push/stored-subscription.ts';
import { readFormFields } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { createField } from '../../support/custom-fields.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress } from '../../support/people.ts';
import { addPerson, createMeeting, createProject, createTask, type World } from '../../support/world.ts';
import { createProjectTemplate } from '../../templates/create-template.ts';
import {
  createRemovableObject,
  formConflicts,
  type RemovableObjectName,
} from '../../web/server/stale-forms.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';

type FormInput = Readonly<Record<string, string | number>>;
type PrepareInput = (world: World) => Promise<FormInput> | FormInput;

export interface FormSubmission {
  readonly screens: WorkspaceBrowser;
  readonly action: string;
  readonly fields: Record<string, string>;
}

const WEEK_MS = 7 * 86_400_000;
let valueCount = 0;
/** Returns an unused name, a day without meetings, and the start and end of a period without time entries. */
const createFreshValues = () => {
  valueCount += 1;
  const dayAfter = (year: number) =>
    new Date(Date.UTC(year, 0, 1) + valueCount * WEEK_MS).toISOString().slice(0, 10);
  const day = dayAfter(2020);
  return {
    name: `New ${valueCount}`,
    date: dayAfter(2030),
    startTime: `${day}T09:00`,
    endTime: `${day}T09:30`,
    zone: 'UTC',
  };
};
const createTaskId = async ({ people, projects }: World) =>
  (await createTask(people.owner, projects.other.id)).id;

async function createEntryId(world: World): Promise<number> {
  const { startTime, endTime } = createFreshValues();
  const times = { startTime: `${startTime}:00.000Z`, endTime: `${endTime}:00.000Z` };
  const answer = await api(world.people.owner.token).post('/timer/entries', {
    taskId: await createTaskId(world),
    ...times,
  });
  return answer.body.id;
}

const createImportId = ({ people, projects, ...world }: World) =>
  prepareImport(world, people.owner, projects.other.id);

const createMeetingId = async ({ people, projects }: World) =>
  (await createMeeting(people.owner, projects.other.id)).id;

async function createTaskFile(world: World) {
  const id = await createTaskId(world);
  return { id, attachmentId: await insertFile(world, world.people.owner, { task: id }) };
}

async function createProjectFile(world: World) {
  const { id } = world.projects.other;
  return { id, attachmentId: await insertFile(world, world.people.owner, { project: id }) };
}

async function removeFile<I extends FormInput>(world: World, operation: AnyOperation, input: I): Promise<I> {
  await runForm(world.people.owner.token, operation, input);
  return input;
}

const createWebhookInput = async (world: World) => {
  await getCell(world.cell).prepare('DELETE FROM webhooks WHERE ws = ?').bind(world.no).run();
  return { id: await insertWebhook(world, world.people.owner) };
};

const FROM_TEMPLATE = 'From a template';

/** Prevents lists of projects from growing with each run. */
async function deleteProjectsFromTemplates({ people, no, cell }: World): Promise<void> {
  const { results } = await getCell(cell)
    .prepare('SELECT id FROM projects WHERE ws = ? AND name = ?')
    .bind(no, FROM_TEMPLATE)
    .all<{ id: number }>();
  for (const { id } of results) await runForm(people.owner.token, deleteProject, { id, name: FROM_TEMPLATE });
}

/** Input for forms that don't succeed with the input in `formConflicts`. */
const prepareByForm: Readonly<Record<string, PrepareInput>> = {
  undo: async (world) => {
    const id = await createTaskId(world);
    const since = Date.now() - 1;
    await api(world.people.owner.token).patch('/tasks/bulk', { ids: [id], set: { priority: 'high' } });
    return { ids: id, since };
  },
  orderSubtasks: async (world) => {
    const id = await createTaskId(world);
    const { other } = world.projects;
    const first = await createTask(world.people.owner, other.id, { parentId: id });
    const second = await createTask(world.people.owner, other.id, { parentId: id });
    return { id, ids: `${second.id},${first.id}` };
  },
  moveToProject: async (world) => ({ id: await createTaskId(world), projectId: world.projects.joined.id }),
  moveTasks: async (world) => ({ ids: await createTaskId(world), projectId: world.projects.joined.id }),
  undoMoves: async (world) => {
    const id = await createTaskId(world);
    const since = Date.now() - 1;
    await api(world.people.owner.token).post(`/tasks/${id}/move`, { projectId: world.projects.joined.id });
    return { ids: id, since };
  },
  deleteTasks: async (world) => ({ ids: await createTaskId(world) }),
  restoreDeletedTasks: async (world) => {
    const id = await createTaskId(world);
    await api(world.people.owner.token).delete(`/tasks/${id}`);
    return { ids: id };
  },
  deleteTask: async (world) => ({ id: await createTaskId(world) }),
  restoreDeletedTask: async (world) => {
    const id = await createTaskId(world);
    await api(world.people.owner.token).delete(`/tasks/${id}`);
    return { id };
  },
  removeFile: createTaskFile,
  restoreFile: async (world) => removeFile(world, removeTaskFile, await createTaskFile(world)),
  removeProjectFile: createProjectFile,
  restoreProjectFile: async (world) => removeFile(world, removeProjectFile, await createProjectFile(world)),
  restoreMeeting: async (world) => {
    const id = await createMeetingId(world);
    await api(world.people.owner.token).delete(`/meetings/${id}`);
    return { id };
  },
  restoreNotification: async (world) => {
    const { ids, remove } = await createRemovableObject('notification', world, world.people.owner);
    await remove();
    return { id: ids.id ?? 0 };
  },
  planMeeting: ({ people, projects }) => ({
    projectId: projects.other.id,
    name: 'Talk',
    date: createFreshValues().date,
    time: '10:00',
    minutes: 30,
    participantIds: people.owner.userId,
  }),
  moveMeeting: async (world) => ({ id: await createMeetingId(world), date: createFreshValues().date }),
  cancelMeeting: async (world) => ({ id: await createMeetingId(world) }),
  logTime: async (world) => {
    const { startTime, endTime, zone } = createFreshValues();
    return { taskId: await createTaskId(world), startTime, endTime, zone };
  },
  changeEntry: async (world) => {
    const { startTime, endTime, zone } = createFreshValues();
    return { id: await createEntryId(world), startTime, endTime, zone };
  },
  removeEntry: async (world) => ({ id: await createEntryId(world) }),
  chooseMail: () => Object.fromEntries(notificationTypes.map((type) => [type, 'off'])),
  choosePush: () => ({ types: 'mentioned' }),
  turnOnPush: createSubscriptionFields,
  turnOffPush: () => ({}),
  testPush: async (world) => {
    await turnOnPushEverywhere(world.people.owner);
    return {};
  },
  createProject: () => ({ name: createFreshValues().name }),
  removeProject: async (world) => {
    const { id, name } = await createProject(world, { owner: world.people.owner });
    return { id, name };
  },
  invite: () => ({ email: createEmailAddress(), role: 'member' }),
  filterAgain: () => ({ name: createFreshValues().name, q: 'x' }),
  newCategory: () => ({ value: createFreshValues().name }),
  newBot: () => ({ name: createFreshValues().name }),
  newCustomField: () => ({ name: createFreshValues().name, type: 'text' }),
  changeCustomField: async (world) => ({
    id: await createField(world, 'text'),
    name: createFreshValues().name.slice(0, 60),
  }),
  removeCustomField: async (world) => ({ id: await createField(world, 'text') }),
  setProjectFields: async (world) => {
    const { id } = await createProject(world, { owner: world.people.owner });
    return { id, fieldIds: String(await createField(world, 'text')) };
  },
  createProjectFromTemplate: async (world) => {
    const { owner } = world.people;
    const joined = await createProject(world, { owner, name: FROM_TEMPLATE });
    await createTask(owner, joined.id);
    const templateId = await createProjectTemplate({ ...world, projects: { ...world.projects, joined } });
    await deleteProjectsFromTemplates(world);
    return { templateId, name: FROM_TEMPLATE };
  },
  newFilter: () => ({ name: createFreshValues().name, q: 'x', isShared: 'true' }),
  newType: ({ categories }) => ({ categoryId: categories[0].id, value: createFreshValues().name }),
  changeColumn: async (world) => ({
    id: (await createProject(world, { owner: world.people.owner })).id,
    column: 'todo',
    label: createFreshValues().name.slice(0, 50),
  }),
  changeLabel: async ({ people, projects }) => {
    await createTask(people.owner, projects.joined.id, { tags: ['measured'] });
    return { label: 'measured', description: createFreshValues().name };
  },
  createImport: async (world) => {
    const { id: projectId } = world.projects.other;
    return { projectId, attachmentId: await addCsvFile(world, world.people.owner, projectId) };
  },
  changeImport: async (world) => ({ id: await createImportId(world), 'column-0': 'name' }),
  startImport: async (world) => {
    const id = await createImportId(world);
    await deleteImportedFile(world, id);
    return { id };
  },
  cancelImport: async (world) => ({ id: await createImportId(world) }),
  createExport: async (world) => {
    await deleteExports(world.cell, world.no);
    return { contents: 'workspace', includeFiles: 'true' };
  },
  deleteExport: async (world) => ({
    id: await insertExport(world, world.people.owner, { status: 'completed' }),
  }),
  newWebhook: async (world) => {
    await createWebhookInput(world);
    return { url: 'https://hooks.example.com/x' };
  },
  changeWebhook: async (world) => ({
    ...(await createWebhookInput(world)),
    description: createFreshValues().name,
  }),
  removeWebhook: createWebhookInput,
  tryWebhook: createWebhookInput,
  sendAgain: async (world) => ({ ...(await createWebhookInput(world)), after: 0 }),
  newSecret: createWebhookInput,
};

/** The kind of object to create for forms that need several related ids. */
const objectNameByForm: Readonly<Record<string, RemovableObjectName>> = {
  addPeople: 'person',
  handOverProject: 'memberOfProject',
  removePersonFromProject: 'memberOfProject',
  takeFromTeam: 'memberOfTeam',
};

/** Forms that change the sender's role or end their membership. */
const formsSentByAnotherOwner = ['giveWorkspace', 'leaveWorkspace'];

export async function prepareForm(
  world: World,
  owner: WorkspaceBrowser,
  { name, path }: AnyForm,
): Promise<FormSubmission> {
  const screens = formsSentByAnotherOwner.includes(name)
    ? await WorkspaceBrowser.signIn(world, await addPerson(world, 'boss', 'owner'))
    : owner;
  const { needs, fields = {}, edit } = formConflicts[name] ?? { needs: [] };
  const own = await prepareByForm[name]?.(world);
  const need = own ? undefined : (objectNameByForm[name] ?? needs[0]);
  const ids: FormInput =
    own ?? (need ? (await createRemovableObject(need, world, world.people.owner)).ids : {});
  const fillIds = (text: string) => text.replaceAll(/:(\w+)/g, (all, each) => String(ids[each] ?? all));
  const values: FormInput = own ?? fields;
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, each]) => each as string);
  const isChanged = !own && Object.keys(fields).length === 0 && edit;
  const action = isChanged && !need ? (await edit.findForm(world, world.people.owner)).action : fillIds(path);
  const { csrf = '' } = readFormFields(await (await screens.browser.get('/sign-out')).text(), '/sign-out');
  return {
    screens,
    action,
    fields: {
      csrf,
      once: crypto.randomUUID(),
      back: `${screens.base}/search`,
      ...(isChanged && { [edit.field]: `${edit.newValue} ${createFreshValues().name}` }),
      ...Object.fromEntries(
        Object.entries(values)
          .filter(([each]) => !pathParameters.includes(each))
          .map(([each, value]) => [each, fillIds(String(value))]),
      ),
    },
  };
}
