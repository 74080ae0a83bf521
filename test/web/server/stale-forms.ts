// This file is long because it lists, for each form of the web app, the concurrent changes that can conflict with it.
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { saveFilter } from '../../../src/tasks/saved-filters/saved-filters.ts';
import { deleteTemplate } from '../../../src/templates/operations/templates.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { renameAsApp } from '../../app-activity/connect-app.ts';
import { proposeChange } from '../../change-sets/propose.ts';
import { insertExport } from '../../exports/prepare-export.ts';
import { addCsvFile, deleteImportedFile, prepareImport } from '../../imports/prepare-import.ts';
import { callTool } from '../../mcp/client.ts';
import { createForm, createLink } from '../../sharing/share.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress } from '../../support/people.ts';
import {
  addPerson,
  createMeeting,
  createProject,
  createTask,
  createTeam,
  type Person,
  type World,
} from '../../support/world.ts';
import { createTemplate } from '../../templates/create-template.ts';
import { createWebhook, openReceiver } from '../../webhooks/delivery/receivers.ts';
import { createBotAndKey } from '../../workspaces/bots/create-bot.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

/** Ids, by the name of the path parameter or field that they are sent in. */
export type Ids = Readonly<Record<string, string | number>>;

interface RemovableObject {
  readonly ids: Ids;
  /** Removes or closes the object, or restores a deleted field. In most cases, this is done as another person. */
  readonly remove: () => Promise<unknown>;
}

type CreateObject = (world: World, actor: Person) => Promise<RemovableObject>;

async function assertSuccess(answer: Promise<{ status: number; text: string }>) {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`returned ${status}: ${text}`);
}

/** Throws if the form is rejected. */
async function submitFormAs(
  world: World,
  person: Person,
  page: string,
  action: string,
  fields: Record<string, string> = {},
) {
  const answer = await (await WorkspaceBrowser.signIn(world, person)).send(page, action, fields);
  if (answer.status !== 303) throw new Error(`${action} returned ${answer.status}`);
}

async function createDoomedProject(world: World) {
  const { owner } = world.people;
  const { id, name } = await createProject(world, { owner, members: [world.people.admin] });
  const remove = () =>
    submitFormAs(world, owner, `/projects/${id}/settings`, `/projects/${id}/remove`, { name });
  return { id, remove };
}

