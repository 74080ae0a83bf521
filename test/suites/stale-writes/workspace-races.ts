// This file is long because it has a race for every operation that changes something other than a task.
import { api } from '../../support/api.ts';
import { createField } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { formOperations } from '../../support/operations.ts';
import { addPerson, createProject, createTask, createTeam, type World } from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import { createBotWithKey } from '../../workspaces/bots/new-bot.ts';
import {
  getOwnersApi,
  type Race,
  type RaceObjects,
  sendAs,
  sendAsAdmin,
  sendAsOwner,
  withAndWithoutPage,
} from './race.ts';
import { newTask } from './task-races.ts';

const pickId = ({ id }: RaceObjects) => ({ id });
const filterById = (rows: readonly { id: unknown }[], id: unknown) => rows.filter((each) => each.id === id);

const webhook = {
  make: async (world: World) => ({ id: await insertWebhook(world, world.people.owner, 'Before') }),
  theirs: ({ id }: RaceObjects, world: World) =>
    sendAsOwner(world)('updateWebhook', { id, description: 'Theirs', batch: true }),
  state: async ({ id }: RaceObjects, world: World) => (await getOwnersApi(world).get(`/webhooks/${id}`)).body,
};
const deletedWebhook = {
  ...webhook,
  theirs: ({ id }: RaceObjects, world: World) => sendAsAdmin(world)('deleteWebhook', { id }),
};

const toTimestamp = (time: string) => `2026-01-05T${time}:00.000Z`;
/** A person's time entries can't overlap, so each run uses a new person. */
const timeEntry = {
  make: async (world: World) => {
    const { userId, token } = await addPerson(world, 'worker', 'admin');
    const { id: taskId = 0 } = await newTask(world);
    const span = { taskId, startTime: toTimestamp('09:00'), endTime: toTimestamp('10:00') };
    return { id: (await api(token).post('/timer/entries', span)).body.id, taskId, userId, token };
  },
  by: ({ token, userId }: RaceObjects) => ({ token: String(token), userId: String(userId) }),
  theirs: (thing: RaceObjects) =>
    sendAs(timeEntry.by(thing))('updateTimeEntry', { id: thing.id, startTime: toTimestamp('08:00') }),
  state: async ({ token }: RaceObjects) => (await api(String(token)).get('/timer/entries')).body.data,
};

const project = {
  make: async (world: World): Promise<RaceObjects> => {
    const { lead, owner, member } = world.people;
    return { id: (await createProject(world, { owner: lead, members: [owner, member], name: 'Before' })).id };
  },
  theirs: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateProject', { id, name: 'Theirs', status: 'on-hold' }),
  state: async ({ id }: RaceObjects, world: World) => (await getOwnersApi(world).get(`/projects/${id}`)).body,
};
const toTransferRace = (to: 'admin' | 'member') => ({
  ...project,
  theirs: ({ id }: RaceObjects, world: World) =>
    sendAsOwner(world)('handOverProject', { id, userId: world.people[to].userId }),
});

const team = {
  make: async (world: World) => ({
    id: await createTeam(world, { lead: world.people.lead, members: [world.people.member], name: 'Before' }),
  }),
  theirs: ({ id }: RaceObjects, world: World) => sendAsAdmin(world)('updateTeam', { id, name: 'Theirs' }),
  state: async ({ id }: RaceObjects, world: World) =>
    filterById((await getOwnersApi(world).get('/teams?limit=100')).body.data, id),
};
const pickMemberIds = ({ id }: RaceObjects, { people }: World) => ({ id, userId: people.member.userId });

const createCategoryRaces = (kind: 'Category' | 'Type'): readonly Race[] =>
  withAndWithoutPage(
    {
      make: async (world) => {
        const category = kind === 'Type' ? { categoryId: world.categories[0].id } : {};
        const { body } = await sendAsOwner(world)(`create${kind}`, { value: 'Before', ...category });
        return { id: (body as { id: number }).id };
      },
      // `mine` doesn't contain the hours, so the other person's hours are kept.
      mine: ({ id }) => ({ id, value: 'Mine' }),
      theirs: ({ id }, world) =>
        sendAsAdmin(world)(`update${kind}`, { id, value: 'Theirs', defaultEstimatedHours: 3 }),
      state: async ({ id }, world) => {
        const list = kind === 'Type' ? '/task-types' : '/task-categories';
        const [found] = filterById((await getOwnersApi(world).get(`${list}?limit=100`)).body.data, id);
        // The key contains the number of the item, which differs from run to run.
        return { ...found, key: null };
      },
    },
    { value: 'Before' },
  );

