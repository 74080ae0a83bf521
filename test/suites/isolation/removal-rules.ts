import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import type { Role } from '../../../src/kernel/access/roles.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { createMeeting, createTask, type Person, type World } from '../../support/world.ts';
import type { FormRule } from './form-rules.ts';

const allRoles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
const leadRoles = ['owner', 'admin', 'lead'] as const;
const noRoles = [] as const;

const pickAnotherPerson = ({ people }: World, actor: Person) =>
  actor === people.admin ? people.owner : people.admin;

type FileParent = 'tasks' | 'projects';
const getFormName = (parent: FileParent, verb: 'remove' | 'restore') =>
  parent === 'tasks' ? `${verb}File` : `${verb}ProjectFile`;

/**
 * Adds a file as the person, and removes it if `isRemoved` is true. Returns the path of the form that removes or
 * restores the file.
 */
async function createFilePath(world: World, person: Person, parent: FileParent, isRemoved: boolean) {
  const { id: project } = world.projects.joined;
  const { id } = parent === 'tasks' ? await createTask(world.people.lead, project) : world.projects.joined;
  const target = parent === 'tasks' ? { task: id } : { project: id };
  const attachmentId = await insertFile(world, person, target);
  const remove = parent === 'tasks' ? removeTaskFile : removeProjectFile;
  if (isRemoved) await runForm(person.token, remove, { id, attachmentId });
  return `/${parent}/${id}/files/${attachmentId}/${isRemoved ? 'restore' : 'remove'}`;
}

function createFileRules(parent: FileParent, ofOthers: readonly Role[]): FormRule[] {
  return [
    {
      form: getFormName(parent, 'remove'),
      about: 'a file that they uploaded',
      may: allRoles,
      foreign: 404,
      call: async (world, actor) => ({ path: await createFilePath(world, actor, parent, false) }),
    },
    {
      form: getFormName(parent, 'remove'),
      about: 'a file that someone else uploaded',
      may: ofOthers,
      foreign: 404,
      call: async (world, actor) => ({
        path: await createFilePath(world, pickAnotherPerson(world, actor), parent, false),
      }),
    },
    {
      form: getFormName(parent, 'restore'),
      about: 'a file that they removed',
      may: allRoles,
      foreign: 404,
      call: async (world, actor) => ({ path: await createFilePath(world, actor, parent, true) }),
    },
    {
      form: getFormName(parent, 'restore'),
      about: 'a file that someone else removed',
      may: noRoles,
      hidden: allRoles,
      foreign: 404,
      call: async (world, actor) => ({
        path: await createFilePath(world, pickAnotherPerson(world, actor), parent, true),
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

export const removalRules: readonly FormRule[] = [
  ...createFileRules('tasks', ['owner', 'admin', 'lead']),
  ...createFileRules('projects', ['owner', 'admin', 'lead']),
  {
    form: 'restoreMeeting',
    about: "a meeting that they canceled; for those who can't cancel, one that the lead canceled",
    may: leadRoles,
    foreign: 404,
    call: (world, actor) => {
      const mayCancel = [world.people.owner, world.people.admin, world.people.lead].includes(actor);
      return cancelMeeting(world, mayCancel ? actor : world.people.lead);
    },
  },
  {
    form: 'restoreMeeting',
    about: 'a meeting that someone else canceled',
    may: noRoles,
    hidden: leadRoles,
    foreign: 404,
    call: (world, actor) => cancelMeeting(world, pickAnotherPerson(world, actor)),
  },
  {
    form: 'restoreNotification',
    about: 'a notification that they deleted',
    may: allRoles,
    foreign: 404,
    call: deleteNotification,
  },
  {
    form: 'restoreNotification',
    about: 'a notification that someone else deleted',
    may: noRoles,
    hidden: allRoles,
    foreign: 404,
    call: (world, actor) => deleteNotification(world, pickAnotherPerson(world, actor)),
  },
];
