// This file is long because it states every rule in words, next to the permissions of each role.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Capability, capabilities, type Reach } from '../../src/kernel/access/capabilities.ts';
import { type Role, roles } from '../../src/kernel/access/roles.ts';
import { routes } from '../../src/registry.ts';
import { lookUpNames } from '../../src/search/lookup/lookup.ts';
import { insertFile } from '../suites/isolation/world.ts';
import { api } from '../support/api.ts';
import { formOperations } from '../support/operations.ts';
import { createMeeting, createTask, createTeam, createWorld, type World } from '../support/world.ts';
import { insertWebhook } from '../webhooks/operations/insert-webhook.ts';

interface Rule {
  rule: string;
  reaches: Partial<Record<Reach, readonly Role[]>>;
  operations: string;
}

const staffRoles = ['owner', 'admin', 'lead', 'member'] as const;
const leadRoles = ['owner', 'admin', 'lead'] as const;

const rules: Record<Capability, Rule> = {
  seeProjects: {
    rule: 'Clients see the projects that they created or belong to; everyone else sees all projects.',
    reaches: { all: staffRoles, joined: ['client'] },
    operations:
      'listProjects listProjectOverviews listProjectChoices getSidebar findNames getProject listProjectColumns listProjectMembers listProjectAttachments downloadProjectAttachment listTemplates createTask createTasksInBulk convertChecklistLine duplicateTask lookUpNames parseQuickAdd restoreProjectFile',
  },
  seeTasks: {
    rule: 'Clients see the tasks in their projects and those they follow or are assigned; everyone else sees all tasks.',
    reaches: { all: staffRoles, joined: ['client'] },
    operations:
      'listAppSessions getAppSession undoAppSession listChangeSets getChangeSet applyChangeSet rejectChangeSet listMentionable listTaskFeed getDescriptionReferences setTaskTags setTaskField setTaskCategory listLabels listLabelChoices listStatusesInProject followTask unfollowTask listCards moveCard getReminders setReminders getRecurrence setRecurrence deleteRecurrence undoTaskChanges listTaskRows listTimeline listTasks listSubtasks orderSubtasks listRelations addRelation deleteRelation getTask updateTask moveTask moveTasksInBulk undoTaskMoves archiveTask unarchiveTask updateTasksInBulk updateSelectedTasks archiveTasksInBulk unarchiveTasksInBulk listComments addComment addReaction removeReaction getChecklist replaceChecklist addChecklistLine updateChecklistLine deleteChecklistLine restoreConvertedLine listActivities listTaskAttachments downloadTaskAttachment presignAttachment confirmAttachment initUpload startTimer createTimeEntry updateTimeEntry restoreTaskFile',
  },
  deleteTasks: {
    rule: 'Owners and admins can delete and restore any task; others can do so in projects that they lead.',
    reaches: { all: ['owner', 'admin'], own: ['lead', 'member', 'client'] },
    operations: 'deleteTask deleteTasksInBulk restoreTask restoreTasksInBulk listTrash getTaskPermissions',
  },
  removeComments: {
    rule: 'Owners and admins can delete any comment; others can delete their own.',
    reaches: { all: ['owner', 'admin'], own: ['lead', 'member', 'client'] },
    operations: 'deleteComment',
  },
  removeFiles: {
    rule: 'Owners and admins can remove any file; others can remove what they uploaded and files in projects they lead.',
    reaches: { all: ['owner', 'admin'], own: ['lead', 'member', 'client'] },
    operations: 'deleteTaskAttachment deleteProjectAttachment removeTaskFile removeProjectFile',
  },
  listMeetings: {
    rule: 'Owners and admins list the meetings of every project; others list those of their own projects.',
    reaches: { all: ['owner', 'admin'], joined: ['lead', 'member', 'client'] },
    operations: 'listMeetings listCalendarMeetings',
  },
  seeMeetings: {
    rule: 'Owners, admins and leads can open a meeting of any project; others only those of their own projects.',
    reaches: { all: leadRoles, joined: ['member', 'client'] },
    operations: 'getMeeting updateMeeting moveMeeting',
  },
  scheduleMeetings: {
    rule: 'Leads, admins and owners can schedule recurring meetings; anyone in the project can schedule a single one.',
    reaches: { recurring: leadRoles, single: ['member', 'client'] },
    operations: 'createMeeting',
  },
  cancelMeetings: {
    rule: 'Leads, admins and owners can cancel meetings.',
    reaches: { all: leadRoles, none: ['member', 'client'] },
    operations: 'cancelMeeting restoreMeeting',
  },
  seeDashboard: {
    rule: 'The dashboard shows everything to owners and admins. Others see their projects; leads also see the work of their teams, and members their own.',
    reaches: { all: ['owner', 'admin'], teams: ['lead'], self: ['member'], joined: ['client'] },
    operations: 'getDashboardStats getDashboardTiles listDashboardTasks listNextDeadlines getTaskFlow',
  },
  seeDashboardComments: {
    rule: 'Comments on the dashboard follow the same rule, except that clients see none.',
    reaches: { all: ['owner', 'admin'], teams: ['lead'], self: ['member'], none: ['client'] },
    operations: 'listDashboardComments listLatestComments',
  },
  seeWorkload: {
    rule: "Owners and admins see everyone's workload, leads that of their teams, members their own, and clients none.",
    reaches: { all: ['owner', 'admin'], teams: ['lead'], self: ['member'], none: ['client'] },
    operations: 'getWorkload getDashboardWorkload reportTime',
  },
  saveTemplates: {
    rule: 'Leads, admins and owners can change every template; members can save templates and change their own.',
    reaches: { all: leadRoles, own: ['member'], none: ['client'] },
    operations:
      'getTemplate saveTaskTemplate saveProjectTemplate updateTemplate deleteTemplate addTemplateTask updateTemplateTask deleteTemplateTask',
  },
  importTasks: {
    rule: 'Owners and admins can import tasks.',
    reaches: { all: ['owner', 'admin'], none: ['lead', 'member', 'client'] },
    operations: 'listImports getImport createImport updateImport startImport cancelImport',
  },
  exportWorkspace: {
    rule: 'Owners and admins can export the workspace, and all people can export their own data.',
    reaches: { all: ['owner', 'admin'], own: ['lead', 'member', 'client'] },
    operations: 'listExports getExport createExport deleteExport',
  },
  followEvents: {
    rule: 'Clients receive events about their projects and about tasks that they follow or are assigned; others receive all events.',
    reaches: { all: staffRoles, joined: ['client'] },
    operations: 'listEvents',
  },
  manageWebhooks: {
    rule: "Clients have no webhooks. Others see their own, and owners and admins can see, pause and delete everyone's.",
    reaches: { all: ['owner', 'admin'], own: ['lead', 'member'], none: ['client'] },
    operations:
      'listWebhooks createWebhook getWebhook updateWebhook deleteWebhook rotateWebhookSecret testWebhook replayWebhook listWebhookDeliveries',
  },
  seeReference: {
    rule: 'Everyone sees the people, teams, statuses, categories, types and custom fields of the workspace.',
    reaches: { all: roles },
    operations:
      'listBots getBot namePeople listUsers getUser listPeopleChoices listTeams listTeamChoices getTeamChoice listStatusChoices listTaskStatuses getTaskStatus listProjectStatuses getProjectStatus listTaskCategories getTaskCategory listTaskTypes getTaskType listCustomFields listFieldChoices',
  },
  createProjects: {
    rule: 'Everyone except clients can create projects.',
    reaches: { all: staffRoles, none: ['client'] },
    operations: 'createProject createProjectFromTemplate',
  },
  changeProjects: {
    rule: 'Owners and admins can change any project, leads and members the ones they lead, and clients none.',
    reaches: { all: ['owner', 'admin'], own: ['lead', 'member'], none: ['client'] },
    operations:
      'getProjectSettings updateProject updateProjectColumn handOverProject addProjectMembers removeProjectMember listPublicLinks createPublicLink updatePublicLink revokePublicLink getIntakeForm createIntakeForm updateIntakeForm deleteIntakeForm',
  },
  deleteProjects: {
    rule: 'Owners and admins can delete projects.',
    reaches: { all: ['owner', 'admin'], none: ['lead', 'member', 'client'] },
    operations: 'deleteProject listProjectDeletions',
  },
  changeWorkspace: {
    rule: 'Owners and admins can change the name, the time zone and the working hours of the workspace.',
    reaches: { all: ['owner', 'admin'], none: ['lead', 'member', 'client'] },
    operations: 'getWorkspaceSettings updateWorkspace',
  },
  ownWorkspace: {
    rule: 'Only the owner can transfer or delete the workspace.',
    reaches: { all: ['owner'], none: ['admin', 'lead', 'member', 'client'] },
    operations: 'handOverWorkspace deleteWorkspace',
  },
  invitePeople: {
    rule: 'Owners and admins can invite people up to their own role; leads can invite members and clients to their projects.',
    reaches: { all: ['owner', 'admin'], own: ['lead'], none: ['member', 'client'] },
    operations: 'listInvitations invitePeople resendInvitation withdrawInvitation',
  },
  managePeople: {
    rule: 'Owners and admins can change roles and remove people, except people above them.',
    reaches: { all: ['owner', 'admin'], none: ['lead', 'member', 'client'] },
    operations: 'changeRole removePerson createBot updateBot createBotKey',
  },
  readAudit: {
    rule: 'Owners and admins can read the audit log.',
    reaches: { all: ['owner', 'admin'], none: ['lead', 'member', 'client'] },
    operations: 'listAuditEntries',
  },
  manageTeams: {
    rule: 'Owners and admins can create teams; leads can choose the members of the teams they lead.',
    reaches: { all: ['owner', 'admin'], own: ['lead'], none: ['member', 'client'] },
    operations: 'createTeam updateTeam deleteTeam setTeamMember removeTeamMember',
  },
  manageCategories: {
    rule: 'Owners, admins and leads can change the categories, types and custom fields of tasks, and the colors of labels.',
    reaches: { all: leadRoles, none: ['member', 'client'] },
    operations:
      'listCategoriesAndTypes createCategory updateCategory createType updateType updateLabel listFieldSettings listProjectFields createCustomField updateCustomField deleteCustomField restoreCustomField setProjectFields',
  },
  saveFilters: {
    rule: "Everyone can save filters, everyone except clients can share them, and owners and admins can change other people's shared ones.",
    reaches: { all: ['owner', 'admin'], own: ['lead', 'member'], self: ['client'] },
    operations:
      'listSavedFilters getSavedFilter saveFilter renameSavedFilter replaceSavedFilter deleteSavedFilter',
  },
  manageOwn: {
    rule: 'People manage what belongs to them alone, whatever their role.',
    reaches: { own: roles },
    operations:
      'revokeBotKey leaveWorkspace getStepsTaken recordExport getCalendarFeed renewCalendarFeed endCalendarFeed getMe refreshSession listWorkspaces switchWorkspace listConnectedApps createApiKey revokeConnectedApp getNotificationSettings setMailPreferences setPushTypes subscribeToPush unsubscribeFromPush testPush listNotifications listInbox listMentionedInInbox countUnreadNotifications countUnreadInInbox markNotificationRead markAllNotificationsRead deleteNotification restoreNotification stopTimer deleteTimeEntry getCurrentTimer listTimeEntries getTimeStats updateComment getUploadStatus uploadChunk completeUpload abortUpload deleteUpload',
  },
};

