import { describe, expect, it } from 'vitest';
import type { Capability } from '../../src/kernel/access/capabilities.ts';
import { auditTypeNames } from '../../src/kernel/audit/audit-types.ts';
import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { routes } from '../../src/registry.ts';
import { formEvents } from '../events/log/form-cases.ts';
import { sendTestRequest } from '../suites/faults/test-requests.ts';
import { writeCases } from '../suites/faults/write-cases.ts';
import { runForm } from '../support/forms.ts';
import { formOperations } from '../support/operations.ts';
import { createWorld, type World } from '../support/world.ts';
import { readAuditTypes, readLastAuditId } from './audit-entries.ts';

const operations: readonly AnyOperation[] = [...routes.map(({ operation }) => operation), ...formOperations];
const findOperation = (name: string) => operations.find((each) => each.name === name) as AnyOperation;

/**
 * Operations that require these capabilities needn't be audited, because the history and the event log record their
 * changes.
 */
const ordinaryCapabilities: readonly Capability[] = [
  'seeProjects',
  'seeTasks',
  'removeComments',
  'listMeetings',
  'seeMeetings',
  'scheduleMeetings',
  'cancelMeetings',
  'seeDashboard',
  'seeDashboardComments',
  'seeWorkload',
  'followEvents',
  'seeReference',
  'createProjects',
  'manageCategories',
  'saveFilters',
];

const TEMPLATES_REASON = 'gives no access, and contains only tasks that its author can see';
const IMPORTS_REASON = 'the list of imports shows who made them; the event log records the tasks';

const unauditedOperations: Record<string, string> = {
  register: 'the account belongs to no workspace until it is verified',
  createOwnApp: 'belongs to a person, and has no access until someone authorizes it',
  updateOwnApp: 'belongs to a person, and has the access that people gave it',
  createWorkspace: 'the log of the workspace starts with its creation',
  changeName: 'the event log records it',
  setPicture: 'the event log records it',
  removePicture: 'the event log records it',
  requestPasswordReset: 'anyone can request a link; using it is recorded',
  requestEmailChange: 'confirming the address is recorded',
  submitIntakeForm: 'the event log records the task',
  updateProject: 'the event log records it',
  updateProjectColumn: 'the event log records it',
  deleteTask: 'the event log records it, and the trash shows who deleted it',
  deleteTasksInBulk: 'the event log records it, and the trash shows who deleted the tasks',
  restoreTask: 'the event log records it',
  restoreTasksInBulk: 'the event log records it',
  createTeam: 'teams grant no access; the event log records them',
  updateTeam: 'teams grant no access',
  deleteTeam: 'teams grant no access',
  setTeamMember: 'teams grant no access',
  removeTeamMember: 'teams grant no access',
  testWebhook: 'sends no data of the workspace',
  replayWebhook: 'sends only events that the webhook already receives',
  setMailPreferences: 'the mail of one person',
  setPushTypes: 'the push notifications of one person',
  subscribeToPush: 'the push notifications of one person',
  unsubscribeFromPush: 'the push notifications of one person',
  testPush: 'sends no data of the workspace',
  markNotificationRead: 'the inbox of one person',
  markAllNotificationsRead: 'the inbox of one person',
  deleteNotification: 'the inbox of one person',
  restoreNotification: 'the inbox of one person',
  stopTimer: 'the time of one person; the event log records it',
  deleteTimeEntry: 'the time of one person; the event log records it',
  updateComment: 'the event log records it',
  uploadChunk: 'an unfinished upload',
  completeUpload: 'the event log records the file',
  abortUpload: 'an unfinished upload',
  deleteUpload: 'an unfinished upload',
  saveTaskTemplate: TEMPLATES_REASON,
  saveProjectTemplate: TEMPLATES_REASON,
  updateTemplate: TEMPLATES_REASON,
  deleteTemplate: TEMPLATES_REASON,
  addTemplateTask: TEMPLATES_REASON,
  updateTemplateTask: TEMPLATES_REASON,
  deleteTemplateTask: TEMPLATES_REASON,
  createImport: IMPORTS_REASON,
  updateImport: IMPORTS_REASON,
  startImport: IMPORTS_REASON,
  cancelImport: IMPORTS_REASON,
};

