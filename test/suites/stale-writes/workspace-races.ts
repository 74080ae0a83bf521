// This file is long because every operation that changes something other than a task needs a race.

import { getIntakeForm } from '../../../src/sharing/intake/intake-forms.ts';
import { listPublicLinks } from '../../../src/sharing/public-links/public-links.ts';
import { createForm, createLink } from '../../sharing/share.ts';
import { api } from '../../support/api.ts';
import { createField } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { formOperations } from '../../support/operations.ts';
import { addPerson, createProject, createTask, createTeam, type World } from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import { createBotAndKey } from '../../workspaces/bots/create-bot.ts';
import {
  getOwnersApi,
  type Race,
  type RaceObjects,
  sendAs,
  sendAsAdmin,
  sendAsOwner,
  toProgramAndPageRaces,
} from './race.ts';
import { createRaceTask } from './task-races.ts';

const toIdInput = ({ id }: RaceObjects) => ({ id });
const filterById = (rows: readonly { id: unknown }[], id: unknown) => rows.filter((each) => each.id === id);

const webhook = {
  createObjects: async (world: World) => ({ id: await insertWebhook(world, world.people.owner, 'Before') }),
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsOwner(world)('updateWebhook', { id, description: 'Theirs', batch: true }),
  readState: async ({ id }: RaceObjects, world: World) =>
    (await getOwnersApi(world).get(`/webhooks/${id}`)).body,
};
const deletedWebhook = {
  ...webhook,
  applyOtherEdit: ({ id }: RaceObjects, world: World) => sendAsAdmin(world)('deleteWebhook', { id }),
};

const toTimestamp = (time: string) => `2026-01-05T${time}:00.000Z`;
/** A person's time entries can't overlap, so each run uses a new person. */
const timeEntry = {
  createObjects: async (world: World) => {
    const { userId, token } = await addPerson(world, 'worker', 'admin');
    const { id: taskId = 0 } = await createRaceTask(world);
    const span = { taskId, startTime: toTimestamp('09:00'), endTime: toTimestamp('10:00') };
    return { id: (await api(token).post('/timer/entries', span)).body.id, taskId, userId, token };
  },
  sender: ({ token, userId }: RaceObjects) => ({ token: String(token), userId: String(userId) }),
  applyOtherEdit: (objects: RaceObjects) =>
    sendAs(timeEntry.sender(objects))('updateTimeEntry', { id: objects.id, startTime: toTimestamp('08:00') }),
  readState: async ({ token }: RaceObjects) => (await api(String(token)).get('/timer/entries')).body.data,
};

const project = {
  createObjects: async (world: World): Promise<RaceObjects> => {
    const { lead, owner, member } = world.people;
    return { id: (await createProject(world, { owner: lead, members: [owner, member], name: 'Before' })).id };
  },
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateProject', { id, name: 'Theirs', status: 'on-hold' }),
  readState: async ({ id }: RaceObjects, world: World) =>
    (await getOwnersApi(world).get(`/projects/${id}`)).body,
};
const createTransferRace = (to: 'admin' | 'member') => ({
  ...project,
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsOwner(world)('handOverProject', { id, userId: world.people[to].userId }),
});

const team = {
  createObjects: async (world: World) => ({
    id: await createTeam(world, { lead: world.people.lead, members: [world.people.member], name: 'Before' }),
  }),
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateTeam', { id, name: 'Theirs' }),
  readState: async ({ id }: RaceObjects, world: World) =>
    filterById((await getOwnersApi(world).get('/teams?limit=100')).body.data, id),
};
const toMemberInput = ({ id }: RaceObjects, { people }: World) => ({ id, userId: people.member.userId });

const createCategoryRaces = (kind: 'Category' | 'Type'): readonly Race[] =>
  toProgramAndPageRaces(
    {
      createObjects: async (world) => {
        const category = kind === 'Type' ? { categoryId: world.categories[0].id } : {};
        const { body } = await sendAsOwner(world)(`create${kind}`, { value: 'Before', ...category });
        return { id: (body as { id: number }).id };
      },
      // The input doesn't contain the hours, so the other person's hours are kept.
      toInput: ({ id }) => ({ id, value: 'Mine' }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)(`update${kind}`, { id, value: 'Theirs', defaultEstimatedHours: 3 }),
      readState: async ({ id }, world) => {
        const list = kind === 'Type' ? '/task-types' : '/task-categories';
        const [found] = filterById((await getOwnersApi(world).get(`${list}?limit=100`)).body.data, id);
        // The key contains the number of the item, which differs from run to run.
        return { ...found, key: null };
      },
    },
    { value: 'Before' },
  );

