// This file is long because one table states who may use each form of the web app. Read it alongside docs/contract.md.

import type { Role } from '../../../src/kernel/access/roles.ts';
import { notificationTypes } from '../../../src/notifications/inbox/notifications.schema.ts';
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { saveFilter } from '../../../src/tasks/saved-filters/saved-filters.ts';
import { renameAsApp } from '../../app-activity/connect-app.ts';
import { proposeChange } from '../../change-sets/propose.ts';
import {
  createSubscriptionFields,
  turnOnPushEverywhere,
} from '../../notifications/push/stored-subscription.ts';
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
import { createProjectTemplate, createTemplate } from '../../templates/create-template.ts';
import { createBotAndKey } from '../../workspaces/bots/create-bot.ts';
import { removalRules } from './removal-rules.ts';

interface FormCall {
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A way to use a form, and the roles that may do so. */
export interface FormRule {
  readonly form: string;
  readonly about: string;
  readonly may: readonly Role[];
  /** The roles that can't see the object, and therefore get 404. */
  readonly hidden?: readonly Role[];
  /** The roles that may use the form, but get 400 because their input is invalid. */
  readonly wrong?: readonly Role[];
  /** Whether a successful request ends the membership of the actor. */
  readonly endsActor?: true;
  /** Creates the data that a successful request uses up, and returns the request. */
  readonly call: (world: World, actor: Person) => Promise<FormCall> | FormCall;
  /** The status for an object in another workspace. Null if the form concerns no object. */
  readonly foreign: 404 | 400 | null;
}

const allRoles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
const staffRoles = ['owner', 'admin', 'lead', 'member'] as const;
const leadRoles = ['owner', 'admin', 'lead'] as const;
const adminRoles = ['owner', 'admin'] as const;
const noRoles = [] as const;

/** Contains no standalone number, because forms.test.ts would replace it as if it were an id. */
const createUniqueName = () => `n${crypto.randomUUID().replaceAll('-', '')}`;
const createLedProject = (world: World, owner: Person, name = 'Led') => createProject(world, { owner, name });
const pickAnotherPerson = ({ people }: World, actor: Person) =>
  actor === people.admin ? people.owner : people.admin;
const addFreshPerson = (world: World, role: Role = 'member') => addPerson(world, 'fresh', role);
const ledProject = { about: 'a project that they lead', may: staffRoles, foreign: 404 } as const;
const otherLeadsProject = {
  about: 'a project led by someone else',
  may: adminRoles,
  hidden: ['client'],
  foreign: 404,
} as const;

function createProjectRules(
  form: string,
  call: (project: number, world: World) => Promise<FormCall> | FormCall,
  may: { led: readonly Role[]; ofOthers: readonly Role[] } = { led: staffRoles, ofOthers: adminRoles },
): FormRule[] {
  return [
    {
      ...ledProject,
      form,
      may: may.led,
      call: async (world, actor) => call((await createLedProject(world, actor)).id, world),
    },
    {
      ...otherLeadsProject,
      form,
      may: may.ofOthers,
      call: async (world, actor) =>
        call((await createLedProject(world, pickAnotherPerson(world, actor))).id, world),
    },
  ];
}

/** Leads and members can share a filter with the workspace, but not with the public. */
function createFilterLinkRules(): FormRule[] {
  const saveSharedFilter = async ({ people }: World) =>
    (await runForm(people.owner.token, saveFilter, { name: 'Shared', q: 'word', isShared: true })).body.id;
  const createFilterLink = async (world: World) =>
    (await createLink(world.people.owner, { filterId: await saveSharedFilter(world) })).id;
  const toRule = (form: string, call: FormRule['call']): FormRule => ({
    form,
    about: 'a shared filter',
    may: adminRoles,
    foreign: 404,
    call,
  });
  return [
    toRule('newFilterLink', async (world) => ({ path: `/filters/${await saveSharedFilter(world)}/links` })),
    toRule('changeLink', async (world) => ({
      path: `/links/${await createFilterLink(world)}`,
      fields: { showsNames: 'true' },
    })),
    toRule('revokeLink', async (world) => ({ path: `/links/${await createFilterLink(world)}/revoke` })),
  ];
}

const toFilterCall = (fields: Record<string, string>): FormCall => ({
  path: '/filters',
  fields: { name: createUniqueName(), q: 'word', ...fields },
});

function createFilterRules(form: string, call: (id: number) => FormCall): FormRule[] {
  const saveFilterAs = async ({ token }: Person, isShared: boolean) =>
    (await runForm(token, saveFilter, { name: 'Saved', q: 'word', isShared })).body.id;
  return [
    {
      form,
      about: 'their own saved filter',
      may: allRoles,
      foreign: 404,
      call: async (_world, actor) => call(await saveFilterAs(actor, false)),
    },
    {
      form,
      about: 'a filter that someone else shares',
      may: adminRoles,
      foreign: 404,
      call: async (world, actor) => call(await saveFilterAs(pickAnotherPerson(world, actor), true)),
    },
    {
      form,
      about: "someone else's private filter",
      may: noRoles,
      hidden: allRoles,
      foreign: 404,
      call: async (world, actor) => call(await saveFilterAs(pickAnotherPerson(world, actor), false)),
    },
  ];
}

function createChangeSetRules(form: string, call: (id: number) => FormCall): FormRule[] {
  return [
    {
      form,
      about: 'changes that their own app proposes',
      may: allRoles,
      foreign: 404,
      call: async (world, actor) => call((await proposeChange(world, actor)).id),
    },
    {
      form,
      about: "changes that someone else's app proposes",
      may: noRoles,
      hidden: allRoles,
      foreign: 404,
      call: async (world, actor) => call((await proposeChange(world, pickAnotherPerson(world, actor))).id),
    },
  ];
}

function createBotRule(form: string, call: (bot: { id: string; keyId: number }) => FormCall): FormRule {
  return {
    form,
    about: 'a bot',
    may: adminRoles,
    foreign: 404,
    call: async (world) => call(await createBotAndKey(world.people.owner)),
  };
}

function createAppActivityRules(form: string): FormRule[] {
  const call = (app: number) => ({ path: `/apps/${app}/undo` });
  return [
    {
      form,
      about: 'changes of their own app',
      may: allRoles,
      foreign: 404,
      call: async (world, actor) => call((await renameAsApp(world, actor)).app),
    },
    {
      form,
      about: "changes of someone else's app",
      may: noRoles,
      hidden: allRoles,
      foreign: 404,
      call: async (world, actor) => call((await renameAsApp(world, pickAnotherPerson(world, actor))).app),
    },
  ];
}

function createTeamRules(
  form: string,
  call: (team: number, world: World, person: Person) => FormCall,
  isOfLeads: boolean,
  how = '',
): FormRule[] {
  const createTeamAt = async (world: World, leader: Person) => {
    const person = await addFreshPerson(world);
    return call(await createTeam(world, { lead: leader, members: [person] }), world, person);
  };
  return [
    {
      form,
      about: `${how}a team that they lead`,
      may: isOfLeads ? leadRoles : adminRoles,
      foreign: 404,
      call: createTeamAt,
    },
    {
      form,
      about: `${how}a team that they don't lead`,
      may: adminRoles,
      foreign: 404,
      call: (world, actor) => createTeamAt(world, pickAnotherPerson(world, actor)),
    },
  ];
}

async function createInvitation(world: World, inviter: Person, projects: number[] = []): Promise<number> {
  const made = await getCell(world.cell)
    .prepare(
      "INSERT INTO invitations (ws, email, email_key, role, invited_by, token_hash, created_at, expires_at, sent_at, projects) VALUES (?1, ?2, ?2, 'member', ?3, ?2, ?4, ?4 + 86400000, ?4, ?5) RETURNING id",
    )
    .bind(world.no, createEmailAddress(), inviter.member, Date.now(), JSON.stringify(projects))
    .first<{ id: number }>();
  return made?.id ?? 0;
}

function createInvitationRules(form: string, verb: string): FormRule[] {
  return [
    {
      form,
      about: 'their own invitation',
      may: leadRoles,
      foreign: 404,
      call: async (world, actor) => {
        // A lead can invite people only into projects that they lead.
        const project = await createProject(world, { owner: actor });
        return { path: `/people/invitations/${await createInvitation(world, actor, [project.id])}/${verb}` };
      },
    },
    {
      form,
      about: "someone else's invitation",
      may: adminRoles,
      hidden: ['lead'],
      foreign: 404,
      call: async (world, actor) => ({
        path: `/people/invitations/${await createInvitation(world, pickAnotherPerson(world, actor))}/${verb}`,
      }),
    },
  ];
}

function createPersonRule(
  form: string,
  about: string,
  may: readonly Role[],
  target: (world: World) => Promise<Person> | Person,
  verb: string,
  fields: Record<string, string> = {},
): FormRule {
  return {
    form,
    about,
    may,
    foreign: 404,
    call: async (world) => ({ path: `/people/${(await target(world)).userId}/${verb}`, fields }),
  };
}

/**
 * Returns one rule for a task in a project that the client has joined, and one for a task in a project that they can't
 * see.
 */
function createTaskRules(
  form: string,
  verb: string | ((world: World, project: number) => Promise<string>),
  fields: Record<string, string>,
): FormRule[] {
  return createRulesByProject(form, async (world, id, project) => {
    const part = typeof verb === 'string' ? verb : await verb(world, project);
    return { path: `/tasks/${id}/${part}`, fields };
  });
}

function createRulesByProject(
  form: string,
  buildCall: (world: World, task: number, project: number) => ReturnType<FormRule['call']>,
): FormRule[] {
  const createRule = (about: string, project: 'joined' | 'other', hidden: readonly Role[]): FormRule => ({
    form,
    about,
    may: allRoles.filter((role) => !hidden.includes(role)),
    hidden,
    foreign: 404,
    call: async (world) => {
      const { lead, owner } = world.people;
      const { id } = await createTask(project === 'joined' ? lead : owner, world.projects[project].id);
      return buildCall(world, id, world.projects[project].id);
    },
  });
  return [
    createRule('a task in a project of the lead, a member and a client', 'joined', []),
    createRule('a task in a project of an owner and an admin', 'other', ['client']),
  ];
}

function createMoveRules(): FormRule[] {
  const moveTaskAs = async (world: World, mover: Person) => {
    const { id } = await createTask(world.people.lead, world.projects.joined.id, {
      assigneeId: mover.userId,
    });
    const members = Object.values(world.people).filter((person) => person !== world.people.lead);
    const { id: target } = await createProject(world, { owner: world.people.lead, members });
    await api(mover.token).post(`/tasks/${id}/move`, { projectId: target });
    return { path: '/tasks/bulk/move/undo', fields: { ids: String(id), since: '0' } };
  };
  return [
    {
      form: 'undoMoves',
      about: 'a task that they moved',
      may: allRoles,
      foreign: 400,
      call: (world, actor) => moveTaskAs(world, actor),
    },
    {
      form: 'undoMoves',
      about: 'a task that someone else moved',
      may: noRoles,
      wrong: allRoles,
      foreign: null,
      call: (world, actor) => moveTaskAs(world, pickAnotherPerson(world, actor)),
    },
  ];
}

/**
 * Returns a rule for the actor's own template, and one for the owner's template for all projects. Clients can't save
 * templates, so their first rule uses one of the owner's.
 */
function createTemplateRules(form: string, verb: string, fields: Record<string, string>): FormRule[] {
  return [
    {
      form,
      about: 'a template of their own, or of the owner for clients',
      may: staffRoles,
      foreign: 404,
      call: async ({ people, projects }, actor) => {
        const by = actor === people.client ? people.owner : actor;
        const id = await createTemplate(by, projects.joined.id, { isOfProject: true });
        return { path: `/templates/${id}${verb}`, fields };
      },
    },
    {
      form,
      about: 'a template for all projects that an owner saved',
      may: leadRoles,
      hidden: ['client'],
      foreign: 404,
      call: async ({ people, projects }) => {
        const id = await createTemplate(people.owner, projects.joined.id);
        return { path: `/templates/${id}${verb}`, fields };
      },
    },
  ];
}

const allTypesDaily = Object.fromEntries(notificationTypes.map((type) => [type, 'daily']));
const toTypesPath = (world: World) => `/categories/${world.categories[0].id}/types`;

/** All forms whose operation has no REST route, with a rule for each kind of object. */
export const formRules: readonly FormRule[] = [
  {
    form: 'createProject',
    about: '',
    may: staffRoles,
    foreign: null,
    call: () => ({ path: '/projects', fields: { name: 'Made' } }),
  },
  ...createProjectRules('changeProject', (id) => ({ path: `/projects/${id}`, fields: { name: 'Changed' } })),
  ...createProjectRules('changeColumn', (id) => ({
    path: `/projects/${id}/columns`,
    fields: { column: 'todo', label: createUniqueName() },
  })),
  ...createProjectRules('addPeople', (id, { people }) => ({
    path: `/projects/${id}/people`,
    fields: { userIds: people.member.userId },
  })),
  ...createProjectRules('removePersonFromProject', async (id, world) => {
    const person = await addFreshPerson(world);
    await getCell(world.cell)
      .prepare('INSERT INTO project_members (project, member) VALUES (?, ?)')
      .bind(id, person.member)
      .run();
    return { path: `/projects/${id}/people/${person.userId}/remove` };
  }),
  ...createProjectRules('handOverProject', async (id, world) => ({
    path: `/projects/${id}/owner`,
    fields: { userId: (await addFreshPerson(world)).userId },
  })),
  ...createProjectRules('newProjectLink', (id) => ({ path: `/projects/${id}/links` })),
  ...createProjectRules('changeLink', async (id, world) => ({
    path: `/links/${(await createLink(world.people.owner, { projectId: id })).id}`,
    fields: { showsNames: 'true' },
  })),
  ...createProjectRules('revokeLink', async (id, world) => ({
    path: `/links/${(await createLink(world.people.owner, { projectId: id })).id}/revoke`,
  })),
  ...createFilterLinkRules(),
  ...createProjectRules('newIntakeForm', (id) => ({
    path: `/projects/${id}/intake`,
    fields: { tag: 'new' },
  })),
  ...createProjectRules('changeIntakeForm', async (id, world) => {
    await createForm(world.people.owner, id);
    return { path: `/projects/${id}/intake/settings`, fields: { greeting: createUniqueName() } };
  }),
  ...createProjectRules('removeIntakeForm', async (id, world) => {
    await createForm(world.people.owner, id);
    return { path: `/projects/${id}/intake/end` };
  }),
  ...createMoveRules(),
  ...createProjectRules(
    'removeProject',
    (id) => ({ path: `/projects/${id}/remove`, fields: { name: 'Led' } }),
    {
      led: adminRoles,
      ofOthers: adminRoles,
    },
  ),
  {
    form: 'invite',
    about: 'a member without a project',
    may: adminRoles,
    foreign: null,
    call: () => ({
      path: '/people/invitations',
      fields: { email: createEmailAddress(), role: 'member', projectIds: '' },
    }),
  },
  {
    form: 'invite',
    about: 'a member of a project that they lead',
    may: leadRoles,
    foreign: 400,
    call: async (world, actor) => ({
      path: '/people/invitations',
      fields: {
        email: createEmailAddress(),
        role: 'member',
        projectIds: String((await createLedProject(world, actor)).id),
      },
    }),
  },
  {
    form: 'invite',
    about: 'an admin',
    may: adminRoles,
    foreign: null,
    call: () => ({
      path: '/people/invitations',
      fields: { email: createEmailAddress(), role: 'admin', projectIds: '' },
    }),
  },
  ...createInvitationRules('inviteAgain', 'resend'),
  ...createInvitationRules('withdrawInvitation', 'withdraw'),
  createPersonRule('giveRole', 'a member', adminRoles, (world) => addFreshPerson(world), 'role', {
    role: 'lead',
  }),
  createPersonRule('giveRole', 'an admin', adminRoles, (world) => addFreshPerson(world, 'admin'), 'role', {
    role: 'lead',
  }),
  createPersonRule('giveRole', 'the owner', noRoles, ({ people }) => people.owner, 'role', { role: 'lead' }),
  createPersonRule('takeOut', 'a member', adminRoles, (world) => addFreshPerson(world), 'remove'),
  createPersonRule('takeOut', 'an admin', adminRoles, (world) => addFreshPerson(world, 'admin'), 'remove'),
  {
    ...createPersonRule('takeOut', 'the owner', noRoles, ({ people }) => people.owner, 'remove'),
    // Owners can't remove themselves. They must leave or transfer the workspace.
    wrong: ['owner'],
  },
  {
    ...createPersonRule(
      'giveWorkspace',
      'a client',
      noRoles,
      (world) => addFreshPerson(world, 'client'),
      'owner',
    ),
    wrong: ['owner'],
  },
  {
    form: 'newTeam',
    about: '',
    may: adminRoles,
    foreign: null,
    call: () => ({ path: '/teams', fields: { name: createUniqueName(), parentId: '' } }),
  },
  ...createTeamRules(
    'changeTeam',
    (id) => ({ path: `/teams/${id}`, fields: { name: createUniqueName() } }),
    false,
  ),
  ...createTeamRules('removeTeam', (id) => ({ path: `/teams/${id}/remove` }), false),
  ...createTeamRules(
    'putIntoTeam',
    (id, _world, { userId }) => ({ path: `/teams/${id}/people`, fields: { userId, role: 'member' } }),
    true,
  ),
  ...createTeamRules(
    'putIntoTeam',
    (id, _world, { userId }) => ({ path: `/teams/${id}/people`, fields: { userId, role: 'lead' } }),
    false,
    'as its lead into ',
  ),
  ...createTeamRules(
    'takeFromTeam',
    (id, _world, { userId }) => ({ path: `/teams/${id}/people/${userId}/remove` }),
    true,
  ),
  {
    form: 'newCategory',
    about: '',
    may: leadRoles,
    foreign: null,
    call: () => ({
      path: '/categories',
      fields: { value: createUniqueName(), defaultEstimatedHours: '2.5' },
    }),
  },
  {
    form: 'changeCategory',
    about: '',
    may: leadRoles,
    foreign: 404,
    call: (world) => ({
      path: `/categories/${world.categories[0].id}`,
      fields: { value: createUniqueName() },
    }),
  },
  {
    form: 'newCustomField',
    about: '',
    may: leadRoles,
    foreign: null,
    call: () => ({ path: '/fields', fields: { name: createUniqueName(), type: 'text' } }),
  },
  {
    form: 'changeCustomField',
    about: '',
    may: leadRoles,
    foreign: 404,
    call: async (world) => ({
      path: `/fields/${await createField(world, 'text')}`,
      fields: { name: createUniqueName() },
    }),
  },
  {
    form: 'removeCustomField',
    about: '',
    may: leadRoles,
    foreign: 404,
    call: async (world) => ({ path: `/fields/${await createField(world, 'text')}/remove` }),
  },
  {
    form: 'restoreCustomField',
    about: '',
    may: leadRoles,
    foreign: 404,
    call: async (world) => {
      const id = await createField(world, 'text');
      await runForm(world.people.owner.token, deleteCustomField, { id });
      return { path: `/fields/${id}/restore` };
    },
  },
  {
    form: 'setProjectFields',
    about: 'a project of the lead, a member and a client',
    may: leadRoles,
    foreign: 404,
    call: async (world) => ({
      path: `/projects/${world.projects.joined.id}/fields`,
      fields: { fieldIds: String(await createField(world, 'text')) },
    }),
  },
  {
    form: 'newType',
    about: '',
    may: leadRoles,
    foreign: 404,
    call: (world) => ({
      path: toTypesPath(world),
      fields: { value: createUniqueName(), defaultEstimatedHours: '' },
    }),
  },
  {
    form: 'changeType',
    about: '',
    may: leadRoles,
    foreign: 404,
    call: (world) => ({
      path: `/types/${world.categories[0].typeId}`,
      fields: { value: createUniqueName() },
    }),
  },
  {
    form: 'changeLabel',
    about: '',
    may: leadRoles,
    foreign: 404,
    call: async (world) => {
      const label = `label-${world.no}`;
      await createTask(world.people.owner, world.projects.joined.id, { tags: [label] });
      return { path: '/labels', fields: { label, color: '#dc2626', description: createUniqueName() } };
    },
  },
  {
    form: 'changeWorkspace',
    about: '',
    may: adminRoles,
    foreign: null,
    call: () => ({ path: '/settings', fields: { dailyCapacityHours: '7.5' } }),
  },
  {
    form: 'removeWorkspace',
    about: 'with another name',
    may: noRoles,
    wrong: ['owner'],
    foreign: null,
    call: () => ({ path: '/settings/remove', fields: { name: 'Not its name' } }),
  },
  {
    form: 'leaveWorkspace',
    about: '',
    may: ['admin', 'lead', 'member', 'client'],
    // The only owner can't leave the workspace.
    wrong: ['owner'],
    endsActor: true,
    foreign: null,
    call: () => ({ path: '/leave' }),
  },
  ...createTaskRules('saveTaskTemplate', 'template', {}).map((rule) => ({
    ...rule,
    may: rule.may.filter((role) => role !== 'client'),
  })),
  {
    form: 'saveProjectTemplate',
    about: 'a project of the lead, a member and a client',
    may: staffRoles,
    foreign: 404,
    call: ({ projects }) => ({ path: `/projects/${projects.joined.id}/template` }),
  },
  {
    form: 'createProjectFromTemplate',
    about: 'a template for all projects',
    may: staffRoles,
    hidden: ['client'],
    foreign: 404,
    call: async (world) => ({
      path: `/templates/${await createProjectTemplate(world)}/projects`,
      fields: { name: 'From a template' },
    }),
  },
  ...createTemplateRules('changeTemplate', '', { name: 'Renamed' }),
  ...createTemplateRules('removeTemplate', '/remove', {}),
  ...createTemplateRules('addTemplateTask', '/items', { name: 'Added' }),
  ...createTemplateRules('changeTemplateTask', '/items/1', { name: 'Changed' }),
  ...createTemplateRules('removeTemplateTask', '/items/2/remove', {}),
  ...createRulesByProject('changeTasks', (_world, id) => ({
    path: '/tasks/bulk',
    fields: { ids: String(id), priority: 'high' },
  })),
  ...createTaskRules('tagTask', 'tags', { tags: 'one, two' }),
  ...createTaskRules(
    'setTaskField',
    async (world, project) => {
      const number = await createField(world, 'text');
      await addFieldsToProject(world, project, [number]);
      return `fields/${number}`;
    },
    { value: 'Ada' },
  ),
  ...createTaskRules('categorizeTask', 'category', { kind: '' }),
  ...createTaskRules('followTask', 'follow', {}),
  ...createTaskRules('unfollowTask', 'unfollow', {}),
  ...createTaskRules('moveTask', 'move', { status: 'completed' }),
  {
    form: 'moveMeeting',
    about: 'a meeting in a project of the lead, a member and a client',
    may: ['lead', 'member', 'client'],
    foreign: 404,
    call: async ({ people, projects }) => {
      const { id } = await createMeeting(people.lead, projects.joined.id);
      return { path: `/meetings/${id}`, fields: { time: '11:30' } };
    },
  },
  {
    form: 'moveMeeting',
    about: 'a meeting in a project of an owner and an admin',
    may: ['owner', 'admin'],
    hidden: ['member', 'client'],
    foreign: 404,
    call: async ({ people, projects }) => {
      const { id } = await createMeeting(people.owner, projects.other.id);
      return { path: `/meetings/${id}`, fields: { time: '11:30' } };
    },
  },
  {
    form: 'restoreConvertedLine',
    about: 'a checklist item of a task that everyone sees',
    may: allRoles,
    foreign: 404,
    call: async ({ people, projects }) => {
      const { id } = await createTask(people.lead, projects.joined.id);
      const items = `/tasks/${id}/checklist/items`;
      const line = (await api(people.lead.token).post(items, { text: 'A line' })).body.id;
      const { body } = await api(people.lead.token).post(`${items}/${line}/convert`);
      return { path: `${items}/${line}/restore`, fields: { subtaskId: String(body.id), position: '0' } };
    },
  },
  {
    form: 'undo',
    about: 'their own last change',
    may: allRoles,
    foreign: 400,
    call: async (world, actor) => {
      const { id } = await createTask(world.people.lead, world.projects.joined.id);
      const since = Date.now();
      await api(actor.token).patch(`/tasks/${id}`, { status: 'completed' });
      return { path: '/undo', fields: { ids: String(id), since: String(since) } };
    },
  },
  {
    form: 'undo',
    about: "someone else's change",
    may: noRoles,
    wrong: allRoles,
    foreign: null,
    call: async (world, actor) => {
      const { id } = await createTask(world.people.lead, world.projects.joined.id);
      const since = Date.now();
      await api(pickAnotherPerson(world, actor).token).patch(`/tasks/${id}`, { status: 'completed' });
      return { path: '/undo', fields: { ids: String(id), since: String(since) } };
    },
  },
  {
    form: 'renewFeed',
    about: '',
    may: allRoles,
    foreign: null,
    call: () => ({ path: '/calendar/address' }),
  },
  {
    form: 'endFeed',
    about: '',
    may: allRoles,
    foreign: null,
    call: () => ({ path: '/calendar/address/end' }),
  },
  {
    form: 'chooseMail',
    about: '',
    may: allRoles,
    foreign: null,
    call: () => ({ path: '/inbox/mail', fields: allTypesDaily }),
  },
  {
    form: 'choosePush',
    about: '',
    may: allRoles,
    foreign: null,
    call: () => ({ path: '/inbox/push/types', fields: { types: 'mentioned' } }),
  },
  {
    form: 'turnOnPush',
    about: '',
    may: allRoles,
    foreign: null,
    call: async () => ({ path: '/inbox/push', fields: await createSubscriptionFields() }),
  },
  {
    form: 'turnOffPush',
    about: '',
    may: allRoles,
    foreign: null,
    call: () => ({ path: '/inbox/push/off' }),
  },
  {
    form: 'testPush',
    about: '',
    may: allRoles,
    foreign: null,
    call: async (_, actor) => {
      await turnOnPushEverywhere(actor);
      return { path: '/inbox/push/test' };
    },
  },
  { form: 'newFilter', about: '', may: allRoles, foreign: null, call: () => toFilterCall({}) },
  {
    form: 'newFilter',
    about: 'for everyone',
    may: staffRoles,
    foreign: null,
    call: () => toFilterCall({ isShared: 'true' }),
  },
  {
    form: 'filterAgain',
    about: '',
    may: allRoles,
    foreign: null,
    call: () => ({ ...toFilterCall({}), path: '/filters/again' }),
  },
  ...createFilterRules('changeFilter', (id) => ({
    path: `/filters/${id}`,
    fields: { name: createUniqueName() },
  })),
  ...createFilterRules('replaceFilter', (id) => ({ path: `/filters/${id}/replace`, fields: { q: 'other' } })),
  ...createFilterRules('removeFilter', (id) => ({ path: `/filters/${id}/delete` })),
  ...createChangeSetRules('applyChangeSet', (id) => ({
    path: `/changes/${id}/apply`,
    fields: { items: '1' },
  })),
  ...createChangeSetRules('rejectChangeSet', (id) => ({ path: `/changes/${id}/reject` })),
  ...createAppActivityRules('undoAppSession'),
  {
    form: 'newBot',
    about: '',
    may: adminRoles,
    foreign: null,
    call: () => ({ path: '/bots', fields: { name: 'Bot' } }),
  },
  createBotRule('changeBot', ({ id }) => ({ path: `/bots/${id}`, fields: { name: 'Renamed' } })),
  createBotRule('newBotKey', ({ id }) => ({ path: `/bots/${id}/keys`, fields: { name: 'Key' } })),
  createBotRule('revokeBotKey', ({ id, keyId }) => ({ path: `/bots/${id}/keys/${keyId}/revoke` })),
  createBotRule('changeBotRole', ({ id }) => ({ path: `/bots/${id}/role`, fields: { role: 'lead' } })),
  createBotRule('removeBot', ({ id }) => ({ path: `/bots/${id}/remove` })),
  ...removalRules,
];