const testedElsewhere: Record<string, string> = {
  switchWorkspace: 'audit-sources.test.ts',
  acceptInvitation: 'audit-sources.test.ts',
  registerByInvitation: 'audit-sources.test.ts',
  changePassword: 'audit-sources.test.ts',
  resetPassword: 'audit-sources.test.ts',
  confirmEmail: 'audit-sources.test.ts',
  deleteAccount: 'audit-sources.test.ts',
  signOutBrowserById: 'audit-sources.test.ts',
  signOutOtherBrowsers: 'audit-sources.test.ts',
  invitePeople: 'audit-sources.test.ts',
  resendInvitation: 'audit-sources.test.ts',
  withdrawInvitation: 'audit-sources.test.ts',
  renewCalendarFeed: 'audit-sources.test.ts',
  endCalendarFeed: 'audit-sources.test.ts',
  createPublicLink: 'test/sharing/public-links',
  updatePublicLink: 'test/sharing/public-links',
  revokePublicLink: 'test/sharing/public-links',
  createIntakeForm: 'test/sharing/intake',
  updateIntakeForm: 'test/sharing/intake',
  deleteIntakeForm: 'test/sharing/intake',
  deleteProject: 'audit-sources.test.ts',
  deleteWorkspace: 'audit-sources.test.ts',
  recordExport: 'audit-sources.test.ts',
  createExport: 'test/exports',
  deleteOwnApp: 'test/oauth/own-apps',
  createBotKey: 'test/workspaces/bots',
  revokeBotKey: 'test/workspaces/bots',
};

it('every operation that changes access, settings or accounts is audited, or listed as an exception with a reason', () => {
  const silent = operations.filter(
    ({ effect, capability, audits = [] }) =>
      effect === 'write' &&
      audits.length === 0 &&
      !(capability !== null && ordinaryCapabilities.includes(capability)),
  );
  expect(silent.map(({ name }) => name).sort()).toEqual(Object.keys(unauditedOperations).sort());
});

it('every audited operation has a test case that checks its entries', () => {
  const audited = operations.filter(({ audits = [] }) => audits.length > 0).map(({ name }) => name);
  const covered = [...Object.keys(writeCases), ...Object.keys(formEvents), ...Object.keys(testedElsewhere)];
  expect(audited.filter((name) => !covered.includes(name))).toEqual([]);
});

it('every entry type is recorded by an operation, by OAuth, by the operator or by a download', () => {
  const byOperations = operations.flatMap(({ audits = [] }) => audits);
  const others = auditTypeNames.filter((type) => !byOperations.includes(type));
  expect(others).toEqual(['app.authorized', 'access.revoked', 'workspace_export.downloaded']);
});

async function expectDeclaredEntries(world: World, { audits = [] }: AnyOperation, before: number) {
  const types = await readAuditTypes(world, before);
  expect(types.filter((type) => !(audits as readonly string[]).includes(type))).toEqual([]);
  expect(types.length > 0).toBe(audits.length > 0);
}

describe('the audit log', () => {
  it.each(Object.keys(writeCases))(
    'records only entry types that %s declares, and at least one if it declares any',
    async (name) => {
      const world = await createWorld();
      const write = writeCases[name];
      const request = await write?.prepare(world);
      const before = await readLastAuditId(world);
      if (!write || !request) throw new Error(`${name} has no case`);
      expect((await sendTestRequest(request, null)).status).toBe(write.status);
      await expectDeclaredEntries(world, findOperation(name), before);
    },
  );

  it.each(Object.keys(formEvents))(
    'records only entry types that the form %s declares, and at least one if it declares any',
    async (name) => {
      const world = await createWorld();
      const { input, by = 'owner' } = formEvents[name] ?? {};
      const given = await input?.(world);
      const before = await readLastAuditId(world);
      expect((await runForm(world.people[by].token, findOperation(name), given ?? {})).status).toBe(200);
      await expectDeclaredEntries(world, findOperation(name), before);
    },
  );
});