const label = {
  createObjects: async (world: World): Promise<RaceObjects> => {
    const name = `raced ${crypto.randomUUID()}`.slice(0, 50);
    await createTask(world.people.owner, world.projects.joined.id, { tags: [name] });
    return { label: name };
  },
  applyOtherEdit: ({ label }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateLabel', { label, color: '#2563eb', description: 'Theirs' }),
  readState: async ({ label }: RaceObjects, world: World) => {
    const { body } = await getOwnersApi(world).get('/labels?limit=100');
    const found = body.data.find(({ name }: { name: unknown }) => name === label);
    return { color: found.color, description: found.description };
  },
};

const customField = {
  createObjects: async (world: World) => ({ id: await createField(world, 'text') }),
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateCustomField', { id, name: 'Theirs' }),
  readState: async ({ id }: RaceObjects, world: World) => {
    const { data } = (await getOwnersApi(world).get('/custom-fields?limit=100')).body;
    return filterById(data, `cf_${id}`).map((field) => ({ ...field, id: null }));
  },
};

const person = {
  createObjects: async (world: World) => ({ userId: (await addPerson(world, 'fresh', 'member')).userId }),
  applyOtherEdit: ({ userId }: RaceObjects, world: World) =>
    sendAsAdmin(world)('changeRole', { userId, role: 'client' }),
  readState: async ({ userId }: RaceObjects, world: World) =>
    filterById((await getOwnersApi(world).get('/users?limit=100')).body.data, userId),
};

const bot = {
  createObjects: async (world: World) => ({
    id: (await createBotAndKey(world.people.owner, { name: 'Before' })).id,
  }),
  applyOtherEdit: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateBot', { id, name: 'Theirs', icon: 'bug' }),
  readState: async ({ id }: RaceObjects, world: World) =>
    filterById((await runReadOperation(world, 'listBots')).data, id),
};

const runReadOperation = async (world: World, name: string) => {
  const operation = formOperations.find((each) => each.name === name);
  if (!operation) throw new Error(`there is no ${name}`);
  return (await runForm(world.people.owner.token, operation, {})).body;
};

const filter = {
  createObjects: async (world: World): Promise<RaceObjects> => {
    const { body } = await sendAsOwner(world)('saveFilter', { name: 'Before', q: 'before' });
    return { id: (body as { id: number }).id };
  },
  readState: async ({ id }: RaceObjects, world: World) =>
    filterById((await runReadOperation(world, 'listSavedFilters')).data, id),
};
const replaceFilterAsOwner = ({ id }: RaceObjects, world: World) =>
  sendAsOwner(world)('replaceSavedFilter', { id, q: 'theirs' });
const renameFilterAsOwner = ({ id }: RaceObjects, world: World) =>
  sendAsOwner(world)('renameSavedFilter', { id, name: 'Theirs' });
const link = {
  createObjects: async (world: World): Promise<RaceObjects> => ({
    id: (await createLink(world.people.owner, { projectId: world.projects.other.id })).id,
  }),
  readState: async ({ id }: RaceObjects, world: World) => {
    const input = { projectId: world.projects.other.id };
    const { data } = (await runForm(world.people.owner.token, listPublicLinks, input)).body;
    return filterById(data, id).map((each) => ({ ...(each as object), address: null }));
  },
};
const intakeForm = {
  createObjects: async (world: World): Promise<RaceObjects> => {
    const { id } = await createProject(world, { owner: world.people.owner });
    await createForm(world.people.owner, id, { greeting: 'Before' });
    return { id };
  },
  readState: async ({ id }: RaceObjects, world: World) => ({
    ...(await runForm(world.people.owner.token, getIntakeForm, { projectId: id })).body.form,
    address: null,
  }),
};
const toRenameInput = ({ id }: RaceObjects) => ({ id, name: 'Mine' });

export const workspaceRaces: Readonly<Record<string, readonly Race[]>> = {
  updateWebhook: [
    ...toProgramAndPageRaces(
      { ...webhook, toInput: ({ id }) => ({ id, description: 'Mine' }) },
      { description: 'Before' },
    ),
    { ...deletedWebhook, toInput: ({ id }) => ({ id, description: 'Mine' }) },
  ],
  deleteWebhook: [{ ...webhook, toInput: toIdInput }],
  rotateWebhookSecret: [{ ...deletedWebhook, toInput: toIdInput }],
  replayWebhook: [{ ...deletedWebhook, toInput: ({ id }) => ({ id, after: 0 }) }],
  createTimeEntry: [
    {
      ...timeEntry,
      toInput: ({ taskId }) => ({ taskId, startTime: toTimestamp('11:00'), endTime: toTimestamp('12:00') }),
      applyOtherEdit: (objects) =>
        sendAs(timeEntry.sender(objects))('updateTimeEntry', {
          id: objects.id,
          endTime: toTimestamp('11:30'),
        }),
    },
  ],
  createTimeEntries: [
    {
      ...timeEntry,
      toInput: ({ taskId }) => ({
        entries: ['10:00', '11:00'].map((time, index) => ({
          taskId,
          startTime: toTimestamp(time),
          endTime: toTimestamp(`1${index + 1}:00`),
        })),
      }),
      applyOtherEdit: (objects) =>
        sendAs(timeEntry.sender(objects))('updateTimeEntry', {
          id: objects.id,
          endTime: toTimestamp('11:30'),
        }),
    },
    {
      ...timeEntry,
      toInput: ({ taskId }) => ({
        entries: [{ taskId, startTime: toTimestamp('11:00'), endTime: toTimestamp('12:00') }],
      }),
      applyOtherEdit: ({ taskId }, world) => sendAsAdmin(world)('archiveTask', { id: taskId }),
    },
  ],
  updateTimeEntry: [{ ...timeEntry, toInput: ({ id }) => ({ id, endTime: toTimestamp('09:30') }) }],
  deleteTimeEntry: [{ ...timeEntry, toInput: toIdInput }],
  updateLabel: toProgramAndPageRaces(
    { ...label, toInput: ({ label }) => ({ label, color: '#dc2626' }) },
    { color: null },
  ),
  updateProject: [
    ...toProgramAndPageRaces({ ...project, toInput: ({ id }) => ({ id, name: 'Mine' }) }, { name: 'Before' }),
    // The status in the input equals the stored one, so it changes something only if the other person's edit came
    // first.
    { ...project, toInput: ({ id }) => ({ id, name: 'Mine', status: 'active' }) },
  ],
  updateProjectColumn: toProgramAndPageRaces(
    {
      createObjects: project.createObjects,
      toInput: ({ id }) => ({ id, column: 'todo', label: 'Mine' }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)('updateProjectColumn', { id, column: 'todo', label: 'Theirs', limit: 3 }),
      readState: async ({ id }, world) => (await getOwnersApi(world).get(`/projects/${id}/statuses`)).body,
    },
    { label: 'To do' },
  ),
  handOverProject: [{ ...createTransferRace('admin'), toInput: toMemberInput }],
  addProjectMembers: [
    {
      ...createTransferRace('member'),
      sender: (_objects, { people }) => people.lead,
      toInput: ({ id }, { people }) => ({ id, userIds: [people.admin.userId] }),
    },
  ],
  removeProjectMember: [{ ...createTransferRace('member'), toInput: toMemberInput }],
  deleteProject: [{ ...project, toInput: ({ id }) => ({ id, name: 'Before' }) }],
  updateWorkspace: toProgramAndPageRaces(
    {
      createObjects: async (world) => {
        await sendAsOwner(world)('updateWorkspace', { name: 'Before', dailyCapacityHours: 8 });
        return {};
      },
      toInput: () => ({ name: 'Mine' }),
      applyOtherEdit: (_objects, world) =>
        sendAsAdmin(world)('updateWorkspace', { name: 'Theirs', dailyCapacityHours: 6 }),
      readState: (_objects, world) => runReadOperation(world, 'getWorkspaceSettings'),
    },
    { name: 'Before' },
  ),
  updateBot: toProgramAndPageRaces(
    { ...bot, toInput: ({ id }) => ({ id, name: 'Mine' }) },
    { name: 'Before' },
  ),
  changeRole: toProgramAndPageRaces(
    { ...person, toInput: ({ userId }) => ({ userId, role: 'lead' }) },
    { role: 'member' },
  ),
  handOverWorkspace: [
    {
      ...person,
      createObjects: async (world) => {
        const { userId: founder, token } = await addPerson(world, 'founder', 'owner');
        return { ...(await person.createObjects(world)), founder, token };
      },
      sender: ({ token, founder }) => ({ token: String(token), userId: String(founder) }),
      toInput: ({ userId }) => ({ userId }),
    },
  ],
  removePerson: [{ ...person, toInput: ({ userId }) => ({ userId, heirId: null }) }],
  createTeam: [
    {
      ...team,
      toInput: ({ id }) => ({ name: 'Mine', parentId: id }),
      applyOtherEdit: ({ id }, world) => sendAsAdmin(world)('deleteTeam', { id }),
    },
  ],
  updateTeam: toProgramAndPageRaces(
    { ...team, toInput: ({ id }) => ({ id, name: 'Mine' }) },
    { name: 'Before' },
  ),
  deleteTeam: [{ ...team, toInput: toIdInput }],
  setTeamMember: [
    {
      ...team,
      toInput: (objects, world) => ({ ...toMemberInput(objects, world), role: 'member' }),
      applyOtherEdit: (objects, world) =>
        sendAsAdmin(world)('removeTeamMember', toMemberInput(objects, world)),
    },
  ],
  removeTeamMember: [
    {
      ...team,
      toInput: toMemberInput,
      applyOtherEdit: (objects, world) =>
        sendAsAdmin(world)('setTeamMember', { ...toMemberInput(objects, world), role: 'lead' }),
    },
  ],
  updateCustomField: [
    ...toProgramAndPageRaces(
      { ...customField, toInput: ({ id }) => ({ id, name: 'Mine' }) },
      { name: 'text' },
    ),
    { ...customField, toInput: ({ id }) => ({ id, options: [] }) },
  ],
  deleteCustomField: [{ ...customField, toInput: toIdInput }],
  setProjectFields: toProgramAndPageRaces(
    {
      createObjects: async (world) => {
        const { id } = await createProject(world, { owner: world.people.owner });
        return { id, one: await createField(world, 'text'), two: await createField(world, 'text') };
      },
      toInput: ({ id, one }) => ({ id, fieldIds: [one] }),
      applyOtherEdit: ({ id, two }, world) => sendAsAdmin(world)('setProjectFields', { id, fieldIds: [two] }),
      readState: async ({ id }, world) =>
        (await getOwnersApi(world).get('/custom-fields?limit=100')).body.data
          .filter(({ projectIds }: { projectIds: number[] }) => projectIds.includes(Number(id)))
          .map(() => 'used'),
    },
    { fieldIds: [] },
  ),
  updateCategory: createCategoryRaces('Category'),
  updateType: createCategoryRaces('Type'),
  changeName: toProgramAndPageRaces(
    {
      createObjects: async (world) => ({ ...(await addPerson(world, 'fresh', 'member')) }),
      sender: ({ token, userId }) => ({ token: String(token), userId: String(userId) }),
      toInput: () => ({ name: 'Mine' }),
      applyOtherEdit: ({ token, userId }) =>
        sendAs({ token: String(token), userId: String(userId) })('changeName', { name: 'Theirs' }),
      readState: async ({ token }) => (await api(String(token)).get('/me')).body,
    },
    { name: 'Fresh Test' },
  ),
  updatePublicLink: toProgramAndPageRaces(
    {
      ...link,
      toInput: ({ id }) => ({ id, expiresOn: '2998-01-01' }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)('updatePublicLink', { id, expiresOn: '2999-01-01', showsNames: true }),
    },
    { expiresOn: null },
  ),
  updateIntakeForm: toProgramAndPageRaces(
    {
      ...intakeForm,
      toInput: ({ id }) => ({ projectId: id, greeting: 'Mine' }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)('updateIntakeForm', { projectId: id, greeting: 'Theirs', tag: 'theirs' }),
    },
    { greeting: 'Before' },
  ),
  renameSavedFilter: [
    { ...filter, toInput: toRenameInput, applyOtherEdit: replaceFilterAsOwner },
    ...toProgramAndPageRaces(
      { ...filter, toInput: toRenameInput, applyOtherEdit: renameFilterAsOwner },
      { name: 'Before' },
    ),
  ],
  replaceSavedFilter: [
    { ...filter, toInput: ({ id }) => ({ id, q: 'mine' }), applyOtherEdit: renameFilterAsOwner },
  ],
  deleteSavedFilter: [{ ...filter, toInput: toIdInput, applyOtherEdit: replaceFilterAsOwner }],
};
