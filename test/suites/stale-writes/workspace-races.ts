import { formOperations } from '../../../src/registry.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { addPerson, createProject, createTeam, type World } from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import { admin, as, owner, ownersApi, type Race, type Thing, withPage } from './race.ts';
import { newTask } from './task-races.ts';

const onlyId = ({ id }: Thing) => ({ id });
const oneOf = (rows: readonly { id: unknown }[], id: unknown) => rows.filter((each) => each.id === id);

const webhook = {
  make: async (world: World) => ({ id: await insertWebhook(world, world.people.owner, 'Before') }),
  theirs: ({ id }: Thing, world: World) =>
    owner(world)('updateWebhook', { id, description: 'Theirs', batch: true }),
  state: async ({ id }: Thing, world: World) => (await ownersApi(world).get(`/webhooks/${id}`)).body,
};
const deletedWebhook = {
  ...webhook,
  theirs: ({ id }: Thing, world: World) => admin(world)('deleteWebhook', { id }),
};

const at = (time: string) => `2026-01-05T${time}:00.000Z`;
/** A person's time entries can't overlap, so each run uses a new person. */
const timeEntry = {
  make: async (world: World) => {
    const { userId, token } = await addPerson(world, 'worker', 'admin');
    const { id: taskId = 0 } = await newTask(world);
    const span = { taskId, startTime: at('09:00'), endTime: at('10:00') };
    return { id: (await api(token).post('/timer/entries', span)).body.id, taskId, userId, token };
  },
  by: ({ token, userId }: Thing) => ({ token: String(token), userId: String(userId) }),
  theirs: (thing: Thing) =>
    as(timeEntry.by(thing))('updateTimeEntry', { id: thing.id, startTime: at('08:00') }),
  state: async ({ token }: Thing) => (await api(String(token)).get('/timer/entries')).body.data,
};

const project = {
  make: async (world: World): Promise<Thing> => {
    const { lead, owner, member } = world.people;
    return { id: (await createProject(world, { owner: lead, members: [owner, member], name: 'Before' })).id };
  },
  theirs: ({ id }: Thing, world: World) =>
    admin(world)('updateProject', { id, name: 'Theirs', status: 'on-hold' }),
  state: async ({ id }: Thing, world: World) => (await ownersApi(world).get(`/projects/${id}`)).body,
};
const handedOver = (to: 'admin' | 'member') => ({
  ...project,
  theirs: ({ id }: Thing, world: World) =>
    owner(world)('handOverProject', { id, userId: world.people[to].userId }),
});

const team = {
  make: async (world: World) => ({
    id: await createTeam(world, { lead: world.people.lead, members: [world.people.member], name: 'Before' }),
  }),
  theirs: ({ id }: Thing, world: World) => admin(world)('updateTeam', { id, name: 'Theirs' }),
  state: async ({ id }: Thing, world: World) =>
    oneOf((await ownersApi(world).get('/teams?limit=100')).body.data, id),
};
const ofMember = ({ id }: Thing, { people }: World) => ({ id, userId: people.member.userId });

const racesOfKind = (kind: 'Category' | 'Type'): readonly Race[] =>
  withPage(
    {
      make: async (world) => {
        const category = kind === 'Type' ? { categoryId: world.categories[0].id } : {};
        const { body } = await owner(world)(`create${kind}`, { value: 'Before', ...category });
        return { id: (body as { id: number }).id };
      },
      // `mine` doesn't contain the hours, so the other person's hours are kept.
      mine: ({ id }) => ({ id, value: 'Mine' }),
      theirs: ({ id }, world) =>
        admin(world)(`update${kind}`, { id, value: 'Theirs', defaultEstimatedHours: 3 }),
      state: async ({ id }, world) => {
        const list = kind === 'Type' ? '/task-types' : '/task-categories';
        const [found] = oneOf((await ownersApi(world).get(`${list}?limit=100`)).body.data, id);
        // The key contains the number of the item, which differs from run to run.
        return { ...found, key: null };
      },
    },
    { value: 'Before' },
  );

const person = {
  make: async (world: World) => ({ userId: (await addPerson(world, 'fresh', 'member')).userId }),
  theirs: ({ userId }: Thing, world: World) => admin(world)('changeRole', { userId, role: 'client' }),
  state: async ({ userId }: Thing, world: World) =>
    oneOf((await ownersApi(world).get('/users?limit=100')).body.data, userId),
};

const read = async (world: World, name: string) => {
  const operation = formOperations.find((each) => each.name === name);
  if (!operation) throw new Error(`there is no ${name}`);
  return (await runForm(world.people.owner.token, operation, {})).body;
};