/** Objects that can be removed or closed before a form is submitted. */
const objectCreators = {
  project: async (world) => {
    const { id, remove } = await createDoomedProject(world);
    return { ids: { id, projectId: id, userId: world.people.member.userId }, remove };
  },
  memberOfProject: async (world) => {
    const { owner, admin } = world.people;
    const id = world.projects.other.id;
    const person = await addPerson(world, 'fresh', 'member');
    const page = `/projects/${id}/settings`;
    await submitFormAs(world, owner, page, `/projects/${id}/people`, { userIds: person.userId });
    const ids = { id, userId: person.userId, userIds: person.userId };
    return {
      ids,
      remove: () =>
        submitFormAs(world, admin, `/people?about=${person.userId}`, `/people/${person.userId}/remove`),
    };
  },
  person: async (world) => {
    const { userId } = await addPerson(world, 'fresh', 'member');
    const id = world.projects.other.id;
    return {
      ids: { userId, id, userIds: userId, heirId: userId },
      remove: () =>
        submitFormAs(world, world.people.owner, `/people?about=${userId}`, `/people/${userId}/remove`),
    };
  },
  invitation: async (world) => {
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    const email = createEmailAddress();
    await owner.send('/people', '/people/invitations', { email, role: 'member', projectIds: '' });
    const { html } = await owner.open('/people');
    const [, id = ''] = /people\/invitations\/(\d+)\/withdraw/.exec(html.slice(html.indexOf(email))) ?? [];
    return { ids: { id }, remove: () => owner.send('/people', `/people/invitations/${id}/withdraw`) };
  },
  team: async (world) => {
    const person = await addPerson(world, 'fresh', 'member');
    const id = await createTeam(world, { lead: world.people.lead, members: [person] });
    return {
      ids: { id, parentId: id, userId: person.userId },
      remove: () => submitFormAs(world, world.people.owner, '/teams', `/teams/${id}/remove`),
    };
  },
  memberOfTeam: async (world) => {
    const { userId, ...person } = await addPerson(world, 'fresh', 'member');
    const id = await createTeam(world, { members: [{ userId, ...person }] });
    return {
      ids: { id, userId },
      remove: () => submitFormAs(world, world.people.owner, '/teams', `/teams/${id}/people/${userId}/remove`),
    };
  },
  /** A task that `remove` archives. */
  task: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    return {
      ids: { id, taskId: id, ids: id },
      remove: () => assertSuccess(api(world.people.owner.token).post(`/tasks/${id}/archive`)),
    };
  },
  /** A task whose project `remove` deletes. */
  taskOfProject: async (world, actor) => {
    const project = await createDoomedProject(world);
    const { id } = await createTask(actor, project.id);
    const other = await createTask(actor, world.projects.other.id);
    const ids = { id, taskId: id, ids: id, other: `#${other.id}` };
    return {
      ids: { ...ids, attachmentId: 1, commentId: 1, parentId: 1, itemId: 1, relationId: 1 },
      remove: project.remove,
    };
  },
  comment: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const { body } = await api(actor.token).post(`/tasks/${id}/comments`, { content: 'First' });
    return {
      ids: { id, commentId: body.id, parentId: body.id },
      remove: () => assertSuccess(api(world.people.owner.token).delete(`/tasks/${id}/comments/${body.id}`)),
    };
  },
  /** A task that `remove` archives, and another task. */
  relatableTask: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const other = await createTask(actor, world.projects.other.id);
    return {
      ids: { id, other: `#${other.id}` },
      remove: () => assertSuccess(api(world.people.owner.token).post(`/tasks/${id}/archive`)),
    };
  },
  relation: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const other = await createTask(actor, world.projects.other.id);
    const path = `/tasks/${id}/relations`;
    const { body } = await api(actor.token).post(path, { type: 'relates_to', taskId: other.id });
    return {
      ids: { id, relationId: body.id, other: `#${other.id}` },
      remove: () => assertSuccess(api(world.people.owner.token).delete(`${path}/${body.id}`)),
    };
  },
  checklistItem: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const items = `/tasks/${id}/checklist/items`;
    const { body } = await api(actor.token).post(items, { text: 'First' });
    return {
      ids: { id, itemId: body.id },
      remove: () => assertSuccess(api(world.people.owner.token).delete(`${items}/${body.id}`)),
    };
  },
  /** A converted checklist item whose subtask `remove` archives. */
  convertedLine: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const items = `/tasks/${id}/checklist/items`;
    const itemId = (await api(actor.token).post(items, { text: 'First' })).body.id;
    const { body } = await api(actor.token).post(`${items}/${itemId}/convert`);
    return {
      ids: { id, itemId, subtaskId: body.id },
      remove: () => assertSuccess(api(world.people.owner.token).post(`/tasks/${body.id}/archive`)),
    };
  },
  recurringTask: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const path = `/tasks/${id}/recurrence`;
    await api(actor.token).put(path, { rule: 'FREQ=DAILY', mode: 'schedule' });
    return { ids: { id }, remove: () => assertSuccess(api(world.people.owner.token).delete(path)) };
  },
  template: async (world, actor) => {
    const id = await createTemplate(actor, world.projects.other.id);
    const { owner } = world.people;
    return {
      ids: { id, templateId: id, itemId: 2, projectId: world.projects.other.id },
      remove: () => runForm(owner.token, deleteTemplate, { id }),
    };
  },
  meeting: async (world, actor) => {
    const { id: project } = await createProject(world, { owner: actor, members: [world.people.owner] });
    const { id } = await createMeeting(actor, project);
    return {
      ids: { id },
      remove: () => assertSuccess(api(world.people.owner.token).delete(`/meetings/${id}`)),
    };
  },
  webhook: async (world, actor) => {
    const { id } = await createWebhook(actor.token, openReceiver().url);
    return {
      ids: { id },
      remove: () => assertSuccess(api(world.people.owner.token).delete(`/webhooks/${id}`)),
    };
  },
  csvFile: async (world, actor) => {
    const { id: projectId, remove } = await createDoomedProject(world);
    return { ids: { projectId, attachmentId: await addCsvFile(world, actor, projectId) }, remove };
  },
  import: async (world) => {
    const { owner } = world.people;
    const id = await prepareImport(world, owner, world.projects.other.id);
    return { ids: { id }, remove: () => assertSuccess(api(owner.token).post(`/imports/${id}/cancel`)) };
  },
  export: async (world) => {
    const { owner } = world.people;
    const id = await insertExport(world, owner, { status: 'completed' });
    return { ids: { id }, remove: () => assertSuccess(api(owner.token).delete(`/exports/${id}`)) };
  },
  /** An import whose file was deleted, so that it fails as soon as the cron job continues it. */
  runningImport: async (world) => {
    const id = await prepareImport(world, world.people.owner, world.projects.other.id);
    await deleteImportedFile(world, id);
    const setStatus = (status: string) =>
      getCell(world.cell).prepare('UPDATE imports SET status = ? WHERE id = ?').bind(status, id).run();
    await setStatus('running');
    return { ids: { id }, remove: () => setStatus('failed') };
  },
  /** A time entry that the same person deletes in another window. */
  timeEntry: async (world, actor) => {
    const { id: taskId } = await createTask(actor, world.projects.other.id);
    const times = { startTime: '2026-01-05T09:00:00.000Z', endTime: '2026-01-05T09:30:00.000Z' };
    const { body } = await api(actor.token).post('/timer/entries', { taskId, ...times });
    return {
      ids: { id: body.id },
      remove: () => assertSuccess(api(actor.token).delete(`/timer/entries/${body.id}`)),
    };
  },
  notification: async (world, actor) => {
    const assigneeId = actor.userId;
    await createTask(world.people.owner, world.projects.other.id, { assigneeId });
    const { body } = await api(actor.token).get('/notifications');
    const { id } = body.data[0];
    return { ids: { id }, remove: () => assertSuccess(api(actor.token).delete(`/notifications/${id}`)) };
  },
  savedFilter: async (world, actor) => {
    const saved = { name: 'Mine', q: 'mine', isShared: true };
    const { id } = (await runForm(actor.token, saveFilter, saved)).body;
    return {
      ids: { id, filterId: id },
      remove: () => submitFormAs(world, world.people.owner, '/filters', `/filters/${id}/delete`),
    };
  },
  publicLink: async (world) => {
    const projectId = world.projects.other.id;
    const { id } = await createLink(world.people.owner, { projectId });
    return {
      ids: { id },
      remove: () =>
        submitFormAs(world, world.people.owner, `/projects/${projectId}/sharing`, `/links/${id}/revoke`),
    };
  },
  intakeForm: async (world) => {
    const { id } = await createProject(world, { owner: world.people.owner });
    await createForm(world.people.owner, id);
    return {
      ids: { projectId: id },
      remove: () =>
        submitFormAs(world, world.people.owner, `/projects/${id}/sharing`, `/projects/${id}/intake/end`),
    };
  },
  /** A custom field that is used in one new project. */
  customField: async (world) => {
    const { id: project } = await createProject(world, { owner: world.people.owner });
    const number = await createField(world, 'text');
    await addFieldsToProject(world, project, [number]);
    return {
      ids: { id: number, number },
      remove: () => submitFormAs(world, world.people.owner, '/fields', `/fields/${number}/remove`),
    };
  },
  taskWithField: async (world, actor) => {
    const { id: project } = await createProject(world, {
      owner: world.people.owner,
      ...(actor.userId !== world.people.owner.userId && { members: [actor] }),
    });
    const number = await createField(world, 'text');
    await addFieldsToProject(world, project, [number]);
    const { id } = await createTask(world.people.owner, project);
    return {
      ids: { id, number },
      remove: () => submitFormAs(world, world.people.owner, '/fields', `/fields/${number}/remove`),
    };
  },
  deletedField: async (world) => {
    const id = await createField(world, 'text');
    await runForm(world.people.owner.token, deleteCustomField, { id });
    return {
      ids: { id },
      remove: () => submitFormAs(world, world.people.owner, '/fields', `/fields/${id}/restore`),
    };
  },
  /** Changes that an app proposed to the person and then discards. */
  changeSet: async (world, actor) => {
    const { id, token } = await proposeChange(world, actor);
    return { ids: { id }, remove: () => callTool(token, 'discard_changes', { id: id }) };
  },
  bot: async (world) => {
    const { id, keyId } = await createBotAndKey(world.people.owner);
    return {
      ids: { id, userId: id, keyId },
      remove: () => runForm(world.people.owner.token, removePerson, { userId: id }),
    };
  },
  /** An app whose credential `remove` deletes, as if the app had been revoked long ago. */
  appWithChanges: async (world, actor) => {
    const { app } = await renameAsApp(world, actor);
    return {
      ids: { app },
      remove: () => getCell(world.cell).prepare('DELETE FROM credentials WHERE id = ?').bind(app).run(),
    };
  },
} satisfies Record<string, CreateObject>;
export type RemovableObjectName = keyof typeof objectCreators;

