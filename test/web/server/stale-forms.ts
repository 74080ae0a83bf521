// This file is long because it lists, for each form of the web app, the concurrent changes that can conflict with it.
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { saveFilter } from '../../../src/tasks/saved-filters/saved-filters.ts';
import { deleteTemplate } from '../../../src/templates/operations/templates.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { renameAsApp } from '../../app-activity/own-app.ts';
import { proposeChange } from '../../change-sets/propose.ts';
import { addCsvFile, deleteImportedFile, prepareImport } from '../../imports/prepare-import.ts';
import { use } from '../../mcp/client.ts';
import { api } from '../../support/api.ts';
import { createField, useFields } from '../../support/custom-fields.ts';
import { cellOf } from '../../support/env.ts';
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
import { createBotWithKey } from '../../workspaces/bots/new-bot.ts';
import { Screens } from './screens.ts';

/** Ids by the names of path parameters and fields. */
export type Ids = Readonly<Record<string, string | number>>;

interface Thing {
  readonly ids: Ids;
  /** Removes or closes the thing, as another person. */
  readonly end: () => Promise<unknown>;
}

type Make = (world: World, actor: Person) => Promise<Thing>;

async function requireSuccess(answer: Promise<{ status: number; text: string }>) {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${text}`);
}

/** Submits a form as another person, and throws if it is rejected. */
async function sendAs(
  world: World,
  person: Person,
  page: string,
  action: string,
  fields: Record<string, string> = {},
) {
  const answer = await (await Screens.of(world, person)).send(page, action, fields);
  if (answer.status !== 303) throw new Error(`${action} answered ${answer.status}`);
}

async function createDoomedProject(world: World) {
  const { owner } = world.people;
  const { id, name } = await createProject(world, { owner, members: [world.people.admin] });
  const end = () => sendAs(world, owner, `/projects/${id}/settings`, `/projects/${id}/remove`, { name });
  return { id, end };
}

/** Things that can be removed or closed before a form is submitted. */
const things = {
  project: async (world) => {
    const { id, end } = await createDoomedProject(world);
    return { ids: { id, projectId: id, userId: world.people.member.userId }, end };
  },
  memberOfProject: async (world) => {
    const { owner, admin } = world.people;
    const id = world.projects.other.id;
    const person = await addPerson(world, 'fresh', 'member');
    const page = `/projects/${id}/settings`;
    await sendAs(world, owner, page, `/projects/${id}/people`, { userIds: person.userId });
    const ids = { id, userId: person.userId, userIds: person.userId };
    return {
      ids,
      end: () => sendAs(world, admin, `/people?about=${person.userId}`, `/people/${person.userId}/remove`),
    };
  },
  person: async (world) => {
    const { userId } = await addPerson(world, 'fresh', 'member');
    const id = world.projects.other.id;
    return {
      ids: { userId, id, userIds: userId, heirId: userId },
      end: () => sendAs(world, world.people.owner, `/people?about=${userId}`, `/people/${userId}/remove`),
    };
  },
  invitation: async (world) => {
    const owner = await Screens.of(world, world.people.owner);
    const email = createEmailAddress();
    await owner.send('/people', '/people/invitations', { email, role: 'member', projectIds: '' });
    const { html } = await owner.open('/people');
    const [, id = ''] = /people\/invitations\/(\d+)\/withdraw/.exec(html.slice(html.indexOf(email))) ?? [];
    return { ids: { id }, end: () => owner.send('/people', `/people/invitations/${id}/withdraw`) };
  },
  team: async (world) => {
    const person = await addPerson(world, 'fresh', 'member');
    const id = await createTeam(world, { lead: world.people.lead, members: [person] });
    return {
      ids: { id, parentId: id, userId: person.userId },
      end: () => sendAs(world, world.people.owner, '/teams', `/teams/${id}/remove`),
    };
  },
  memberOfTeam: async (world) => {
    const { userId, ...person } = await addPerson(world, 'fresh', 'member');
    const id = await createTeam(world, { members: [{ userId, ...person }] });
    return {
      ids: { id, userId },
      end: () => sendAs(world, world.people.owner, '/teams', `/teams/${id}/people/${userId}/remove`),
    };
  },
  /** A task that is archived. */
  task: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    return {
      ids: { id, taskId: id, ids: id },
      end: () => requireSuccess(api(world.people.owner.token).post(`/tasks/${id}/archive`)),
    };
  },
  /** A task whose project is deleted. */
  taskOfProject: async (world, actor) => {
    const project = await createDoomedProject(world);
    const { id } = await createTask(actor, project.id);
    const other = await createTask(actor, world.projects.other.id);
    const ids = { id, taskId: id, ids: id, other: `#${other.id}` };
    return { ids: { ...ids, attachmentId: 1, commentId: 1, itemId: 1, relationId: 1 }, end: project.end };
  },
  comment: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const { body } = await api(actor.token).post(`/tasks/${id}/comments`, { content: 'First' });
    return {
      ids: { id, commentId: body.id },
      end: () => requireSuccess(api(world.people.owner.token).delete(`/tasks/${id}/comments/${body.id}`)),
    };
  },
  /** A task that is archived, and another task. */
  relatableTask: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const other = await createTask(actor, world.projects.other.id);
    return {
      ids: { id, other: `#${other.id}` },
      end: () => requireSuccess(api(world.people.owner.token).post(`/tasks/${id}/archive`)),
    };
  },
  relation: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const other = await createTask(actor, world.projects.other.id);
    const path = `/tasks/${id}/relations`;
    const { body } = await api(actor.token).post(path, { type: 'relates_to', taskId: other.id });
    return {
      ids: { id, relationId: body.id, other: `#${other.id}` },
      end: () => requireSuccess(api(world.people.owner.token).delete(`${path}/${body.id}`)),
    };
  },
  checklistLine: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const items = `/tasks/${id}/checklist/items`;
    const { body } = await api(actor.token).post(items, { text: 'First' });
    return {
      ids: { id, itemId: body.id },
      end: () => requireSuccess(api(world.people.owner.token).delete(`${items}/${body.id}`)),
    };
  },
  /** A converted checklist item whose subtask is archived. */
  convertedLine: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const items = `/tasks/${id}/checklist/items`;
    const itemId = (await api(actor.token).post(items, { text: 'First' })).body.id;
    const { body } = await api(actor.token).post(`${items}/${itemId}/convert`);
    return {
      ids: { id, itemId, subtaskId: body.id },
      end: () => requireSuccess(api(world.people.owner.token).post(`/tasks/${body.id}/archive`)),
    };
  },
  recurringTask: async (world, actor) => {
    const { id } = await createTask(actor, world.projects.other.id);
    const path = `/tasks/${id}/recurrence`;
    await api(actor.token).put(path, { rule: 'FREQ=DAILY', mode: 'schedule' });
    return { ids: { id }, end: () => requireSuccess(api(world.people.owner.token).delete(path)) };
  },
  template: async (world, actor) => {
    const id = await createTemplate(actor, world.projects.other.id);
    const { owner } = world.people;
    return {
      ids: { id, templateId: id, itemId: 2, projectId: world.projects.other.id },
      end: () => runForm(owner.token, deleteTemplate, { id }),
    };
  },
  meeting: async (world, actor) => {
    const { id: project } = await createProject(world, { owner: actor, members: [world.people.owner] });
    const { id } = await createMeeting(actor, project);
    return {
      ids: { id },
      end: () => requireSuccess(api(world.people.owner.token).delete(`/meetings/${id}`)),
    };
  },
  webhook: async (world, actor) => {
    const { id } = await createWebhook(actor.token, openReceiver().url);
    return {
      ids: { id },
      end: () => requireSuccess(api(world.people.owner.token).delete(`/webhooks/${id}`)),
    };
  },
  csvFile: async (world, actor) => {
    const { id: projectId, end } = await createDoomedProject(world);
    return { ids: { projectId, attachmentId: await addCsvFile(world, actor, projectId) }, end };
  },
  import: async (world) => {
    const { owner } = world.people;
    const id = await prepareImport(world, owner, world.projects.other.id);
    return { ids: { id }, end: () => requireSuccess(api(owner.token).post(`/imports/${id}/cancel`)) };
  },
  /** Its file was deleted, so it fails as soon as the cron job continues it. */
  runningImport: async (world) => {
    const id = await prepareImport(world, world.people.owner, world.projects.other.id);
    await deleteImportedFile(world, id);
    const setStatus = (status: string) =>
      cellOf(world.cell).prepare('UPDATE imports SET status = ? WHERE id = ?').bind(status, id).run();
    await setStatus('running');
    return { ids: { id }, end: () => setStatus('failed') };
  },
  /** A time entry that the same person deletes in another window. */
  timeEntry: async (world, actor) => {
    const { id: taskId } = await createTask(actor, world.projects.other.id);
    const times = { startTime: '2026-01-05T09:00:00.000Z', endTime: '2026-01-05T09:30:00.000Z' };
    const { body } = await api(actor.token).post('/timer/entries', { taskId, ...times });
    return {
      ids: { id: body.id },
      end: () => requireSuccess(api(actor.token).delete(`/timer/entries/${body.id}`)),
    };
  },
  notification: async (world, actor) => {
    const assigneeId = actor.userId;
    await createTask(world.people.owner, world.projects.other.id, { assigneeId });
    const { body } = await api(actor.token).get('/notifications');
    const { id } = body.data[0];
    return { ids: { id }, end: () => requireSuccess(api(actor.token).delete(`/notifications/${id}`)) };
  },
  savedFilter: async (world, actor) => {
    const saved = { name: 'Mine', q: 'mine', isShared: true };
    const { id } = (await runForm(actor.token, saveFilter, saved)).body;
    return { ids: { id }, end: () => sendAs(world, world.people.owner, '/filters', `/filters/${id}/delete`) };
  },
  /** A custom field of a new project, with one task. */
  customField: async (world) => {
    const { id: project } = await createProject(world, { owner: world.people.owner });
    const number = await createField(world, 'text');
    await useFields(world, project, [number]);
    return {
      ids: { id: number, number },
      end: () => sendAs(world, world.people.owner, '/fields', `/fields/${number}/remove`),
    };
  },
  taskWithField: async (world, actor) => {
    const { id: project } = await createProject(world, {
      owner: world.people.owner,
      ...(actor.userId !== world.people.owner.userId && { members: [actor] }),
    });
    const number = await createField(world, 'text');
    await useFields(world, project, [number]);
    const { id } = await createTask(world.people.owner, project);
    return {
      ids: { id, number },
      end: () => sendAs(world, world.people.owner, '/fields', `/fields/${number}/remove`),
    };
  },
  deletedField: async (world) => {
    const id = await createField(world, 'text');
    await runForm(world.people.owner.token, deleteCustomField, { id });
    return {
      ids: { id },
      end: () => sendAs(world, world.people.owner, '/fields', `/fields/${id}/restore`),
    };
  },
  /** Changes that an app proposed to the person and then discards. */
  changeSet: async (world, actor) => {
    const { id, token } = await proposeChange(world, actor);
    return { ids: { id }, end: () => use(token, 'discard_changes', { id: id }) };
  },
  bot: async (world) => {
    const { id, keyId } = await createBotWithKey(world.people.owner);
    return {
      ids: { id, userId: id, keyId },
      end: () => runForm(world.people.owner.token, removePerson, { userId: id }),
    };
  },
  /** An app that was revoked so long ago that it is no longer listed. */
  appWithChanges: async (world, actor) => {
    const { app } = await renameAsApp(world, actor);
    return {
      ids: { app },
      end: () => cellOf(world.cell).prepare('DELETE FROM credentials WHERE id = ?').bind(app).run(),
    };
  },
} satisfies Record<string, Make>;
export type ThingName = keyof typeof things;

