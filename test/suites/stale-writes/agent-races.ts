import { getChangeSet } from '../../../src/change-sets/review/review.ts';
import { connectApp } from '../../app-activity/connect-app.ts';
import { proposeChange } from '../../change-sets/propose.ts';
import { callTool } from '../../mcp/client.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, type World } from '../../support/world.ts';
import { getOwnersApi, type Race, type RaceObjects, sendAs, sendAsAdmin, sendAsOwner } from './race.ts';
import { archiveTaskAsAdmin, createRaceTask, readTaskState, task } from './task-races.ts';

const toApp = ({ token }: RaceObjects, { people }: World) => ({
  token: String(token),
  userId: people.owner.userId,
});
const toSetInput = ({ changeSet }: RaceObjects) => ({ id: changeSet });
const decideAsOwner = (name: string) => (objects: RaceObjects, world: World) =>
  sendAsOwner(world)(name, toSetInput(objects));

const proposedSet = {
  createObjects: async (world: World): Promise<RaceObjects> => {
    const { id: changeSet, task: id, token } = await proposeChange(world, world.people.owner);
    return { id, changeSet, token };
  },
  toInput: toSetInput,
  readState: async ({ id, changeSet }: RaceObjects, world: World) => [
    (await runForm(world.people.owner.token, getChangeSet, { id: changeSet })).body,
    (await getOwnersApi(world).get(`/tasks/${id}`)).body,
  ],
};
const stageName = async ({ id, token }: RaceObjects, name: string) => {
  await callTool(String(token), 'update_task', { updates: [{ id, name }] });
  return { status: 200 };
};
const openSet = {
  ...proposedSet,
  sender: toApp,
  createObjects: async (world: World): Promise<RaceObjects> => {
    const { id = 0 } = await createRaceTask(world);
    const { token } = await connectApp(world, world.people.owner);
    const { changeSet } = await callTool(token, 'begin_changes');
    await stageName({ id, token }, 'Mine');
    return { id, changeSet, token };
  },
};

const blockedTask = {
  ...task,
  createObjects: async (world: World): Promise<RaceObjects> => ({
    ...(await createRaceTask(world)),
    mine: (await createTask(world.people.owner, world.projects.joined.id, { name: 'Mine' })).id,
    theirs: (await createTask(world.people.owner, world.projects.joined.id, { name: 'Theirs' })).id,
  }),
  toInput: ({ id, mine }: RaceObjects) => ({ tasks: [{ id, blockedBy: [mine] }] }),
  readState: async (objects: RaceObjects, world: World) => [
    await readTaskState(objects, world),
    (await getOwnersApi(world).get(`/tasks/${objects.id}/relations`)).body.data,
  ],
};

/** Races of agents' operations, which have no route, and of the pages on which people review agents' changes. */
export const agentRaces: Readonly<Record<string, readonly Race[]>> = {
  updateTasksAsAgent: [
    { ...task, toInput: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', status: 'todo' }] }) },
    { ...task, toInput: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', ifVersion: '"1"' }] }) },
    {
      ...task,
      toInput: ({ id }, { categories }) => ({
        mode: 'each',
        ids: [id],
        set: { typeId: categories[0].typeId, priority: 'high' },
      }),
      applyOtherEdit: ({ id }, world) =>
        sendAsAdmin(world)('setTaskCategory', { id, categoryId: world.categories[1].id }),
    },
  ],
  addComments: [
    { ...task, toInput: ({ id }) => ({ ids: [id], content: 'Mine' }), applyOtherEdit: archiveTaskAsAdmin },
  ],
  setBlockers: [
    {
      ...blockedTask,
      applyOtherEdit: ({ id, theirs }, world) =>
        sendAsAdmin(world)('setBlockers', { tasks: [{ id, blockedBy: [theirs] }] }),
    },
    {
      ...blockedTask,
      applyOtherEdit: ({ id, mine }, world) =>
        sendAsAdmin(world)('setBlockers', { tasks: [{ id: mine, blockedBy: [id] }] }),
    },
    { ...blockedTask, applyOtherEdit: archiveTaskAsAdmin },
  ],
  beginChanges: [
    {
      createObjects: async (world) => ({ ...(await connectApp(world, world.people.owner)) }),
      sender: toApp,
      toInput: () => ({ title: 'Mine' }),
      applyOtherEdit: (objects, world) => sendAs(toApp(objects, world))('beginChanges', { title: 'Theirs' }),
      readState: async ({ app }, world) => {
        const client = 'client = (SELECT client_id FROM credentials WHERE id = ?)';
        const sets = getCell(world.cell).prepare(`SELECT title, status FROM change_sets WHERE ${client}`);
        return (await sets.bind(app).all()).results;
      },
    },
  ],
  proposeChanges: [
    { ...openSet, applyOtherEdit: (objects) => stageName(objects, 'Theirs') },
    {
      ...openSet,
      applyOtherEdit: (objects, world) =>
        sendAs(toApp(objects, world))('discardChanges', toSetInput(objects)),
    },
  ],
  discardChanges: [
    { ...openSet, applyOtherEdit: (objects) => stageName(objects, 'Theirs') },
    { ...proposedSet, sender: toApp, applyOtherEdit: decideAsOwner('applyChangeSet') },
  ],
  applyChangeSet: [
    {
      ...proposedSet,
      applyOtherEdit: ({ id }, world) => sendAsAdmin(world)('updateTask', { id, name: 'Theirs' }),
    },
    { ...proposedSet, applyOtherEdit: decideAsOwner('rejectChangeSet') },
  ],
  rejectChangeSet: [{ ...proposedSet, applyOtherEdit: decideAsOwner('applyChangeSet') }],
};