export const createRemovableObject = (name: RemovableObjectName, world: World, actor: Person) =>
  (objectCreators[name] as CreateObject)(world, actor);

/** A value that contains an id is a function, because ids are known only once the world exists. */
type Value = string | ((world: World) => string);

/** A form that displays a stored value and can change it. */
export interface EditForm {
  readonly findForm: (world: World, actor: Person) => Promise<{ page: string; action: string }>;
  /** Fields that distinguish the form from others with the same action. */
  readonly identifyingFields?: Readonly<Record<string, string>>;
  readonly field: string;
  readonly newValue: Value;
  readonly otherValue: Value;
  /** True if the value is an id, which messages omit. */
  readonly isId?: true;
  /** Another field of the form, which the person changes while someone else changes `field`. */
  readonly otherField?: readonly [field: string, value: string];
  /** True if only one person can change the value, so that the conflicting change comes from their second window. */
  readonly isOwn?: true;
  /** True if no event records the change, so that the form can't name the person who made it. */
  readonly hasUnknownAuthor?: true;
}

interface FormConflicts {
  /** Objects that the form needs in order to succeed. */
  readonly needs: readonly RemovableObjectName[];
  /** The fields to submit. Placeholders such as `:projectId` are replaced with the ids of the created objects. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly edit?: EditForm;
  /** The reason why no conflict is possible, if the form needs and edits nothing. */
  readonly noConflictReason?: string;
}