export const createThing = (name: ThingName, world: World, actor: Person) =>
  (things[name] as Make)(world, actor);

/** This is a function if the value contains ids, which are known only once the world exists. */
type Value = string | ((world: World) => string);

/** A form that displays a stored value and can change it. */
export interface Edit {
  /** Returns the page and the form's action. */
  readonly place: (world: World, actor: Person) => Promise<{ page: string; action: string }>;
  /** Fields that distinguish the form from others with the same action. */
  readonly has?: Readonly<Record<string, string>>;
  readonly field: string;
  readonly mine: Value;
  readonly theirs: Value;
  /** True if the value is an id, which messages omit. */
  readonly isId?: true;
  /** Another field of the form, which the person changes while someone else changes `field`. */
  readonly beside?: readonly [field: string, value: string];
  /** Only this person can change it, so the other editor is their second window. */
  readonly isOwn?: true;
}

interface StaleForm {
  /** Things without which the form is rejected. */
  readonly needs: readonly ThingName[];
  /** Submitted fields. `:name` is replaced with an id of the thing. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly edit?: Edit;
  /** Why no conflict is possible, if the form needs and edits nothing. */
  readonly alone?: string;
}

const toPlace = (page: string, action = page) => Promise.resolve({ page, action });
const newTask = async (world: World, actor: Person, verb = '') => {
  const { id } = await createTask(actor, world.projects.other.id, { description: 'Before' });
  return { page: `/tasks/${id}`, action: `/tasks/${id}${verb}` };
};
const newTemplate = async (world: World, actor: Person, verb = '') => {
  const id = await createTemplate(actor, world.projects.other.id);
  return { page: `/templates/${id}`, action: `/templates/${id}${verb}` };
};
const ownWork = "applies to the person's own data, whatever its state";
const ofOnePerson = 'can be used only by the person who removed it (test/kernel/removals)';
const makes = 'creates something that no one else can have changed';