const filter = {
  make: async (world: World): Promise<Thing> => {
    const { body } = await owner(world)('saveFilter', { name: 'Before', q: 'before' });
    return { id: (body as { id: number }).id };
  },
  state: async ({ id }: Thing, world: World) => oneOf((await read(world, 'listSavedFilters')).data, id),
};
const replaced = ({ id }: Thing, world: World) => owner(world)('replaceSavedFilter', { id, q: 'theirs' });
const renamed = ({ id }: Thing, world: World) => owner(world)('renameSavedFilter', { id, name: 'Theirs' });
const rename = ({ id }: Thing) => ({ id, name: 'Mine' });

/** Races about everything except tasks, comments and meetings. */
export const workspaceRaces: Readonly<Record<string, readonly Race[]>> = {
  updateWebhook: [
    ...withPage({ ...webhook, mine: ({ id }) => ({ id, description: 'Mine' }) }, { description: 'Before' }),
    { ...deletedWebhook, mine: ({ id }) => ({ id, description: 'Mine' }) },
  ],
  deleteWebhook: [{ ...webhook, mine: onlyId }],
  rotateWebhookSecret: [{ ...deletedWebhook, mine: onlyId }],
  replayWebhook: [{ ...deletedWebhook, mine: ({ id }) => ({ id, after: 0 }) }],
  createTimeEntry: [
    {
      ...timeEntry,
      mine: ({ taskId }) => ({ taskId, startTime: at('11:00'), endTime: at('12:00') }),
      theirs: (thing) => as(timeEntry.by(thing))('updateTimeEntry', { id: thing.id, endTime: at('11:30') }),
    },
  ],
  updateTimeEntry: [{ ...timeEntry, mine: ({ id }) => ({ id, endTime: at('09:30') }) }],
  deleteTimeEntry: [{ ...timeEntry, mine: onlyId }],
  updateProject: [
    ...withPage({ ...project, mine: ({ id }) => ({ id, name: 'Mine' }) }, { name: 'Before' }),
    // The status equals the one that was read, so it is a change only because of the other person's edit.
    { ...project, mine: ({ id }) => ({ id, name: 'Mine', status: 'active' }) },
  ],
  handOverProject: [{ ...handedOver('admin'), mine: ofMember }],
  addProjectMembers: [
    {
      ...handedOver('member'),
      by: (_thing, { people }) => people.lead,
      mine: ({ id }, { people }) => ({ id, userIds: [people.admin.userId] }),
    },
  ],
  removeProjectMember: [{ ...handedOver('member'), mine: ofMember }],
  deleteProject: [{ ...project, mine: ({ id }) => ({ id, name: 'Before' }) }],
  updateWorkspace: withPage(
    {
      make: async (world) => {
        await owner(world)('updateWorkspace', { name: 'Before', dailyCapacityHours: 8 });
        return {};
      },
      mine: () => ({ name: 'Mine' }),
      theirs: (_thing, world) => admin(world)('updateWorkspace', { name: 'Theirs', dailyCapacityHours: 6 }),
      state: (_thing, world) => read(world, 'getWorkspaceSettings'),
    },
    { name: 'Before' },
  ),
  changeRole: withPage({ ...person, mine: ({ userId }) => ({ userId, role: 'lead' }) }, { role: 'member' }),
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
      theirs: ({ id }, world) => admin(world)('deleteTeam', { id }),
    },
  ],
  updateTeam: withPage({ ...team, mine: ({ id }) => ({ id, name: 'Mine' }) }, { name: 'Before' }),
  deleteTeam: [{ ...team, mine: onlyId }],
  setTeamMember: [
    {
      ...team,
      mine: (thing, world) => ({ ...ofMember(thing, world), role: 'member' }),
      theirs: (thing, world) => admin(world)('removeTeamMember', ofMember(thing, world)),
    },
  ],
  removeTeamMember: [
    {
      ...team,
      mine: ofMember,
      theirs: (thing, world) => admin(world)('setTeamMember', { ...ofMember(thing, world), role: 'lead' }),
    },
  ],
  updateCategory: racesOfKind('Category'),
  updateType: racesOfKind('Type'),
  changeName: withPage(
    {
      make: async (world) => ({ ...(await addPerson(world, 'fresh', 'member')) }),
      by: ({ token, userId }) => ({ token: String(token), userId: String(userId) }),
      mine: () => ({ name: 'Mine' }),
      theirs: ({ token, userId }) =>
        as({ token: String(token), userId: String(userId) })('changeName', { name: 'Theirs' }),
      state: async ({ token }) => (await api(String(token)).get('/me')).body,
    },
    { name: 'Fresh Test' },
  ),
  renameSavedFilter: [
    { ...filter, mine: rename, theirs: replaced },
    ...withPage({ ...filter, mine: rename, theirs: renamed }, { name: 'Before' }),
  ],
  replaceSavedFilter: [{ ...filter, mine: ({ id }) => ({ id, q: 'mine' }), theirs: renamed }],
  deleteSavedFilter: [{ ...filter, mine: onlyId, theirs: replaced }],
};