const toFormLocation = (page: string, action = page) => Promise.resolve({ page, action });
const createTaskPage = async (world: World, actor: Person, verb = '') => {
  const { id } = await createTask(actor, world.projects.other.id, { description: 'Before' });
  return { page: `/tasks/${id}`, action: `/tasks/${id}${verb}` };
};
const createTemplatePage = async (world: World, actor: Person, verb = '') => {
  const id = await createTemplate(actor, world.projects.other.id);
  return { page: `/templates/${id}`, action: `/templates/${id}${verb}` };
};
const OWN_DATA = "applies to the person's own data, whatever its state";
const ONLY_REMOVER = 'can be used only by the person who removed it (test/kernel/removals)';
const CREATES_NEW = 'creates something that no one else can have changed';

export const formConflicts: Record<string, FormConflicts> = {
  moveTask: { needs: ['task', 'taskOfProject'], fields: { status: 'completed' } },
  quickAdd: { needs: ['project'], fields: { projectId: ':projectId', name: 'Quick', status: 'todo' } },
  addTask: { needs: ['project'], fields: { projectId: ':projectId', name: 'Quick, high' } },
  createTask: {
    needs: ['project', 'person'],
    fields: { projectId: ':projectId', name: 'New', assigneeId: ':userId' },
  },
  changeTasks: { needs: ['task', 'taskOfProject'], fields: { ids: ':ids', status: 'completed' } },
  archiveTasks: { needs: ['taskOfProject'], fields: { ids: ':ids' } },
  restoreTasks: { needs: ['taskOfProject'], fields: { ids: ':ids' } },
  moveTasks: { needs: ['taskOfProject'], fields: { ids: ':ids', projectId: '1' } },
  undoMoves: { needs: ['taskOfProject'], fields: { ids: ':ids', since: '0' } },
  deleteTasks: { needs: ['taskOfProject'], fields: { ids: ':ids' } },
  restoreDeletedTasks: {
    needs: [],
    noConflictReason: 'the message says how many tasks are no longer in the trash',
  },
  undo: { needs: ['taskOfProject'], fields: { ids: ':ids', since: '0' } },
  saveTaskTemplate: { needs: ['taskOfProject'] },
  saveProjectTemplate: { needs: ['project'] },
  changeTemplate: {
    needs: ['template'],
    fields: { name: 'Renamed' },
    edit: {
      findForm: createTemplatePage,
      identifyingFields: { name: '' },
      field: 'name',
      newValue: 'My template',
      otherValue: 'Their template',
      otherField: ['description', 'For posts'],
    },
  },
  removeTemplate: { needs: ['template'] },
  addTemplateTask: { needs: ['template'], fields: { name: 'Added' } },
  changeTemplateTask: {
    needs: ['template'],
    fields: { name: 'Changed', tags: '', lines: '' },
    edit: {
      findForm: (world, actor) => createTemplatePage(world, actor, '/items/1'),
      field: 'name',
      newValue: 'My task',
      otherValue: 'Their task',
    },
  },
  removeTemplateTask: { needs: ['template'] },
  createTaskFromTemplate: { needs: ['template'], fields: { projectId: ':projectId' } },
  createProjectFromTemplate: { needs: ['template'], fields: { name: 'New' } },
  newFilter: { needs: [], noConflictReason: CREATES_NEW },
  filterAgain: { needs: [], noConflictReason: CREATES_NEW },
  replaceFilter: { needs: ['savedFilter'], fields: { q: 'other' } },
  changeFilter: {
    needs: ['savedFilter'],
    fields: { name: 'Renamed' },
    edit: {
      findForm: async (_world, actor) => {
        const { body } = await runForm(actor.token, saveFilter, { name: 'Mine', q: 'mine' });
        return toFormLocation('/filters', `/filters/${body.id}`);
      },
      identifyingFields: { field: 'name' },
      field: 'name',
      newValue: 'My filter',
      otherValue: 'Their filter',
      isOwn: true,
    },
  },
  removeFilter: { needs: ['savedFilter'] },
  newProjectLink: { needs: ['project'] },
  newFilterLink: { needs: ['savedFilter'] },
  changeLink: {
    needs: ['publicLink'],
    fields: { showsNames: 'true' },
    edit: {
      findForm: async (world) => {
        const { id: projectId } = await createProject(world, { owner: world.people.owner });
        const { id } = await createLink(world.people.owner, { projectId });
        return toFormLocation(`/projects/${projectId}/sharing`, `/links/${id}`);
      },
      field: 'expiresOn',
      newValue: '2998-01-01',
      otherValue: '2999-01-01',
      otherField: ['showsNames', 'true'],
      hasUnknownAuthor: true,
    },
  },
  revokeLink: { needs: ['publicLink'] },
  newIntakeForm: { needs: ['project'] },
  changeIntakeForm: {
    needs: ['intakeForm', 'project'],
    fields: { greeting: 'Hello' },
    edit: {
      findForm: async (world) => {
        const { id } = await createProject(world, { owner: world.people.owner });
        await createForm(world.people.owner, id);
        return toFormLocation(`/projects/${id}/sharing`, `/projects/${id}/intake/settings`);
      },
      field: 'greeting',
      newValue: 'My greeting',
      otherValue: 'Their greeting',
      otherField: ['tag', 'theirs'],
      hasUnknownAuthor: true,
    },
  },
  removeIntakeForm: { needs: ['intakeForm', 'project'] },
  applyChangeSet: { needs: ['changeSet'], fields: { items: '1' } },
  rejectChangeSet: { needs: ['changeSet'] },
  undoAppSession: { needs: ['appWithChanges'] },
  newBot: { needs: [], noConflictReason: CREATES_NEW },
  changeBot: {
    needs: ['bot'],
    fields: { name: 'Renamed' },
    edit: {
      findForm: async (world) => toFormLocation(`/bots/${(await createBotAndKey(world.people.owner)).id}`),
      field: 'name',
      newValue: 'My bot',
      otherValue: 'Their bot',
      otherField: ['icon', 'bug'],
    },
  },
  newBotKey: { needs: ['bot'], fields: { name: 'Key' } },
  revokeBotKey: { needs: ['bot'] },
  changeBotRole: {
    needs: ['bot'],
    fields: { role: 'lead' },
    edit: {
      findForm: async (world) => {
        const { id } = await createBotAndKey(world.people.owner);
        return toFormLocation(`/bots/${id}`, `/bots/${id}/role`);
      },
      field: 'role',
      newValue: 'lead',
      otherValue: 'client',
    },
  },
  removeBot: { needs: ['bot'] },
  changeTask: {
    needs: ['task', 'taskOfProject'],
    fields: { status: 'completed' },
    edit: {
      findForm: createTaskPage,
      identifyingFields: { field: 'name' },
      field: 'name',
      newValue: 'My name',
      otherValue: 'Their name',
    },
  },
  orderSubtasks: { needs: ['task', 'taskOfProject'], fields: { ids: ':ids' } },
  assignTask: { needs: ['task', 'taskOfProject'], fields: { assigneeIds: '' } },
  tagTask: {
    needs: ['task', 'taskOfProject'],
    fields: { tags: 'one' },
    edit: {
      findForm: (w, a) => createTaskPage(w, a, '/tags'),
      field: 'tags',
      newValue: 'mine',
      otherValue: 'theirs',
    },
  },
  setTaskField: {
    needs: ['taskWithField'],
    fields: { value: 'Ada' },
    edit: {
      findForm: async (world, actor) => {
        const { ids } = await createRemovableObject('taskWithField', world, actor);
        return toFormLocation(`/tasks/${ids.id}`, `/tasks/${ids.id}/fields/${ids.number}`);
      },
      field: 'value',
      newValue: 'Mine',
      otherValue: 'Theirs',
    },
  },
  categorizeTask: {
    needs: ['task', 'taskOfProject'],
    fields: { kind: '' },
    edit: {
      findForm: async (world, actor) => {
        const { page } = await createTaskPage(world, actor);
        return toFormLocation(`${page}/category`);
      },
      field: 'kind',
      newValue: ({ categories }) => `type-${categories[0].typeId}`,
      otherValue: ({ categories }) => `category-${categories[1].id}`,
      isId: true,
    },
  },
  followTask: { needs: ['task', 'taskOfProject'] },
  unfollowTask: { needs: ['task', 'taskOfProject'] },
  writeDescription: {
    needs: ['task', 'taskOfProject'],
    fields: { description: 'New' },
    edit: {
      findForm: (w, a) => createTaskPage(w, a, '/description'),
      field: 'description',
      newValue: 'My text',
      otherValue: 'Their text',
    },
  },
  addRelation: {
    needs: ['relatableTask', 'taskOfProject'],
    fields: { type: 'relates_to', task: ':other' },
  },
  removeRelation: {
    needs: ['relation', 'taskOfProject'],
    fields: { type: 'relates_to', task: ':other' },
  },
  addChecklistLine: { needs: ['task', 'taskOfProject'], fields: { text: 'A line' } },
  changeChecklistLine: {
    needs: ['checklistItem', 'taskOfProject'],
    fields: { text: 'Another line' },
    edit: {
      findForm: async (world, actor) => {
        const { ids } = await createRemovableObject('checklistItem', world, actor);
        return { page: `/tasks/${ids.id}`, action: `/tasks/${ids.id}/checklist/items/${ids.itemId}` };
      },
      identifyingFields: { field: 'text' },
      field: 'text',
      newValue: 'My line',
      otherValue: 'Their line',
    },
  },
  removeChecklistLine: {
    needs: ['checklistItem', 'taskOfProject'],
    fields: { text: 'First', isDone: 'false', position: '0' },
  },
  convertChecklistLine: { needs: ['checklistItem', 'taskOfProject'], fields: { position: '0' } },
  restoreConvertedLine: {
    needs: ['convertedLine', 'taskOfProject'],
    fields: { subtaskId: ':subtaskId', position: '0' },
  },
  remindMe: { needs: ['task', 'taskOfProject'], fields: { items: '30', at: '', zone: 'UTC' } },
  repeatTask: {
    needs: ['task', 'taskOfProject'],
    fields: { rule: 'FREQ=DAILY', mode: 'schedule', days: '' },
    edit: {
      findForm: (w, a) => createTaskPage(w, a, '/recurrence'),
      field: 'rule',
      newValue: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      otherValue: 'FREQ=DAILY',
    },
  },
  stopRepeating: {
    needs: ['recurringTask', 'taskOfProject'],
    fields: { rule: 'FREQ=DAILY', mode: 'schedule', days: '' },
  },
  comment: { needs: ['task', 'taskOfProject'], fields: { content: 'A word' } },
  reply: { needs: ['comment', 'taskOfProject'], fields: { content: 'A word' } },
  rewriteComment: {
    needs: ['comment', 'taskOfProject'],
    fields: { content: 'Another word' },
    edit: {
      findForm: async (world, actor) => {
        const { ids } = await createRemovableObject('comment', world, actor);
        return { page: `/tasks/${ids.id}`, action: `/tasks/${ids.id}/comments/${ids.commentId}` };
      },
      field: 'content',
      newValue: 'My second thought',
      otherValue: 'My first thought',
      isOwn: true,
    },
  },
  removeComment: { needs: ['comment', 'taskOfProject'] },
  addReaction: { needs: ['comment', 'taskOfProject'], fields: { reaction: 'heart' } },
  removeReaction: { needs: ['comment', 'taskOfProject'], fields: { reaction: 'heart' } },
  startTimer: { needs: ['task', 'taskOfProject'] },
  stopTimer: { needs: [], noConflictReason: OWN_DATA },
  archiveTask: { needs: ['taskOfProject'] },
  restoreTask: { needs: ['taskOfProject'] },
  duplicateTask: { needs: ['taskOfProject'] },
  moveToProject: { needs: ['task', 'taskOfProject'], fields: { projectId: '1' } },
  deleteTask: { needs: ['taskOfProject'] },
  restoreDeletedTask: { needs: ['taskOfProject'] },
  removeFile: { needs: ['taskOfProject'] },
  restoreFile: { needs: ['taskOfProject'] },
  renewFeed: { needs: [], noConflictReason: OWN_DATA },
  endFeed: { needs: [], noConflictReason: OWN_DATA },
  planMeeting: {
    needs: ['project'],
    fields: {
      projectId: ':projectId',
      name: 'Talk',
      date: '2030-01-01',
      time: '10:00',
      minutes: '30',
      participantIds: ':userId',
    },
  },
  moveMeeting: {
    needs: ['meeting'],
    fields: { date: '2030-01-01' },
    edit: {
      findForm: async (world, actor) => {
        const { ids } = await createRemovableObject('meeting', world, actor);
        return toFormLocation(`/meetings/${ids.id}`);
      },
      field: 'location',
      newValue: 'My room',
      otherValue: 'Their room',
      otherField: ['time', '11:30'],
    },
  },
  cancelMeeting: { needs: ['meeting'] },
  restoreMeeting: { needs: [], noConflictReason: ONLY_REMOVER },
  logTime: {
    needs: ['taskOfProject', 'task'],
    fields: { taskId: ':taskId', startTime: '2026-01-05T09:00', endTime: '2026-01-05T09:30', zone: 'UTC' },
  },
  changeEntry: {
    needs: ['timeEntry'],
    fields: { startTime: '2026-01-05T09:00', endTime: '2026-01-05T09:20', zone: 'UTC' },
  },
  removeEntry: { needs: ['timeEntry'] },
  removeProjectFile: { needs: ['taskOfProject'] },
  restoreProjectFile: { needs: ['taskOfProject'] },
  openNotification: { needs: ['notification'] },
  chooseMail: { needs: [], noConflictReason: "replaces all of the person's own preferences at once" },
  choosePush: {
    needs: [],
    fields: { types: 'mentioned' },
    noConflictReason: "replaces all of the person's own preferences at once",
  },
  turnOnPush: { needs: [], noConflictReason: OWN_DATA },
  turnOffPush: { needs: [], noConflictReason: OWN_DATA },
  testPush: { needs: [], noConflictReason: OWN_DATA },
  readNotification: { needs: ['notification'] },
  readAll: { needs: [], noConflictReason: OWN_DATA },
  removeNotification: { needs: ['notification'] },
  restoreNotification: { needs: [], noConflictReason: ONLY_REMOVER },
  createProject: { needs: [], noConflictReason: CREATES_NEW },
  changeColumn: {
    needs: ['project'],
    fields: { column: 'todo', label: 'Renamed' },
    edit: {
      findForm: async (world) => {
        const { id } = await createProject(world, { owner: world.people.owner });
        return toFormLocation(`/projects/${id}/settings`, `/projects/${id}/columns`);
      },
      identifyingFields: { column: 'todo' },
      field: 'label',
      newValue: 'My column',
      otherValue: 'Their column',
      otherField: ['limit', '7'],
    },
  },
  changeProject: {
    needs: ['project'],
    fields: { name: 'Renamed' },
    edit: {
      findForm: async (world) => {
        const { id } = await createProject(world, { owner: world.people.owner });
        return toFormLocation(`/projects/${id}/settings`, `/projects/${id}`);
      },
      field: 'description',
      newValue: 'My description',
      otherValue: 'Their description',
      otherField: ['status', 'on-hold'],
    },
  },
  addPeople: { needs: ['project', 'person'], fields: { userIds: ':userId' } },
  removePersonFromProject: { needs: ['project', 'memberOfProject'] },
  handOverProject: { needs: ['project', 'memberOfProject', 'person'], fields: { userId: ':userId' } },
  removeProject: { needs: ['project'], fields: { name: 'Any' } },
  invite: {
    needs: ['project'],
    fields: { email: 'somebody.new@example.com', role: 'member', projectIds: ':projectId' },
  },
  inviteAgain: { needs: ['invitation'] },
  withdrawInvitation: { needs: ['invitation'] },
  giveRole: {
    needs: ['person'],
    fields: { role: 'lead' },
    edit: {
      findForm: async (world) => {
        const { userId } = await addPerson(world, 'fresh', 'member');
        return toFormLocation('/people', `/people/${userId}/role`);
      },
      field: 'role',
      newValue: 'lead',
      otherValue: 'client',
    },
  },
  takeOut: { needs: ['person'] },
  giveWorkspace: { needs: ['person'] },
  leaveWorkspace: { needs: [], noConflictReason: 'is rejected if the person has already been removed' },
  newTeam: { needs: ['team'], fields: { name: 'A part', parentId: ':parentId' } },
  changeTeam: {
    needs: ['team'],
    fields: { name: 'Renamed' },
    edit: {
      findForm: async (world) => toFormLocation('/teams', `/teams/${await createTeam(world, {})}`),
      field: 'name',
      newValue: 'My team',
      otherValue: 'Their team',
    },
  },
  removeTeam: { needs: ['team'] },
  putIntoTeam: { needs: ['team', 'person'], fields: { userId: ':userId' } },
  takeFromTeam: { needs: ['team', 'memberOfTeam'] },
  newCategory: { needs: [], noConflictReason: CREATES_NEW },
  changeCategory: {
    needs: [],
    edit: {
      findForm: async ({ categories }) => toFormLocation('/categories', `/categories/${categories[0].id}`),
      identifyingFields: { value: '' },
      field: 'value',
      newValue: 'My kind',
      otherValue: 'Their kind',
      otherField: ['defaultEstimatedHours', '3.5'],
    },
  },
  newCustomField: { needs: [], noConflictReason: CREATES_NEW },
  changeCustomField: {
    needs: ['customField'],
    fields: { name: 'Renamed' },
    edit: {
      findForm: async (world) => toFormLocation('/fields', `/fields/${await createField(world, 'text')}`),
      field: 'name',
      newValue: 'My field',
      otherValue: 'Their field',
    },
  },
  removeCustomField: { needs: ['customField'] },
  restoreCustomField: { needs: ['deletedField'] },
  setProjectFields: { needs: ['project'], fields: { fieldIds: '' } },
  newType: { needs: [], noConflictReason: 'needs only its category, and categories are never deleted' },
  changeType: {
    needs: [],
    edit: {
      findForm: async ({ categories }) => toFormLocation('/categories', `/types/${categories[0].typeId}`),
      identifyingFields: { value: '' },
      field: 'value',
      newValue: 'My type',
      otherValue: 'Their type',
      otherField: ['defaultEstimatedHours', '1.25'],
    },
  },
  changeLabel: {
    needs: [],
    edit: {
      findForm: async ({ projects }, actor) => {
        await createTask(actor, projects.other.id, { tags: ['stale'] });
        return toFormLocation('/labels');
      },
      identifyingFields: { label: 'stale' },
      field: 'description',
      newValue: 'My description',
      otherValue: 'Their description',
      otherField: ['color', '#2563eb'],
    },
  },
  changeWorkspace: {
    needs: [],
    edit: {
      findForm: () => toFormLocation('/settings'),
      field: 'name',
      newValue: 'My studio',
      otherValue: 'Their studio',
      otherField: ['timezone', 'Europe/Vienna'],
    },
  },
  removeWorkspace: {
    needs: [],
    noConflictReason: 'ends access for everyone (test/workspaces/settings)',
  },
  createImport: { needs: ['csvFile'], fields: { attachmentId: ':attachmentId' } },
  changeImport: { needs: ['import'], fields: { 'column-0': 'name' } },
  startImport: { needs: ['import'] },
  cancelImport: { needs: ['runningImport'] },
  createExport: { needs: [], noConflictReason: CREATES_NEW },
  deleteExport: { needs: ['export'] },
  newWebhook: { needs: [], noConflictReason: CREATES_NEW },
  changeWebhook: {
    needs: ['webhook'],
    fields: { description: 'Changed' },
    edit: {
      findForm: async (world, actor) => {
        const { ids } = await createRemovableObject('webhook', world, actor);
        return toFormLocation(`/webhooks/${ids.id}`);
      },
      identifyingFields: { description: '' },
      field: 'description',
      newValue: 'My purpose',
      otherValue: 'The first purpose',
      otherField: ['batch', 'true'],
      isOwn: true,
    },
  },
  removeWebhook: { needs: ['webhook'] },
  tryWebhook: { needs: ['webhook'] },
  sendAgain: { needs: ['webhook'], fields: { after: '0' } },
  newSecret: { needs: ['webhook'] },
};