/** Every form must be listed. */
export const staleForms: Record<string, StaleForm> = {
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
  undo: { needs: ['taskOfProject'], fields: { ids: ':ids', since: '0' } },
  saveTaskTemplate: { needs: ['taskOfProject'] },
  saveProjectTemplate: { needs: ['project'] },
  changeTemplate: {
    needs: ['template'],
    fields: { name: 'Renamed' },
    edit: {
      place: newTemplate,
      has: { name: '' },
      field: 'name',
      mine: 'My template',
      theirs: 'Their template',
      beside: ['description', 'For posts'],
    },
  },
  removeTemplate: { needs: ['template'] },
  addTemplateTask: { needs: ['template'], fields: { name: 'Added' } },
  changeTemplateTask: {
    needs: ['template'],
    fields: { name: 'Changed', tags: '', lines: '' },
    edit: {
      place: (world, actor) => newTemplate(world, actor, '/items/1'),
      field: 'name',
      mine: 'My task',
      theirs: 'Their task',
    },
  },
  removeTemplateTask: { needs: ['template'] },
  createTaskFromTemplate: { needs: ['template'], fields: { projectId: ':projectId' } },
  createProjectFromTemplate: { needs: ['template'], fields: { name: 'New' } },
  newFilter: { needs: [], alone: makes },
  filterAgain: { needs: [], alone: makes },
  replaceFilter: { needs: ['savedFilter'], fields: { q: 'other' } },
  changeFilter: {
    needs: ['savedFilter'],
    fields: { name: 'Renamed' },
    edit: {
      place: async (_world, actor) => {
        const { body } = await runForm(actor.token, saveFilter, { name: 'Mine', q: 'mine' });
        return toPlace('/filters', `/filters/${body.id}`);
      },
      has: { field: 'name' },
      field: 'name',
      mine: 'My filter',
      theirs: 'Their filter',
      isOwn: true,
    },
  },
  removeFilter: { needs: ['savedFilter'] },
  applyChangeSet: { needs: ['changeSet'], fields: { items: '1' } },
  rejectChangeSet: { needs: ['changeSet'] },
  undoAppSession: { needs: ['appWithChanges'] },
  newBot: { needs: [], alone: makes },
  changeBot: {
    needs: ['bot'],
    fields: { name: 'Renamed' },
    edit: {
      place: async (world) => toPlace(`/bots/${(await createBotWithKey(world.people.owner)).id}`),
      field: 'name',
      mine: 'My bot',
      theirs: 'Their bot',
      beside: ['icon', 'bug'],
    },
  },
  newBotKey: { needs: ['bot'], fields: { name: 'Key' } },
  revokeBotKey: { needs: ['bot'] },
  changeBotRole: {
    needs: ['bot'],
    fields: { role: 'lead' },
    edit: {
      place: async (world) => {
        const { id } = await createBotWithKey(world.people.owner);
        return toPlace(`/bots/${id}`, `/bots/${id}/role`);
      },
      field: 'role',
      mine: 'lead',
      theirs: 'client',
    },
  },
  removeBot: { needs: ['bot'] },
  changeTask: {
    needs: ['task', 'taskOfProject'],
    fields: { status: 'completed' },
    edit: {
      place: newTask,
      has: { field: 'name' },
      field: 'name',
      mine: 'My name',
      theirs: 'Their name',
    },
  },
  orderSubtasks: { needs: ['task', 'taskOfProject'], fields: { ids: ':ids' } },
  assignTask: { needs: ['task', 'taskOfProject'], fields: { assigneeIds: '' } },
  tagTask: {
    needs: ['task', 'taskOfProject'],
    fields: { tags: 'one' },
    edit: { place: (w, a) => newTask(w, a, '/tags'), field: 'tags', mine: 'mine', theirs: 'theirs' },
  },
  setTaskField: {
    needs: ['taskWithField'],
    fields: { value: 'Ada' },
    edit: {
      place: async (world, actor) => {
        const { ids } = await createThing('taskWithField', world, actor);
        return toPlace(`/tasks/${ids.id}`, `/tasks/${ids.id}/fields/${ids.number}`);
      },
      field: 'value',
      mine: 'Mine',
      theirs: 'Theirs',
    },
  },
  categorizeTask: {
    needs: ['task', 'taskOfProject'],
    fields: { kind: '' },
    edit: {
      place: async (world, actor) => {
        const { page } = await newTask(world, actor);
        return toPlace(`${page}/category`);
      },
      field: 'kind',
      mine: ({ categories }) => `type-${categories[0].typeId}`,
      theirs: ({ categories }) => `category-${categories[1].id}`,
      isId: true,
    },
  },
  followTask: { needs: ['task', 'taskOfProject'] },
  unfollowTask: { needs: ['task', 'taskOfProject'] },
  writeDescription: {
    needs: ['task', 'taskOfProject'],
    fields: { description: 'New' },
    edit: {
      place: (w, a) => newTask(w, a, '/description'),
      field: 'description',
      mine: 'My text',
      theirs: 'Their text',
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
    needs: ['checklistLine', 'taskOfProject'],
    fields: { text: 'Another line' },
    edit: {
      place: async (world, actor) => {
        const { ids } = await createThing('checklistLine', world, actor);
        return { page: `/tasks/${ids.id}`, action: `/tasks/${ids.id}/checklist/items/${ids.itemId}` };
      },
      has: { field: 'text' },
      field: 'text',
      mine: 'My line',
      theirs: 'Their line',
    },
  },
  removeChecklistLine: {
    needs: ['checklistLine', 'taskOfProject'],
    fields: { text: 'First', isDone: 'false', position: '0' },
  },
  convertChecklistLine: { needs: ['checklistLine', 'taskOfProject'], fields: { position: '0' } },
  restoreConvertedLine: {
    needs: ['convertedLine', 'taskOfProject'],
    fields: { subtaskId: ':subtaskId', position: '0' },
  },
  remindMe: { needs: ['task', 'taskOfProject'], fields: { items: '30', at: '', zone: 'UTC' } },
  repeatTask: {
    needs: ['task', 'taskOfProject'],
    fields: { rule: 'FREQ=DAILY', mode: 'schedule', days: '' },
    edit: {
      place: (w, a) => newTask(w, a, '/recurrence'),
      field: 'rule',
      mine: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      theirs: 'FREQ=DAILY',
    },
  },
  stopRepeating: {
    needs: ['recurringTask', 'taskOfProject'],
    fields: { rule: 'FREQ=DAILY', mode: 'schedule', days: '' },
  },
  comment: { needs: ['task', 'taskOfProject'], fields: { content: 'A word' } },
  rewriteComment: {
    needs: ['comment', 'taskOfProject'],
    fields: { content: 'Another word' },
    edit: {
      place: async (world, actor) => {
        const { ids } = await createThing('comment', world, actor);
        return { page: `/tasks/${ids.id}`, action: `/tasks/${ids.id}/comments/${ids.commentId}` };
      },
      field: 'content',
      mine: 'My second thought',
      theirs: 'My first thought',
      isOwn: true,
    },
  },
  removeComment: { needs: ['comment', 'taskOfProject'] },
  addReaction: { needs: ['comment', 'taskOfProject'], fields: { reaction: 'heart' } },
  removeReaction: { needs: ['comment', 'taskOfProject'], fields: { reaction: 'heart' } },
  startTimer: { needs: ['task', 'taskOfProject'] },
  stopTimer: { needs: [], alone: ownWork },
  archiveTask: { needs: ['taskOfProject'] },
  restoreTask: { needs: ['taskOfProject'] },
  duplicateTask: { needs: ['taskOfProject'] },
  moveToProject: { needs: ['task', 'taskOfProject'], fields: { projectId: '1' } },
  undoMove: { needs: ['taskOfProject'] },
  deleteTask: { needs: ['taskOfProject'] },
  restoreDeletedTask: { needs: ['taskOfProject'] },
  removeFile: { needs: ['taskOfProject'] },
  restoreFile: { needs: ['taskOfProject'] },
  renewFeed: { needs: [], alone: ownWork },
  endFeed: { needs: [], alone: ownWork },
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
      place: async (world, actor) => {
        const { ids } = await createThing('meeting', world, actor);
        return toPlace(`/meetings/${ids.id}`);
      },
      field: 'location',
      mine: 'My room',
      theirs: 'Their room',
      beside: ['time', '11:30'],
    },
  },
  cancelMeeting: { needs: ['meeting'] },
  restoreMeeting: { needs: [], alone: ofOnePerson },
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
  chooseMail: { needs: [], alone: "replaces all of the person's own preferences at once" },
  readNotification: { needs: ['notification'] },
  readAll: { needs: [], alone: ownWork },
  removeNotification: { needs: ['notification'] },
  restoreNotification: { needs: [], alone: ofOnePerson },
  createProject: { needs: [], alone: makes },
  changeColumn: {
    needs: ['project'],
    fields: { column: 'todo', label: 'Renamed' },
    edit: {
      place: async (world) => {
        const { id } = await createProject(world, { owner: world.people.owner });
        return toPlace(`/projects/${id}/settings`, `/projects/${id}/columns`);
      },
      has: { column: 'todo' },
      field: 'label',
      mine: 'My column',
      theirs: 'Their column',
      beside: ['limit', '7'],
    },
  },
  changeProject: {
    needs: ['project'],
    fields: { name: 'Renamed' },
    edit: {
      place: async (world) => {
        const { id } = await createProject(world, { owner: world.people.owner });
        return toPlace(`/projects/${id}/settings`, `/projects/${id}`);
      },
      field: 'description',
      mine: 'My description',
      theirs: 'Their description',
      beside: ['status', 'on-hold'],
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
      place: async (world) => {
        const { userId } = await addPerson(world, 'fresh', 'member');
        return toPlace('/people', `/people/${userId}/role`);
      },
      field: 'role',
      mine: 'lead',
      theirs: 'client',
    },
  },
  takeOut: { needs: ['person'] },
  giveWorkspace: { needs: ['person'] },
  leaveWorkspace: { needs: [], alone: 'is rejected if the person has already been removed' },
  newTeam: { needs: ['team'], fields: { name: 'A part', parentId: ':parentId' } },
  changeTeam: {
    needs: ['team'],
    fields: { name: 'Renamed' },
    edit: {
      place: async (world) => toPlace('/teams', `/teams/${await createTeam(world, {})}`),
      field: 'name',
      mine: 'My team',
      theirs: 'Their team',
    },
  },
  removeTeam: { needs: ['team'] },
  putIntoTeam: { needs: ['team', 'person'], fields: { userId: ':userId' } },
  takeFromTeam: { needs: ['team', 'memberOfTeam'] },
  newCategory: { needs: [], alone: makes },
  changeCategory: {
    needs: [],
    edit: {
      place: async ({ categories }) => toPlace('/categories', `/categories/${categories[0].id}`),
      has: { value: '' },
      field: 'value',
      mine: 'My kind',
      theirs: 'Their kind',
      beside: ['defaultEstimatedHours', '3.5'],
    },
  },
  newCustomField: { needs: [], alone: makes },
  changeCustomField: {
    needs: ['customField'],
    fields: { name: 'Renamed' },
    edit: {
      place: async (world) => toPlace('/fields', `/fields/${await createField(world, 'text')}`),
      field: 'name',
      mine: 'My field',
      theirs: 'Their field',
    },
  },
  removeCustomField: { needs: ['customField'] },
  restoreCustomField: { needs: ['deletedField'] },
  setProjectFields: { needs: ['project'], fields: { fieldIds: '' } },
  newType: { needs: [], alone: 'needs only its category, and categories are never deleted' },
  changeType: {
    needs: [],
    edit: {
      place: async ({ categories }) => toPlace('/categories', `/types/${categories[0].typeId}`),
      has: { value: '' },
      field: 'value',
      mine: 'My type',
      theirs: 'Their type',
      beside: ['defaultEstimatedHours', '1.25'],
    },
  },
  changeLabel: {
    needs: [],
    edit: {
      place: async ({ projects }, actor) => {
        await createTask(actor, projects.other.id, { tags: ['stale'] });
        return toPlace('/labels');
      },
      has: { label: 'stale' },
      field: 'description',
      mine: 'My description',
      theirs: 'Their description',
      beside: ['color', '#2563eb'],
    },
  },
  changeWorkspace: {
    needs: [],
    edit: {
      place: () => toPlace('/settings'),
      field: 'name',
      mine: 'My studio',
      theirs: 'Their studio',
      beside: ['timezone', 'Europe/Vienna'],
    },
  },
  removeWorkspace: { needs: [], alone: 'has no members after the deletion (test/workspaces/settings)' },
  createImport: { needs: ['csvFile'], fields: { attachmentId: ':attachmentId' } },
  changeImport: { needs: ['import'], fields: { 'column-0': 'name' } },
  startImport: { needs: ['import'] },
  cancelImport: { needs: ['runningImport'] },
  newWebhook: { needs: [], alone: makes },
  changeWebhook: {
    needs: ['webhook'],
    fields: { description: 'Changed' },
    edit: {
      place: async (world, actor) => {
        const { ids } = await createThing('webhook', world, actor);
        return toPlace(`/webhooks/${ids.id}`);
      },
      has: { description: '' },
      field: 'description',
      mine: 'My purpose',
      theirs: 'The first purpose',
      beside: ['batch', 'true'],
      isOwn: true,
    },
  },
  removeWebhook: { needs: ['webhook'] },
  tryWebhook: { needs: ['webhook'] },
  sendAgain: { needs: ['webhook'], fields: { after: '0' } },
  newSecret: { needs: ['webhook'] },
};
