import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import type { Role } from '../../../src/kernel/access/roles.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { createMeeting, createTask, type Person, type World } from '../../support/world.ts';
import type { FormRule } from './form-rules.ts';

const everybody = ['owner', 'admin', 'lead', 'member', 'client'] as const;
const leading = ['owner', 'admin', 'lead'] as const;
const noOne = [] as const;

const pickAnotherPerson = ({ people }: World, actor: Person) =>
  actor === people.admin ? people.owner : people.admin;

type Place = 'tasks' | 'projects';
const nameOf = (place: Place, verb: 'remove' | 'restore') =>
  place === 'tasks' ? `${verb}File` : `${verb}ProjectFile`;

/** A file that the person uploaded. @param isRemoved by them */
async function createFilePath(world: World, person: Person, place: Place, isRemoved: boolean) {
  const { id: project } = world.projects.joined;
  const { id } = place === 'tasks' ? await createTask(world.people.lead, project) : world.projects.joined;
  const target = place === 'tasks' ? { task: id } : { project: id };
  const attachmentId = await insertFile(world, person, target);
  const remove = place === 'tasks' ? removeTaskFile : removeProjectFile;
  if (isRemoved) await runForm(person.token, remove, { id, attachmentId });
  return `/${place}/${id}/files/${attachmentId}/${isRemoved ? 'restore' : 'remove'}`;
}

function createFileRules(place: Place, ofOthers: readonly Role[]): FormRule[] {
  return [
    {
      form: nameOf(place, 'remove'),
      about: 'a file that they uploaded',
      may: everybody,
      foreign: 404,
      call: async (world, actor) => ({ path: await createFilePath(world, actor, place, false) }),
    },
    {
      form: nameOf(place, 'remove'),
      about: 'a file that someone else uploaded',
      may: ofOthers,
      foreign: 404,
      call: async (world, actor) => ({
        path: await createFilePath(world, pickAnotherPerson(world, actor), place, false),
      }),
    },
    {
      form: nameOf(place, 'restore'),
      about: 'a file that they removed',
      may: everybody,
      foreign: 404,
      call: async (world, actor) => ({ path: await createFilePath(world, actor, place, true) }),
    },
    {
      form: nameOf(place, 'restore'),
      about: 'a file that someone else removed',
      may: noOne,
      hidden: everybody,
      foreign: 404,
      call: async (world, actor) => ({
        path: await createFilePath(world, pickAnotherPerson(world, actor), place, true),
      }),
    },
  ];
}

async function cancelMeeting(world: World, person: Person) {
  const { id } = await createMeeting(world.people.lead, world.projects.joined.id);
  await api(person.token).delete(`/meetings/${id}`);
  return { path: `/meetings/${id}/restore` };
}

async function deleteNotification(world: World, person: Person) {
  await createTask(pickAnotherPerson(world, person), world.projects.other.id, { assigneeId: person.userId });
  const session = api(person.token);
  const { id } = (await session.get('/notifications')).body.data[0];
  await session.delete(`/notifications/${id}`);
  return { path: `/inbox/${id}/restore` };
}

/** States who may remove files through the web app, and who may undo a removal. */
export const removalRules: readonly FormRule[] = [
  ...createFileRules('tasks', ['owner', 'admin', 'lead']),
  ...createFileRules('projects', ['owner', 'admin', 'lead']),
  {
    form: 'restoreMeeting',
    about: "a meeting that they canceled; for those who can't cancel, one that the lead canceled",
    may: leading,
    foreign: 404,
    call: (world, actor) => {
      const mayCancel = [world.people.owner, world.people.admin, world.people.lead].includes(actor);
      return cancelMeeting(world, mayCancel ? actor : world.people.lead);
    },
  },
  {
    form: 'restoreMeeting',
    about: 'a meeting that someone else canceled',
    may: noOne,
    hidden: leading,
    foreign: 404,
    call: (world, actor) => cancelMeeting(world, pickAnotherPerson(world, actor)),
  },
  {
    form: 'restoreNotification',
    about: 'a notification that they deleted',
    may: everybody,
    foreign: 404,
    call: deleteNotification,
  },
  {
    form: 'restoreNotification',
    about: 'a notification that someone else deleted',
    may: noOne,
    hidden: everybody,
    foreign: 404,
    call: (world, actor) => deleteNotification(world, pickAnotherPerson(world, actor)),
  },
];