const label = {
  make: async (world: World): Promise<RaceObjects> => {
    const name = `raced ${crypto.randomUUID()}`.slice(0, 50);
    await createTask(world.people.owner, world.projects.joined.id, { tags: [name] });
    return { label: name };
  },
  theirs: ({ label }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateLabel', { label, color: '#2563eb', description: 'Theirs' }),
  state: async ({ label }: RaceObjects, world: World) => {
    const { body } = await getOwnersApi(world).get('/labels?limit=100');
    const found = body.data.find(({ name }: { name: unknown }) => name === label);
    return { color: found.color, description: found.description };
  },
};

const customField = {
  make: async (world: World) => ({ id: await createField(world, 'text') }),
  theirs: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateCustomField', { id, name: 'Theirs' }),
  state: async ({ id }: RaceObjects, world: World) => {
    const { data } = (await getOwnersApi(world).get('/custom-fields?limit=100')).body;
    return filterById(data, `cf_${id}`).map((field) => ({ ...field, id: null }));
  },
};

const person = {
  make: async (world: World) => ({ userId: (await addPerson(world, 'fresh', 'member')).userId }),
  theirs: ({ userId }: RaceObjects, world: World) =>
    sendAsAdmin(world)('changeRole', { userId, role: 'client' }),
  state: async ({ userId }: RaceObjects, world: World) =>
    filterById((await getOwnersApi(world).get('/users?limit=100')).body.data, userId),
};

const bot = {
  make: async (world: World) => ({ id: (await createBotWithKey(world.people.owner, { name: 'Before' })).id }),
  theirs: ({ id }: RaceObjects, world: World) =>
    sendAsAdmin(world)('updateBot', { id, name: 'Theirs', icon: 'bug' }),
  state: async ({ id }: RaceObjects, world: World) => filterById((await runRead(world, 'listBots')).data, id),
};

const runRead = async (world: World, name: string) => {
  const operation = formOperations.find((each) => each.name === name);
  if (!operation) throw new Error(`there is no ${name}`);
  return (await runForm(world.people.owner.token, operation, {})).body;
};

const filter = {
  make: async (world: World): Promise<RaceObjects> => {
    const { body } = await sendAsOwner(world)('saveFilter', { name: 'Before', q: 'before' });
    return { id: (body as { id: number }).id };
  },
  state: async ({ id }: RaceObjects, world: World) =>
    filterById((await runRead(world, 'listSavedFilters')).data, id),
};
const replaced = ({ id }: RaceObjects, world: World) =>
  sendAsOwner(world)('replaceSavedFilter', { id, q: 'theirs' });
const renamed = ({ id }: RaceObjects, world: World) =>
  sendAsOwner(world)('renameSavedFilter', { id, name: 'Theirs' });
const rename = ({ id }: RaceObjects) => ({ id, name: 'Mine' });

/** Races about everything except tasks, comments and meetings. */
export const workspaceRaces: Readonly<Record<string, readonly Race[]>> = {
  updateWebhook: [
    ...withAndWithoutPage(
      { ...webhook, mine: ({ id }) => ({ id, description: 'Mine' }) },
      { description: 'Before' },
    ),
    { ...deletedWebhook, mine: ({ id }) => ({ id, description: 'Mine' }) },
  ],
  deleteWebhook: [{ ...webhook, mine: pickId }],
  rotateWebhookSecret: [{ ...deletedWebhook, mine: pickId }],
  replayWebhook: [{ ...deletedWebhook, mine: ({ id }) => ({ id, after: 0 }) }],
  createTimeEntry: [
    {
      ...timeEntry,
      mine: ({ taskId }) => ({ taskId, startTime: toTimestamp('11:00'), endTime: toTimestamp('12:00') }),
      theirs: (thing) =>
        sendAs(timeEntry.by(thing))('updateTimeEntry', { id: thing.id, endTime: toTimestamp('11:30') }),
    },
  ],
  updateTimeEntry: [{ ...timeEntry, mine: ({ id }) => ({ id, endTime: toTimestamp('09:30') }) }],
  deleteTimeEntry: [{ ...timeEntry, mine: pickId }],
  updateLabel: withAndWithoutPage(
    { ...label, mine: ({ label }) => ({ label, color: '#dc2626' }) },
    { color: null },
  ),
  updateProject: [
    ...withAndWithoutPage({ ...project, mine: ({ id }) => ({ id, name: 'Mine' }) }, { name: 'Before' }),
    // The status equals the one that was read, so it is a change only because of the other person's edit.
    { ...project, mine: ({ id }) => ({ id, name: 'Mine', status: 'active' }) },
  ],
  updateProjectColumn: withAndWithoutPage(
    {
      make: project.make,
      mine: ({ id }) => ({ id, column: 'todo', label: 'Mine' }),
      theirs: ({ id }, world) =>
        sendAsAdmin(world)('updateProjectColumn', { id, column: 'todo', label: 'Theirs', limit: 3 }),
      state: async ({ id }, world) => (await getOwnersApi(world).get(`/projects/${id}/statuses`)).body,
    },
    { label: 'To do' },
  ),
  handOverProject: [{ ...toTransferRace('admin'), mine: pickMemberIds }],
  addProjectMembers: [
    {
      ...toTransferRace('member'),
      by: (_thing, { people }) => people.lead,
      mine: ({ id }, { people }) => ({ id, userIds: [people.admin.userId] }),
    },
  ],
  removeProjectMember: [{ ...toTransferRace('member'), mine: pickMemberIds }],
  deleteProject: [{ ...project, mine: ({ id }) => ({ id, name: 'Before' }) }],
  updateWorkspace: withAndWithoutPage(
    {
      make: async (world) => {
        await sendAsOwner(world)('updateWorkspace', { name: 'Before', dailyCapacityHours: 8 });
        return {};
      },
      mine: () => ({ name: 'Mine' }),
      theirs: (_thing, world) =>
        sendAsAdmin(world)('updateWorkspace', { name: 'Theirs', dailyCapacityHours: 6 }),
      state: (_thing, world) => runRead(world, 'getWorkspaceSettings'),
    },
    { name: 'Before' },
  ),
  updateBot: withAndWithoutPage({ ...bot, mine: ({ id }) => ({ id, name: 'Mine' }) }, { name: 'Before' }),
  changeRole: withAndWithoutPage(
    { ...person, mine: ({ userId }) => ({ userId, role: 'lead' }) },
    { role: 'member' },
  ),
  handOverWorkspace: [
    {
      ...person,
      make: async (world) => {
        const { userId: founder, token } = await addPerson(world, 'founder', 'owner');
        return { ...(await person.make(world)), founder, token };
      },
      by: ({ token, founder }) => ({ token: String(token), userId: String(founder) }),
      mine: ({ userId }) => ({ userId }),
    },
  ],
  removePerson: [{ ...person, mine: ({ userId }) => ({ userId, heirId: null }) }],
  createTeam: [
    {
      ...team,
      mine: ({ id }) => ({ name: 'Mine', parentId: id }),
      theirs: ({ id }, world) => sendAsAdmin(world)('deleteTeam', { id }),
    },
  ],
  updateTeam: withAndWithoutPage({ ...team, mine: ({ id }) => ({ id, name: 'Mine' }) }, { name: 'Before' }),
  deleteTeam: [{ ...team, mine: pickId }],
  setTeamMember: [
    {
      ...team,
      mine: (thing, world) => ({ ...pickMemberIds(thing, world), role: 'member' }),
      theirs: (thing, world) => sendAsAdmin(world)('removeTeamMember', pickMemberIds(thing, world)),
    },
  ],
  removeTeamMember: [
    {
      ...team,
      mine: pickMemberIds,
      theirs: (thing, world) =>
        sendAsAdmin(world)('setTeamMember', { ...pickMemberIds(thing, world), role: 'lead' }),
    },
  ],
  updateCustomField: [
    ...withAndWithoutPage({ ...customField, mine: ({ id }) => ({ id, name: 'Mine' }) }, { name: 'text' }),
    { ...customField, mine: ({ id }) => ({ id, options: [] }) },
  ],
  deleteCustomField: [{ ...customField, mine: pickId }],
  setProjectFields: withAndWithoutPage(
    {
      make: async (world) => {
        const { id } = await createProject(world, { owner: world.people.owner });
        return { id, one: await createField(world, 'text'), two: await createField(world, 'text') };
      },
      mine: ({ id, one }) => ({ id, fieldIds: [one] }),
      theirs: ({ id, two }, world) => sendAsAdmin(world)('setProjectFields', { id, fieldIds: [two] }),
      state: async ({ id }, world) =>
        (await getOwnersApi(world).get('/custom-fields?limit=100')).body.data
          .filter(({ projectIds }: { projectIds: number[] }) => projectIds.includes(Number(id)))
          .map(() => 'used'),
    },
    { fieldIds: [] },
  ),
  updateCategory: createCategoryRaces('Category'),
  updateType: createCategoryRaces('Type'),
  changeName: withAndWithoutPage(
    {
      make: async (world) => ({ ...(await addPerson(world, 'fresh', 'member')) }),
      by: ({ token, userId }) => ({ token: String(token), userId: String(userId) }),
      mine: () => ({ name: 'Mine' }),
      theirs: ({ token, userId }) =>
        sendAs({ token: String(token), userId: String(userId) })('changeName', { name: 'Theirs' }),
      state: async ({ token }) => (await api(String(token)).get('/me')).body,
    },
    { name: 'Fresh Test' },
  ),
  renameSavedFilter: [
    { ...filter, mine: rename, theirs: replaced },
    ...withAndWithoutPage({ ...filter, mine: rename, theirs: renamed }, { name: 'Before' }),
  ],
  replaceSavedFilter: [{ ...filter, mine: ({ id }) => ({ id, q: 'mine' }), theirs: renamed }],
  deleteSavedFilter: [{ ...filter, mine: pickId, theirs: replaced }],
};
