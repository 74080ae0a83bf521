// Long because one table lists every form with the events that it logs.
import { expect, it } from 'vitest';
import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { formOperations } from '../../../src/registry.ts';
import { acceptInvitation, registerByInvitation } from '../../../src/workspaces/invitations/accept.ts';
import { invitePerson } from '../../../src/workspaces/invitations/invite.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { api } from '../../support/api.ts';
import { cellOf } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress, PASSWORD, readMailedToken, setPassword } from '../../support/people.ts';
import { createMeeting, createTask, createTeam, createWorld, type World } from '../../support/world.ts';

type Input = Record<string, unknown>;

interface Form {
  tells: readonly string[];
  input: (world: World) => Input | Promise<Input>;
  by?: keyof World['people'];
}

const createTeamInput = async (world: World): Promise<Input> => ({
  id: await createTeam(world, { lead: world.people.lead, members: [world.people.member] }),
});

const addFileToTask = async (world: World): Promise<Input> => {
  const { owner } = world.people;
  const { id } = await createTask(owner, world.projects.joined.id);
  return { id, attachmentId: await insertFile(world, owner, { task: id }) };
};
const addFileToProject = async (world: World): Promise<Input> => {
  const { id } = world.projects.joined;
  return { id, attachmentId: await insertFile(world, world.people.owner, { project: id }) };
};
async function removeFirst(world: World, operation: AnyOperation, input: Input): Promise<Input> {
  await runForm(world.people.owner.token, operation, input);
  return input;
}

/** Lists each form with a valid input and the events that it logs. */
const formEvents: Record<string, Form> = {
  createProject: { tells: ['project.created'], input: () => ({ name: 'A new project' }) },
  updateProject: {
    tells: ['project.updated'],
    input: ({ projects }) => ({ id: projects.joined.id, name: 'Another name' }),
  },
  handOverProject: {
    tells: ['project.updated'],
    input: ({ projects, people }) => ({ id: projects.joined.id, userId: people.admin.userId }),
  },
  addProjectMembers: {
    tells: ['project.member_added'],
    input: ({ projects, people }) => ({ id: projects.other.id, userIds: [people.client.userId] }),
  },
  removeProjectMember: {
    tells: ['project.member_removed'],
    input: ({ projects, people }) => ({ id: projects.joined.id, userId: people.client.userId }),
  },
  updateWorkspace: { tells: ['workspace.updated'], input: () => ({ name: 'Renamed' }) },
  changeRole: {
    tells: ['member.updated'],
    input: ({ people }) => ({ userId: people.member.userId, role: 'lead' }),
  },
  handOverWorkspace: {
    tells: ['member.updated', 'member.updated'],
    input: ({ people }) => ({ userId: people.admin.userId }),
  },
  removePerson: {
    tells: ['member.removed'],
    input: ({ people }) => ({ userId: people.client.userId, heirId: null }),
  },
  leaveWorkspace: { tells: ['member.removed'], input: () => ({ heirId: null }), by: 'client' },
  setTaskTags: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      tags: ['urgent'],
    }),
  },
  setTaskCategory: {
    tells: ['task.updated'],
    input: async ({ people, projects, categories }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      categoryId: categories[0].id,
    }),
  },
  followTask: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({ id: (await createTask(people.member, projects.joined.id)).id }),
  },
  unfollowTask: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({ id: (await createTask(people.owner, projects.joined.id)).id }),
  },
  moveCard: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => ({
      id: (await createTask(people.owner, projects.joined.id)).id,
      status: 'todo',
      above: (await createTask(people.owner, projects.joined.id)).id,
    }),
  },
  moveMeeting: {
    tells: ['task.updated', 'meeting.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createMeeting(people.lead, projects.joined.id, { date: '2030-03-04' });
      return { id, date: '2030-03-05' };
    },
    by: 'lead',
  },
  undoChangesOfTasks: {
    tells: ['task.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createTask(people.owner, projects.joined.id);
      await api(people.owner.token).patch(`/tasks/${id}`, { status: 'completed' });
      return { ids: [id], since: 0 };
    },
  },
  restoreMeeting: {
    tells: ['meeting.updated'],
    input: async ({ people, projects }) => {
      const { id } = await createMeeting(people.lead, projects.joined.id);
      await api(people.lead.token).delete(`/meetings/${id}`);
      return { id };
    },
    by: 'lead',
  },
  removeTaskFile: { tells: ['attachment.deleted'], input: addFileToTask },
  restoreTaskFile: {
    tells: ['attachment.created'],
    input: async (world) => removeFirst(world, removeTaskFile, await addFileToTask(world)),
  },
  removeProjectFile: { tells: ['attachment.deleted'], input: addFileToProject },
  restoreProjectFile: {
    tells: ['attachment.created'],
    input: async (world) => removeFirst(world, removeProjectFile, await addFileToProject(world)),
  },
  createTeam: { tells: ['team.created'], input: () => ({ name: 'A team' }) },
  updateTeam: {
    tells: ['team.updated'],
    input: async (world) => ({ ...(await createTeamInput(world)), name: 'Another name' }),
  },
  deleteTeam: { tells: ['team.deleted'], input: createTeamInput },
  setTeamMember: {
    tells: ['team.updated'],
    input: async (world) => ({
      ...(await createTeamInput(world)),
      userId: world.people.admin.userId,
      role: 'member',
    }),
  },
  removeTeamMember: {
    tells: ['team.updated'],
    input: async (world) => ({ ...(await createTeamInput(world)), userId: world.people.member.userId }),
  },
  createCategory: { tells: ['category.created'], input: () => ({ value: 'Research' }) },
  updateCategory: {
    tells: ['category.updated'],
    input: ({ categories }) => ({ id: categories[0].id, value: 'Another name' }),
  },
  createType: {
    tells: ['type.created'],
    input: ({ categories }) => ({ categoryId: categories[0].id, value: 'Interview' }),
  },
  updateType: {
    tells: ['type.updated'],
    input: ({ categories }) => ({ id: categories[0].typeId, value: 'Another name' }),
  },
};