const namedRules = Object.entries(rules) as [Capability, Rule][];
const getRoleReach = (capability: Capability, role: Role) =>
  (Object.entries(rules[capability].reaches) as [Reach, readonly Role[]][]).find(([, each]) =>
    each.includes(role),
  )?.[0];

describe('the capability table', () => {
  it.each(namedRules.map(([capability, { rule }]) => [capability, rule] as const))(
    'gives each role the documented access (%s: %s)',
    (capability) => {
      const expected = Object.fromEntries(roles.map((role) => [role, getRoleReach(capability, role)]));
      expect(capabilities[capability]).toEqual(expected);
    },
  );

  it('has exactly one row per capability', () => {
    expect(Object.keys(capabilities).sort()).toEqual(Object.keys(rules).sort());
  });

  it('lists the capability of every operation', () => {
    const operations = [...routes.map(({ operation }) => operation), ...formOperations, lookUpNames];
    const expected = namedRules.flatMap(([capability, rule]) =>
      rule.operations.split(' ').map((name) => [name, capability]),
    );
    const open = operations
      .filter(({ access }) => access === 'public' || access === 'account')
      .map(({ name }) => [name, null]);
    const found = operations.map(({ name, capability }) => [name, capability]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries([...expected, ...open]));
  });
});

interface ProjectObjects {
  project: number;
  task: number;
  meeting: number;
}
let world: World;
let joined: ProjectObjects;
let other: ProjectObjects;
/** Ids of tasks in the project `other`, by the role of their assignee. */
let assignedTasks: Record<string, number>;

