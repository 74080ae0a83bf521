import { changeableFields } from '../../support/task-fields.ts';
import { addPerson, createMeeting, createProject, createTask, type World } from '../../support/world.ts';
import { admin, type Input, owner, ownersApi, type Race, type Thing, withPage } from './race.ts';

export const newTask = async ({ people, projects }: World): Promise<Thing> => ({
  id: (await createTask(people.owner, projects.joined.id)).id,
});
async function newArchivedTask(world: World): Promise<Thing> {
  const thing = await newTask(world);
  await owner(world)('archiveTask', thing);
  return thing;
}
const stateOfTask = async ({ id }: Thing, world: World) => [
  (await ownersApi(world).get(`/tasks/${id}`)).body,
  (await ownersApi(world).get(`/tasks/${id}/activities`)).body.data,
];
const patched = (fields: Input) => (thing: Thing, world: World) =>
  admin(world)('updateTask', { id: thing.id, ...fields });
const archived = ({ id }: Thing, world: World) => admin(world)('archiveTask', { id });

const task = { make: newTask, theirs: patched({ status: 'completed' }), state: stateOfTask };
const onlyId = ({ id }: Thing) => ({ id });
const onlyIds = ({ id }: Thing) => ({ mode: 'all', ids: [id] });
const unarchived = {
  make: newArchivedTask,
  theirs: ({ id }: Thing, world: World) => admin(world)('unarchiveTask', { id }),
  state: stateOfTask,
};

const racesOfFields = changeableFields.flatMap(({ name, before, mine, theirs }) =>
  withPage(
    { ...task, mine: ({ id }) => ({ id, [name]: mine }), theirs: patched({ [name]: theirs }) },
    { [name]: before },
  ),
);

const newComment = async (world: World): Promise<Thing> => {
  const thing = await newTask(world);
  const { body } = await ownersApi(world).post(`/tasks/${thing.id}/comments`, { content: 'First' });
  return { ...thing, commentId: body.id };
};
const comment = {
  make: newComment,
  theirs: ({ id, commentId }: Thing, world: World) =>
    owner(world)('updateComment', { id, commentId, content: 'Theirs' }),
  state: async (thing: Thing, world: World) => [
    await stateOfTask(thing, world),
    (await ownersApi(world).get(`/tasks/${thing.id}/comments`)).body.data,
  ],
};
const ofComment = ({ id, commentId }: Thing) => ({ id, commentId });

const meeting = {
  // The person has no other meetings, so the times never conflict.
  make: async (world: World) => {
    const { owner, admin } = world.people;
    const person = await addPerson(world, 'fresh', 'admin');
    const project = await createProject(world, { owner: person, members: [owner, admin], name: 'A project' });
    return { id: (await createMeeting(person, project.id)).id, userId: person.userId };
  },
  mine: ({ id }: Thing) => ({ id, time: '12:00', location: 'Mine' }),
  theirs: ({ id }: Thing, world: World) =>
    admin(world)('updateMeeting', { id, location: 'Theirs', date: '2026-12-08' }),
  state: async ({ id }: Thing, world: World) => (await ownersApi(world).get(`/meetings/${id}`)).body,
};

/** Races about tasks, comments and meetings. */
export const taskRaces: Readonly<Record<string, readonly Race[]>> = {
  updateTask: [
    // The status equals the one that was read, so it is a change only because of the other person's edit.
    { ...task, mine: ({ id }) => ({ id, name: 'Mine', status: 'todo' }) },
    ...racesOfFields,
    ...withPage(
      {
        ...task,
        mine: ({ id }, { people }) => ({ id, assigneeId: people.member.userId }),
        theirs: (thing, world) => patched({ assigneeId: world.people.lead.userId })(thing, world),
      },
      { assigneeId: null },
    ),
  ],
  archiveTask: [{ ...task, mine: onlyId }],
  unarchiveTask: [{ ...unarchived, mine: onlyId }],
  duplicateTask: [{ ...task, mine: onlyId }],
  updateTasksInBulk: [
    { ...task, mine: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', status: 'todo' }] }) },
    { ...task, mine: ({ id }) => ({ mode: 'each', ids: [id], set: { priority: 'high', status: 'todo' } }) },
    { ...task, mine: ({ id }) => ({ mode: 'all', updates: [{ id, name: 'Mine', ifVersion: '"1"' }] }) },
  ],
  archiveTasksInBulk: [{ ...task, mine: onlyIds }],
  unarchiveTasksInBulk: [{ ...unarchived, mine: onlyIds }],
  setTaskTags: withPage(
    {
      ...task,
      mine: ({ id }) => ({ id, tags: ['mine'] }),
      theirs: ({ id }, world) => admin(world)('setTaskTags', { id, tags: ['theirs'] }),
    },
    { tags: [] },
  ),
  setTaskCategory: withPage(
    {
      ...task,
      mine: ({ id }, { categories }) => ({ id, typeId: categories[0].typeId }),
      theirs: ({ id }, world) => admin(world)('setTaskCategory', { id, categoryId: world.categories[1].id }),
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
  followTask: [{ ...task, by: (_thing, { people }) => people.lead, mine: onlyId, theirs: archived }],
  unfollowTask: [
    {
      ...task,
      mine: onlyId,
      theirs: (thing, world) => patched({ assigneeId: world.people.owner.userId })(thing, world),
    },
  ],
  undoChangesOfTasks: [
    {
      ...task,
      make: async (world) => {
        const thing = await newTask(world);
        await owner(world)('updateTask', { ...thing, status: 'completed', name: 'Changed' });
        return thing;
      },
      mine: ({ id }) => ({ ids: [id], since: 0 }),
      theirs: patched({ status: 'client_review' }),
    },
  ],
  addComment: [{ ...task, mine: ({ id }) => ({ id, content: 'Mine' }), theirs: archived }],
  updateComment: withPage(
    { ...comment, mine: (thing) => ({ ...ofComment(thing), content: 'Mine' }) },
    { content: 'First' },
  ),
  deleteComment: [
    { ...comment, mine: ofComment },
    { ...comment, mine: ofComment, theirs: archived },
  ],
  updateMeeting: [meeting],
  moveMeeting: withPage(meeting, { location: null }),
  cancelMeeting: [{ ...meeting, mine: onlyId }],
  startTimer: [{ ...task, mine: ({ id }) => ({ taskId: id }), theirs: archived }],
};
