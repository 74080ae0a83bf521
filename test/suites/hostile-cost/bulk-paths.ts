// This file is long because it lists every operation that writes, with the reason if it isn't measured.
import * as z from 'zod';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { routes, tools } from '../../../src/registry.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { unroutedOperations } from '../../support/operations.ts';

const toPattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
const findPath = (paths: readonly string[], path: string) =>
  paths.find((each) => each === path) ?? paths.find((each) => toPattern(each).test(path)) ?? path;

export function findRoutePath(method: string, path: string): string {
  const ofMethod = routes.filter((route) => route.method.toUpperCase() === method).map((route) => route.path);
  return `${method} ${findPath(ofMethod, path.split('?')[0] ?? '')}`;
}

export const findFormPath = (path: string) =>
  `form ${findPath(
    forms.map((form) => form.path),
    path,
  )}`;

export const writeOperations: readonly AnyOperation[] = [
  ...new Set([...routes.map(({ operation }) => operation), ...unroutedOperations]),
].filter(({ effect }) => effect === 'write');

/** Whether the input can contain a list at any depth, such as a list of ids or items, or one in a filter. */
export function hasList(schema: z.ZodType): boolean {
  const visit = (node: object): boolean =>
    ('type' in node && node.type === 'array') ||
    Object.values(node).some((value) => value !== null && typeof value === 'object' && visit(value));
  return visit(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
}

const ONE_TEXT = 'writes the text of one task, comment or checklist';
const NO_TEXT = "writes no text that is searched, and reads no task's text";

/** These reasons can't exempt an operation whose input contains a list. */
export const reasonsWithoutList: readonly string[] = [ONE_TEXT, NO_TEXT];

const ITS_OWN_LIST = 'its list contains values of one object, and no tasks';
const IN_TOOL = 'measured through its tool';
const MANY_BATCHES = 'a job does the work in small batches: test/projects, test/workspaces';

const exempt = (reason: string, names: string) =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, reason] as const));

/** Operations that aren't measured, by name. */
export const exemptOperations: Readonly<Record<string, string>> = {
  ...exempt(
    NO_TEXT,
    `login register revokeConnectedApp setRecurrence deleteRecurrence addRelation deleteRelation addReaction
    removeReaction cancelImport cancelMeeting markNotificationRead deleteNotification deleteWebhook
    rotateWebhookSecret testWebhook replayWebhook startTimer stopTimer createTimeEntry updateTimeEntry deleteTimeEntry
    presignAttachment confirmAttachment deleteTaskAttachment deleteProjectAttachment initUpload uploadChunk
    completeUpload abortUpload deleteUpload signOutBrowserById signOutOtherBrowsers changeName changePassword
    requestEmailChange confirmEmail createWorkspace deleteAccount requestPasswordReset resetPassword setPicture
    removePicture createOwnApp updateOwnApp deleteOwnApp recordExport removeTaskFile removeProjectFile restoreTaskFile
    restoreProjectFile uploadText renewCalendarFeed endCalendarFeed restoreMeeting restoreNotification createProject
    createExport deleteExport updateProject handOverProject updateProjectColumn removeProjectMember createCategory createType updateCategory
    updateType deleteCustomField restoreCustomField updateLabel setTaskCategory followTask unfollowTask moveCard
    renameSavedFilter deleteSavedFilter revokeBotKey createBot updateBot acceptInvitation registerByInvitation
    resendInvitation withdrawInvitation changeRole handOverWorkspace removePerson leaveWorkspace updateWorkspace
    createTeam updateTeam deleteTeam setTeamMember removeTeamMember rejectChangeSet subscribeToPush
    unsubscribeFromPush testPush createPublicLink updatePublicLink revokePublicLink createIntakeForm
    updateIntakeForm deleteIntakeForm`,
  ),
  ...exempt(
    ONE_TEXT,
    `addChecklistLine updateChecklistLine deleteChecklistLine convertChecklistLine restoreConvertedLine updateComment
    deleteComment updateMeeting moveMeeting addTemplateTask deleteTemplateTask updateTemplate deleteTemplate`,
  ),
  ...exempt(
    ITS_OWN_LIST,
    `createApiKey setReminders replaceChecklist orderSubtasks createMeeting markAllNotificationsRead createWebhook
    updateWebhook setMailPreferences setPushTypes addProjectMembers createCustomField updateCustomField setProjectFields setTaskTags
    setTaskField saveFilter replaceSavedFilter updateTemplateTask createBotKey invitePeople`,
  ),
  ...exempt(IN_TOOL, 'updateTasksAsAgent addComments setBlockers createTimeEntries'),
  ...exempt(IN_TOOL, 'beginChanges proposeChanges discardChanges'),
  ...exempt(MANY_BATCHES, 'deleteProject deleteWorkspace'),
};

/** Paths of measured operations that aren't measured themselves. */
export const exemptPaths: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      '/tasks',
      '/tasks/add',
      '/tasks/new',
      '/tasks/:id',
      '/tasks/:id/assignees',
      '/tasks/:id/description',
    ].map((path) => [`form ${path}`, 'changes one task, as its route does']),
  ),
  'form /tasks/:id/comments': 'adds one comment, as its route does',
  'form /tasks/:id/comments/:parentId/replies': 'adds one comment, as its route does',
  'tool create_meeting.participants': ITS_OWN_LIST,
  'tool set_timer.entries': 'logs times, without text',
};

/** The routes, forms and arguments of tools that can change several tasks, or the text of one. */
export function listBulkPaths(): string[] {
  const measured = writeOperations.filter(({ name }) => !(name in exemptOperations));
  const ofOperations = [
    ...routes
      .filter(({ operation }) => measured.includes(operation))
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    ...forms.filter(({ operation }) => measured.includes(operation)).map(({ path }) => `form ${path}`),
  ];
  const ofTools = tools
    .filter(({ hints }) => !hints.readOnlyHint)
    .flatMap(({ name, input }) =>
      Object.entries(input.shape as Record<string, z.ZodType>)
        .filter(([argument, schema]) => argument !== 'set' && hasList(schema))
        .map(([argument]) => `tool ${name}.${argument}`),
    );
  return [...new Set([...ofOperations, ...ofTools])].filter((path) => !(path in exemptPaths)).sort();
}
