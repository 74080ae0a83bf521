import { expect, it } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { sendTestRequest } from '../../suites/faults/test-requests.ts';
import { writeCases, writesTestedElsewhere } from '../../suites/faults/write-cases.ts';
import { getCell } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';

const loggedEvents: Record<string, readonly string[]> = {
  createTask: ['task.created'],
  updateTask: ['task.updated'],
  orderSubtasks: ['task.updated'],
  addRelation: ['task.updated'],
  deleteRelation: ['task.updated'],
  archiveTask: ['task.archived', 'task.archived', 'task.archived'],
  unarchiveTask: ['task.unarchived', 'task.unarchived', 'task.unarchived'],
  moveTask: Array<string>(6).fill('task.moved'),
  deleteTask: ['task.deleted', 'task.deleted', 'task.deleted'],
  restoreTask: ['task.restored', 'task.restored', 'task.restored'],
  duplicateTask: ['task.duplicated'],
  createTasksInBulk: ['task.created', 'task.created'],
  updateTasksInBulk: ['task.updated', 'task.updated'],
  archiveTasksInBulk: ['task.archived', 'task.archived'],
  unarchiveTasksInBulk: ['task.unarchived', 'task.unarchived'],
  moveTasksInBulk: Array<string>(8).fill('task.moved'),
  deleteTasksInBulk: Array<string>(4).fill('task.deleted'),
  restoreTasksInBulk: Array<string>(4).fill('task.restored'),
  addComment: ['comment.created'],
  updateComment: ['comment.updated'],
  deleteComment: ['comment.deleted'],
  addReaction: ['reaction.added'],
  removeReaction: ['reaction.removed'],
  replaceChecklist: ['task.updated'],
  addChecklistLine: ['task.updated'],
  updateChecklistLine: ['task.updated'],
  deleteChecklistLine: ['task.updated'],
  convertChecklistLine: ['task.created', 'task.updated'],
  setRecurrence: ['task.updated'],
  deleteRecurrence: ['task.updated'],
  createMeeting: ['task.created', 'task.created', 'meeting.created'],
  updateMeeting: ['task.updated', 'task.updated', 'meeting.updated'],
  cancelMeeting: ['meeting.cancelled'],
  startTimer: ['time_entry.started'],
  stopTimer: ['time_entry.stopped'],
  createTimeEntry: ['time_entry.created'],
  updateTimeEntry: ['time_entry.updated'],
  deleteTimeEntry: ['time_entry.deleted'],
  confirmAttachment: ['attachment.created'],
  completeUpload: ['attachment.created'],
  deleteTaskAttachment: ['attachment.deleted'],
  deleteProjectAttachment: ['attachment.deleted'],
};

/** Operations that log no event, with the reasons. */
const operationsWithoutEvents: Record<string, string> = {
  register: 'an account is private; its workspace is created on verification',
  login: 'credentials of one person',
  createApiKey: 'credentials of one person',
  revokeConnectedApp: 'credentials of one person',
  setReminders: 'the reminders of one person',
  markNotificationRead: 'the inbox of one person',
  markAllNotificationsRead: 'the inbox of one person',
  deleteNotification: 'the inbox of one person',
  presignAttachment: 'an unfinished upload',
  initUpload: 'an unfinished upload',
  uploadChunk: 'an unfinished upload',
  abortUpload: 'an unfinished upload',
  deleteUpload: 'an unfinished upload',
  createImport: 'no task exists yet',
  updateImport: 'no task exists yet',
  startImport: 'each task that the import creates has its own event',
  cancelImport: 'created tasks are kept',
  createExport: 'changes nothing in the workspace',
  deleteExport: 'changes nothing in the workspace',
  createWebhook: 'the webhooks of one person',
  updateWebhook: 'the webhooks of one person',
  deleteWebhook: 'the webhooks of one person',
  rotateWebhookSecret: 'the webhooks of one person',
  testWebhook: 'the webhooks of one person',
  replayWebhook: 'the webhooks of one person',
};

const listTypesAfter = async (world: World, seq: number) =>
  (
    await getCell(world.cell)
      .prepare('SELECT seq, type FROM events WHERE ws = ? AND seq > ? ORDER BY seq')
      .bind(world.no, seq)
      .all<{ seq: number; type: string }>()
  ).results;

it('every write operation is listed as logging events or logging none', () => {
  const writing = routes.filter(({ operation }) => operation.effect === 'write');
  expect(writing.map(({ operation }) => operation.name).sort()).toEqual(
    [...Object.keys(loggedEvents), ...Object.keys(operationsWithoutEvents)].sort(),
  );
});

for (const [name, write] of Object.entries(writeCases)) {
  const expected = loggedEvents[name] ?? [];
  it(`${name} logs ${expected.length > 0 ? expected.join(', ') : 'nothing'}, and nothing if repeated`, async () => {
    const world = await createWorld();
    const request = await write.prepare(world);
    const before = (await listTypesAfter(world, 0)).at(-1)?.seq ?? 0;
    const key = request.person && !write.isSecret ? crypto.randomUUID() : null;
    expect((await sendTestRequest(request, key)).status).toBe(write.status);
    expect((await listTypesAfter(world, before)).map(({ type }) => type)).toEqual(expected);
    if (key === null) return;
    await sendTestRequest(request, key);
    expect(await listTypesAfter(world, before)).toHaveLength(expected.length);
  });
}

it('no operation that logs events is left to other tests', () => {
  expect(Object.keys(writesTestedElsewhere).filter((name) => name in loggedEvents)).toEqual([]);
});