async function createObjects(maker: World['people']['owner'], project: number): Promise<ProjectObjects> {
  const task = await createTask(maker, project);
  await api(maker.token).post(`/tasks/${task.id}/comments`, { content: 'A remark' });
  return { project, task: task.id, meeting: (await createMeeting(maker, project)).id };
}

beforeAll(async () => {
  world = await createWorld();
  const { owner, lead, member, client } = world.people;
  joined = await createObjects(lead, world.projects.joined.id);
  other = await createObjects(owner, world.projects.other.id);
  await createTeam(world, { lead, members: [member] });
  assignedTasks = {};
  for (const { role, userId } of [lead, member, client]) {
    assignedTasks[role] = (await createTask(owner, other.project, { assigneeId: userId })).id;
  }
});

describe.each(roles)('a person with the role %s', (role) => {
  const isAdmin = role === 'owner' || role === 'admin';
  const getPerson = () => world.people[role];
  const createClient = () => api(getPerson().token);
  const getForeignObjects = () => (isAdmin ? joined : other);
  const getOwnObjects = () => (isAdmin ? other : joined);
  const getReach = (capability: Capability) => getRoleReach(capability, role);
  const listIds = async (path: string) =>
    (await createClient().get(path)).body.data.map(({ id }: { id: number }) => id);

  it('can read exactly the projects and tasks that the capability table allows', async () => {
    const getExpectedStatus = (all: boolean) => (all ? 200 : 404);
    expect((await createClient().get(`/projects/${getForeignObjects().project}`)).status).toBe(
      getExpectedStatus(getReach('seeProjects') === 'all'),
    );
    expect((await createClient().get(`/tasks/${getForeignObjects().task}`)).status).toBe(
      getExpectedStatus(getReach('seeTasks') === 'all'),
    );
    expect((await createClient().get(`/tasks/${getOwnObjects().task}`)).status).toBe(200);
  });

  it("can remove other people's comments and files only if the capability table allows it", async () => {
    const stranger = isAdmin ? world.people.lead : world.people.owner;
    const { id } = (await api(stranger.token).post(`/tasks/${joined.task}/comments`, { content: 'Mine' }))
      .body;
    const file = await insertFile(world, stranger, { task: other.task });
    const getRemovalStatus = async (path: string) => (await createClient().delete(path)).status;
    expect(await getRemovalStatus(`/tasks/${joined.task}/comments/${id}`)).toBe(
      getReach('removeComments') === 'all' ? 200 : 403,
    );
    if (getReach('seeTasks') !== 'all') return;
    expect(await getRemovalStatus(`/tasks/${other.task}/attachments/${file}`)).toBe(
      getReach('removeFiles') === 'all' ? 200 : 403,
    );
  });

  it('can see, schedule and cancel only the meetings that the capability table allows', async () => {
    const listed = await listIds('/meetings?limit=100');
    expect(listed.includes(getForeignObjects().meeting)).toBe(getReach('listMeetings') === 'all');
    expect(listed).toContain(getOwnObjects().meeting);
    const opened = await createClient().get(`/meetings/${getForeignObjects().meeting}`);
    expect(opened.status).toBe(getReach('seeMeetings') === 'all' ? 200 : 404);
    const draft = {
      projectId: getOwnObjects().project,
      name: 'M',
      date: '2026-12-01',
      time: '10:00',
      participantIds: [getPerson().userId],
    };
    const single = await createClient().post('/meetings', draft);
    expect(single.status).toBe(201);
    const recurring = await createClient().post('/meetings', { ...draft, recurrence: 'FREQ=DAILY' });
    expect(recurring.status).toBe(getReach('scheduleMeetings') === 'recurring' ? 201 : 403);
    const canceled = await createClient().delete(`/meetings/${single.body.id}`);
    expect(canceled.status).toBe(getReach('cancelMeetings') === 'all' ? 200 : 403);
  });

  it('sees as much of the dashboard as the capability table grants', async () => {
    const shown = await listIds('/dashboard/tasks?limit=100');
    const people: Partial<Record<Reach, readonly Role[]>> = {
      all: ['lead', 'member', 'client'],
      teams: ['lead', 'member'],
      self: [role],
    };
    const seen = people[getReach('seeDashboard') as Reach] ?? [];
    expect(shown).toContain(joined.task);
    expect(shown.includes(other.task)).toBe(getReach('seeDashboard') === 'all');
    for (const each of ['lead', 'member', 'client'] as const) {
      expect(shown.includes(assignedTasks[each]), each).toBe(seen.includes(each));
    }
    const comments = await createClient().get('/dashboard/comments');
    expect(comments.body.meta.total === 0).toBe(getReach('seeDashboardComments') === 'none');
    const { workloads } = (await createClient().get('/dashboard/workload')).body;
    const busy = workloads.map(({ user }: { user: { id: string } }) => user.id);
    const met = people[getReach('seeWorkload') as Reach] ?? [];
    for (const each of ['owner', 'lead', 'member', 'client'] as const) {
      const isMet = met.includes(each) || (each === 'owner' && getReach('seeWorkload') === 'all');
      expect(busy.includes(world.people[each].userId), each).toBe(isMet);
    }
  });

  it("can manage other people's webhooks only if the capability table allows it", async () => {
    const stranger = isAdmin ? world.people.lead : world.people.owner;
    const id = await insertWebhook(world, stranger);
    const seesAll = getReach('manageWebhooks') === 'all';
    expect((await listIds('/webhooks?limit=100')).includes(id)).toBe(seesAll);
    expect((await createClient().patch(`/webhooks/${id}`, { status: 'paused' })).status).toBe(
      seesAll ? 200 : 404,
    );
    expect((await createClient().post(`/webhooks/${id}/rotate-secret`)).status).toBe(seesAll ? 403 : 404);
    expect((await createClient().delete(`/webhooks/${id}`)).status).toBe(seesAll ? 200 : 404);
    const made = await createClient().post('/webhooks', { url: 'https://hooks.example.com/' });
    expect(made.status).toBe(getReach('manageWebhooks') === 'none' ? 403 : 201);
    // Deletes the webhook, because its deliveries would continue.
    if (made.status === 201) await createClient().delete(`/webhooks/${made.body.id}`);
  });

  it('can list everyone in the workspace', async () => {
    expect((await createClient().get('/users')).body.meta.total).toBe(roles.length);
  });
});