/** Lists forms that are tested below, or that change nothing other people can read. */
const otherForms: Record<string, string> = {
  deleteProject: 'logged when its last slice is deleted; test/projects/deletion',
  deleteWorkspace: 'no one can read the events of a deleted workspace',
  invitePerson: 'no one has joined yet',
  resendInvitation: 'no one has joined yet',
  withdrawInvitation: 'no one has joined yet',
  acceptInvitation: 'below',
  registerByInvitation: 'below',
  changeName: 'below',
  setPicture: 'below',
  removePicture: 'below',
  deleteAccount: 'below',
  createWorkspace: 'its creator is the only reader',
  requestPasswordReset: 'credentials of one person',
  resetPassword: 'credentials of one person',
  changePassword: 'credentials of one person',
  requestEmailChange: 'credentials of one person',
  confirmEmail: 'below',
  renewCalendarFeed: 'credentials of one person',
  endCalendarFeed: 'credentials of one person',
  restoreNotification: 'the inbox of one person',
  setMailPreferences: 'the mail of one person',
  saveFilter: 'changes a view, not the data (docs/adr/0031)',
  renameSavedFilter: 'changes a view, not the data',
  replaceSavedFilter: 'changes a view, not the data',
  deleteSavedFilter: 'changes a view, not the data',
  signOutBrowserById: 'credentials of one person',
  signOutOtherBrowsers: 'credentials of one person',
};

const readNewestSeq = async ({ cell, no }: World) =>
  (
    await cellOf(cell)
      .prepare('SELECT max(seq) AS seq FROM events WHERE ws = ?')
      .bind(no)
      .first<{ seq: number | null }>()
  )?.seq ?? 0;
const listTypesAfter = async ({ cell, no }: World, seq: number) =>
  (
    await cellOf(cell)
      .prepare('SELECT type FROM events WHERE ws = ? AND seq > ? ORDER BY seq')
      .bind(no, seq)
      .all<{ type: string }>()
  ).results.map(({ type }) => type);
const findForm = (name: string) => formOperations.find((each) => each.name === name) as AnyOperation;

it('every form that writes is classified as logged or silent', () => {
  const writing = formOperations.filter(({ effect }) => effect === 'write').map(({ name }) => name);
  expect(writing.sort()).toEqual([...Object.keys(formEvents), ...Object.keys(otherForms)].sort());
});

for (const [name, { tells, input, by = 'owner' }] of Object.entries(formEvents)) {
  it(`${name} logs ${tells.join(', ')}`, async () => {
    const world = await createWorld();
    const given = await input(world);
    const before = await readNewestSeq(world);
    expect((await runForm(world.people[by].token, findForm(name), given)).status).toBe(200);
    expect(await listTypesAfter(world, before)).toEqual(tells);
  });
}

it('joining with an existing or a new account logs an event', async () => {
  const world = await createWorld();
  const stranger = (await createWorld()).people.member;
  const newcomer = createEmailAddress();
  for (const email of [stranger.email, newcomer]) {
    await runForm(world.people.owner.token, invitePerson, { email, role: 'member' });
  }
  const before = await readNewestSeq(world);
  const accepted = await runForAccount(await signIn(stranger.userId), acceptInvitation, {
    token: await readMailedToken(stranger.email, 'invitation'),
  });
  expect([accepted.status, await listTypesAfter(world, before)]).toEqual([200, ['member.joined']]);
  const registered = await runPublic(registerByInvitation, {
    token: await readMailedToken(newcomer, 'invitation'),
    name: 'New',
    password: PASSWORD,
  });
  expect([registered.status, await listTypesAfter(world, before)]).toEqual([
    200,
    ['member.joined', 'member.joined'],
  ]);
});

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

it('a change to a person is logged in each of their workspaces, without their name or address', async () => {
  const world = await createWorld();
  const { member } = world.people;
  await setPassword(member.userId);
  const browser = await signIn(member.userId);
  const started = await readNewestSeq(world);
  const email = createEmailAddress();
  for (const [name, input] of [
    ['changeName', { name: 'Another Name' }],
    ['setPicture', { bytes: PNG }],
    ['removePicture', {}],
    ['requestEmailChange', { email, password: PASSWORD }],
  ] as const) {
    expect([name, (await runForAccount(browser, findForm(name), input)).status]).toEqual([name, 200]);
  }
  const confirmed = await runPublic(findForm('confirmEmail'), {
    token: await readMailedToken(email, 'confirm-email'),
  });
  expect(confirmed.status).toBe(200);
  const formEvents = await cellOf(world.cell)
    .prepare('SELECT type, entity, changes FROM events WHERE ws = ? AND seq > ? ORDER BY seq')
    .bind(world.no, started)
    .all();
  const updated = (changes: string) => ({ type: 'member.updated', entity: member.userId, changes });
  expect(formEvents.results).toEqual([
    updated('{"name":{}}'),
    updated('{"image":{}}'),
    updated('{"image":{}}'),
    updated('{"email":{}}'),
  ]);
});

it('deleting an account logs that the person left', async () => {
  const world = await createWorld();
  const { member } = world.people;
  await setPassword(member.userId);
  const before = await readNewestSeq(world);
  const { status } = await runForAccount(await signIn(member.userId), findForm('deleteAccount'), {
    email: member.email,
    password: PASSWORD,
  });
  expect(status).toBe(200);
  expect(await listTypesAfter(world, before)).toEqual(['member.removed']);
});
