// This file is long because one table lists every operation that writes.
import { deleteExports, insertExport } from '../../exports/prepare-export.ts';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { initUpload, openFilledSession } from '../../files/uploads/uploading.ts';
import { addCsvFile, deleteImportedFile, prepareImport } from '../../imports/prepare-import.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createEmailAddress, createIpAddress, PASSWORD, setPassword } from '../../support/people.ts';
import { createMeeting, createTask, type Person, type World } from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import type { TestRequest } from './test-requests.ts';

export interface WriteCase {
  /** Creates new data for each run, so that every run starts from the same state. */
  prepare: (world: World) => Promise<TestRequest>;
  status: number;
  /** The response contains a secret, which isn't stored with the idempotency key, so a retry can't return it. */
  isSecret?: boolean;
  /** The request has no caller, and therefore no idempotency key. */
  isPublic?: boolean;
  /**
   * The number of the batch that records which R2 objects a crash would leave behind. That batch contains none of the
   * request's changes.
   */
  notingBatch?: number;
  /** The status of a repeated request, if it differs from `status`. */
  repeatStatus?: number;
}

const getJoinedProject = (world: World) => world.projects.joined.id;
const createAssignedTask = (world: World, fields: Record<string, unknown> = {}) =>
  createTask(world.people.lead, getJoinedProject(world), {
    assigneeId: world.people.member.userId,
    ...fields,
  });

async function createTaskWithSubtasks(world: World): Promise<{ parent: number; ids: number[] }> {
  const { id: parent } = await createAssignedTask(world, { deadline: '2026-05-05' });
  const ids = [
    (await createAssignedTask(world, { parentId: parent })).id,
    (await createAssignedTask(world, { parentId: parent, status: 'completed' })).id,
  ];
  return { parent, ids };
}

/** The lead creates a new task for each write, and assigns it to the member. */
function buildTaskCase(
  method: string,
  tail: string,
  status: number,
  body?: Record<string, unknown>,
): WriteCase {
  return {
    status,
    prepare: async (world) => ({
      method,
      path: `/tasks/${(await createAssignedTask(world, { deadline: '2026-05-05' })).id}${tail}`,
      ...(body && { body }),
      person: world.people.member,
    }),
  };
}

/** Frees an hour for a new time entry by deleting the entries of earlier runs. */
async function freeTimeSlot({ no, cell }: World) {
  await getCell(cell).prepare('DELETE FROM time_entries WHERE ws = ?').bind(no).run();
  return { startTime: '2026-01-01T00:00:00.000Z', endTime: '2026-01-01T01:00:00.000Z' };
}

function buildEntryCase(method: string, body?: Record<string, unknown>): WriteCase {
  return {
    status: 200,
    prepare: async (world) => {
      const { member } = world.people;
      const hour = await freeTimeSlot(world);
      const entry = await api(member.token).post('/timer/entries', {
        taskId: (await createAssignedTask(world)).id,
        ...hour,
      });
      return { method, path: `/timer/entries/${entry.body.id}`, ...(body && { body }), person: member };
    },
  };
}

/** Each write changes two new tasks. */
function buildTasksCase(
  method: string,
  path: string,
  bodyOf: (ids: number[]) => Record<string, unknown>,
  areArchived = false,
): WriteCase {
  return {
    status: 200,
    prepare: async (world) => {
      const ids = [
        (await createAssignedTask(world, { deadline: '2026-05-05' })).id,
        (await createAssignedTask(world)).id,
      ];
      if (areArchived) await api(world.people.lead.token).post('/tasks/bulk/archive', { ids });
      return { method, path, body: bodyOf(ids), person: world.people.member };
    },
  };
}

/** Selects a task with subtasks, one of the subtasks, and a single task. */
function buildTreesCase(
  path: string,
  toBody: (ids: number[], world: World) => Record<string, unknown>,
  areDeleted = false,
): WriteCase {
  return {
    status: 200,
    prepare: async (world) => {
      const { parent, ids: subtasks } = await createTaskWithSubtasks(world);
      const ids = [parent, ...subtasks.slice(0, 1), (await createAssignedTask(world)).id];
      if (areDeleted) await api(world.people.lead.token).post('/tasks/bulk/delete', { ids });
      return { method: 'POST', path, body: toBody(ids, world), person: world.people.lead };
    },
  };
}

function buildWebhookCase(method: string, tail: string, body?: Record<string, unknown>): WriteCase {
  return {
    status: 200,
    prepare: async (world) => ({
      method,
      path: `/webhooks/${await insertWebhook(world, world.people.member)}${tail}`,
      ...(body && { body }),
      person: world.people.member,
    }),
  };
}

const stopTimers = (world: World) =>
  getCell(world.cell)
    .prepare('UPDATE time_entries SET ended_at = started_at WHERE ws = ? AND ended_at IS NULL')
    .bind(world.no)
    .run();

/** Deletes the import's file in advance, so that no work follows the response, unless `keepsFile` is true. */
function buildImportCase(method: string, tail: string, { keepsFile = false } = {}): WriteCase {
  return {
    status: 200,
    prepare: async (world) => {
      const { owner } = world.people;
      // Ends the imports that earlier runs left running, because they count toward the limit of running imports.
      await getCell(world.cell)
        .prepare("UPDATE imports SET status = 'failed' WHERE ws = ? AND status = 'running'")
        .bind(world.no)
        .run();
      const id = await prepareImport(world, owner, world.projects.joined.id);
      if (!keepsFile) await deleteImportedFile(world, id);
      return {
        method,
        path: `/imports/${id}${tail}`,
        ...(method === 'PATCH' && { body: {} }),
        person: owner,
      };
    },
  };
}

async function createNotification(world: World): Promise<number> {
  await createAssignedTask(world);
  const { body } = await api(world.people.member.token).get('/notifications?limit=1');
  return body.data[0].id;
}

const peopleWithPasswords = new WeakSet<Person>();

export const writeCases: Record<string, WriteCase> = {
  register: {
    status: 201,
    isPublic: true,
    prepare: async () => {
      // Deletes unsent emails of earlier runs, because this run would send them, too.
      await env.DIRECTORY.prepare('DELETE FROM outbox').run();
      return {
        method: 'POST',
        path: '/auth/register',
        body: { email: createEmailAddress(), password: PASSWORD, name: 'Ada Test' },
        headers: { 'CF-Connecting-IP': createIpAddress() },
        person: null,
      };
    },
  },
  login: {
    status: 200,
    isPublic: true,
    prepare: async ({ people: { member } }) => {
      if (!peopleWithPasswords.has(member)) await setPassword(member.userId);
      peopleWithPasswords.add(member);
      return {
        method: 'POST',
        path: '/auth/login',
        body: { email: member.email, password: PASSWORD },
        headers: { 'CF-Connecting-IP': createIpAddress() },
        person: null,
      };
    },
  },
  createApiKey: {
    status: 201,
    isSecret: true,
    prepare: async ({ people }) => ({
      method: 'POST',
      path: '/connected-apps/api-keys',
      body: { name: 'Fault' },
      person: people.member,
    }),
  },
  revokeConnectedApp: {
    status: 200,
    prepare: async ({ people: { member } }) => {
      const { body } = await api(member.token).post('/connected-apps/api-keys', { name: 'To go' });
      return { method: 'DELETE', path: `/connected-apps/${body.id}`, person: member };
    },
  },
  createWebhook: {
    status: 201,
    isSecret: true,
    prepare: async ({ people }) => ({
      method: 'POST',
      path: '/webhooks',
      body: { url: 'https://hooks.example.com/', types: ['meeting.cancelled'] },
      person: people.member,
    }),
  },
  updateWebhook: buildWebhookCase('PATCH', '', { description: 'Changed', status: 'paused' }),
  rotateWebhookSecret: { ...buildWebhookCase('POST', '/rotate-secret'), isSecret: true },
  testWebhook: buildWebhookCase('POST', '/test'),
  replayWebhook: buildWebhookCase('POST', '/replay', { after: 0 }),
  deleteWebhook: buildWebhookCase('DELETE', ''),
  createTasksInBulk: {
    status: 200,
    prepare: async (world) => {
      const draft = {
        projectId: getJoinedProject(world),
        name: 'One of many',
        description: '<p>text</p>',
        assigneeId: world.people.lead.userId,
        deadline: '2026-05-05',
      };
      const tasks = [draft, { ...draft, projectId: 999_999_999 }, { ...draft, status: 'completed' }];
      return { method: 'POST', path: '/tasks/bulk?mode=each', body: { tasks }, person: world.people.member };
    },
  },
  updateTasksInBulk: buildTasksCase('PATCH', '/tasks/bulk?mode=each', (ids) => ({
    updates: [
      { id: ids[0], name: 'Renamed', status: 'completed' },
      { id: 999_999_999, status: 'completed' },
      { id: ids[1], assigneeId: null, deadline: '2026-06-06' },
    ],
  })),
  archiveTasksInBulk: buildTasksCase('POST', '/tasks/bulk/archive', (ids) => ({ ids })),
  unarchiveTasksInBulk: buildTasksCase('POST', '/tasks/bulk/unarchive?mode=each', (ids) => ({ ids }), true),
  moveTasksInBulk: buildTreesCase('/tasks/bulk/move?mode=each', (ids, { projects }) => ({
    ids: [...ids, 999_999_999],
    projectId: projects.other.id,
  })),
  deleteTasksInBulk: buildTreesCase('/tasks/bulk/delete?mode=each', (ids) => ({
    ids: [...ids, 999_999_999],
  })),
  restoreTasksInBulk: buildTreesCase('/tasks/bulk/restore', (ids) => ({ ids }), true),
  createTask: {
    status: 201,
    prepare: async (world) => ({
      method: 'POST',
      path: '/tasks',
      body: {
        projectId: getJoinedProject(world),
        name: 'Written under fire',
        description: '<p>text</p>',
        assigneeId: world.people.lead.userId,
        deadline: '2026-05-05',
      },
      person: world.people.member,
    }),
  },
  updateTask: {
    status: 200,
    prepare: async (world) => ({
      method: 'PATCH',
      path: `/tasks/${(await createAssignedTask(world)).id}`,
      body: {
        name: 'Changed',
        status: 'completed',
        deadline: '2026-06-06',
        assigneeId: world.people.client.userId,
        parentId: (await createTaskWithSubtasks(world)).parent,
      },
      person: world.people.member,
    }),
  },
  orderSubtasks: {
    status: 200,
    prepare: async (world) => {
      const { parent, ids } = await createTaskWithSubtasks(world);
      return {
        method: 'POST',
        path: `/tasks/${parent}/subtasks/order`,
        body: { ids: ids.toReversed() },
        person: world.people.member,
      };
    },
  },
  archiveTask: {
    status: 200,
    prepare: async (world) => ({
      method: 'POST',
      path: `/tasks/${(await createTaskWithSubtasks(world)).parent}/archive`,
      person: world.people.member,
    }),
  },
  unarchiveTask: {
    status: 200,
    prepare: async (world) => {
      const { parent } = await createTaskWithSubtasks(world);
      await api(world.people.lead.token).post(`/tasks/${parent}/archive`);
      return { method: 'POST', path: `/tasks/${parent}/unarchive`, person: world.people.member };
    },
  },
  moveTask: {
    status: 200,
    prepare: async (world) => ({
      method: 'POST',
      path: `/tasks/${(await createTaskWithSubtasks(world)).parent}/move`,
      body: { projectId: world.projects.other.id },
      person: world.people.member,
    }),
  },
  deleteTask: {
    status: 200,
    prepare: async (world) => ({
      method: 'DELETE',
      path: `/tasks/${(await createTaskWithSubtasks(world)).parent}`,
      person: world.people.lead,
    }),
  },
  restoreTask: {
    status: 200,
    prepare: async (world) => {
      const { parent } = await createTaskWithSubtasks(world);
      await api(world.people.lead.token).delete(`/tasks/${parent}`);
      return { method: 'POST', path: `/tasks/${parent}/restore`, person: world.people.lead };
    },
  },
  duplicateTask: buildTaskCase('POST', '/duplicate', 201),
  addComment: buildTaskCase('POST', '/comments', 201, { content: 'Said under fire' }),
  createImport: {
    status: 201,
    prepare: async (world) => {
      const { owner } = world.people;
      const { id: projectId } = world.projects.joined;
      const attachmentId = await addCsvFile(world, owner, projectId);
      return { method: 'POST', path: '/imports', body: { projectId, attachmentId }, person: owner };
    },
  },
  updateImport: buildImportCase('PATCH', '', { keepsFile: true }),
  startImport: buildImportCase('POST', '/start'),
  cancelImport: buildImportCase('POST', '/cancel'),
  deleteExport: {
    status: 200,
    prepare: async (world) => {
      await deleteExports(world.cell, world.no);
      const id = await insertExport(world, world.people.owner, { status: 'completed' });
      return { method: 'DELETE', path: `/exports/${id}`, person: world.people.owner };
    },
  },
  replaceChecklist: buildTaskCase('PUT', '/checklist', 200, { items: [{ text: 'Written under fire' }] }),
  addChecklistLine: buildTaskCase('POST', '/checklist/items', 201, { text: 'Added under fire' }),
  updateChecklistLine: {
    status: 200,
    prepare: async (world) => ({
      method: 'PATCH',
      path: await createChecklistItemPath(world),
      body: { text: 'Changed under fire', isDone: true },
      person: world.people.member,
    }),
  },
  deleteChecklistLine: {
    status: 200,
    prepare: async (world) => ({
      method: 'DELETE',
      path: await createChecklistItemPath(world),
      person: world.people.member,
    }),
  },
  convertChecklistLine: {
    status: 201,
    prepare: async (world) => ({
      method: 'POST',
      path: `${await createChecklistItemPath(world)}/convert`,
      person: world.people.member,
    }),
  },
  setReminders: buildTaskCase('PUT', '/reminders', 200, { items: [{ minutesBefore: 30 }] }),
  setRecurrence: buildTaskCase('PUT', '/recurrence', 200, { rule: 'FREQ=DAILY', mode: 'schedule' }),
  deleteRecurrence: {
    status: 200,
    prepare: async (world) => ({
      method: 'DELETE',
      path: await createRecurrencePath(world),
      person: world.people.member,
    }),
  },
  addRelation: {
    status: 201,
    prepare: async (world) => ({
      method: 'POST',
      path: `/tasks/${(await createAssignedTask(world)).id}/relations`,
      body: { type: 'blocked_by', taskId: (await createAssignedTask(world)).id },
      person: world.people.member,
    }),
  },
  deleteRelation: {
    status: 200,
    prepare: async (world) => {
      const { member } = world.people;
      const path = `/tasks/${(await createAssignedTask(world)).id}/relations`;
      const taskId = (await createAssignedTask(world)).id;
      const { body } = await api(member.token).post(path, { type: 'blocked_by', taskId });
      return { method: 'DELETE', path: `${path}/${body.id}`, person: member };
    },
  },
  updateComment: {
    status: 200,
    prepare: async (world) => ({
      method: 'PATCH',
      path: await createCommentPath(world),
      body: { content: 'Said again under fire' },
      person: world.people.member,
    }),
  },
  deleteComment: {
    status: 200,
    prepare: async (world) => ({
      method: 'DELETE',
      path: await createCommentPath(world),
      person: world.people.member,
    }),
  },
  addReaction: {
    status: 200,
    prepare: async (world) => ({
      method: 'PUT',
      path: `${await createCommentPath(world)}/reactions/heart`,
      person: world.people.member,
    }),
  },
  removeReaction: {
    status: 200,
    prepare: async (world) => {
      const { member } = world.people;
      const path = `${await createCommentPath(world)}/reactions/heart`;
      await api(member.token).put(path);
      return { method: 'DELETE', path, person: member };
    },
  },
  createMeeting: {
    status: 201,
    prepare: async (world) => ({
      method: 'POST',
      path: '/meetings',
      body: {
        projectId: getJoinedProject(world),
        name: 'Meeting',
        date: '2027-01-01',
        time: '10:00',
        participantIds: [world.people.lead.userId, world.people.member.userId],
      },
      person: world.people.member,
    }),
  },
  updateMeeting: {
    status: 200,
    prepare: async (world) => ({
      method: 'PATCH',
      path: `/meetings/${await createSharedMeeting(world)}`,
      body: { date: '2026-12-24', time: '11:30' },
      person: world.people.lead,
    }),
  },
  cancelMeeting: {
    status: 200,
    prepare: async (world) => ({
      method: 'DELETE',
      path: `/meetings/${await createSharedMeeting(world)}`,
      person: world.people.lead,
    }),
  },
  markAllNotificationsRead: {
    status: 200,
    prepare: async (world) => {
      const person = world.people.member;
      await api(person.token).put('/notifications/read-all');
      await createNotification(world);
      return { method: 'PUT', path: '/notifications/read-all', person };
    },
  },
  markNotificationRead: {
    status: 200,
    prepare: async (world) => ({
      method: 'PUT',
      path: `/notifications/${await createNotification(world)}/read`,
      person: world.people.member,
    }),
  },
  deleteNotification: {
    status: 200,
    prepare: async (world) => ({
      method: 'DELETE',
      path: `/notifications/${await createNotification(world)}`,
      person: world.people.member,
    }),
  },
  createTimeEntry: {
    status: 201,
    prepare: async (world) => ({
      method: 'POST',
      path: '/timer/entries',
      body: { taskId: (await createAssignedTask(world)).id, ...(await freeTimeSlot(world)) },
      person: world.people.member,
    }),
  },
  updateTimeEntry: buildEntryCase('PATCH', { startTime: '2026-01-01T00:00:01.000Z' }),
  deleteTimeEntry: buildEntryCase('DELETE'),
  startTimer: {
    status: 201,
    prepare: async (world) => {
      await stopTimers(world);
      return {
        method: 'POST',
        path: '/timer/start',
        body: { taskId: (await createAssignedTask(world)).id },
        person: world.people.member,
      };
    },
  },
  stopTimer: {
    status: 200,
    prepare: async (world) => {
      await stopTimers(world);
      const person = world.people.member;
      await api(person.token).post('/timer/start', { taskId: (await createAssignedTask(world)).id });
      return { method: 'POST', path: '/timer/stop', person };
    },
  },
  presignAttachment: buildTaskCase('POST', '/attachments/presign', 200, {
    fileName: 'plan.txt',
    fileType: 'text/plain',
    fileSize: 5,
  }),
  confirmAttachment: {
    status: 201,
    notingBatch: 2,
    repeatStatus: 200,
    prepare: async (world) => {
      const { id } = await createAssignedTask(world);
      return {
        method: 'POST',
        path: `/tasks/${id}/attachments/confirm`,
        body: { s3Key: await presignAndUpload(world.people.member, id) },
        person: world.people.member,
      };
    },
  },
  deleteTaskAttachment: {
    status: 200,
    prepare: async (world) => {
      const { member } = world.people;
      const { id } = await createAssignedTask(world);
      const { body } = await confirmUpload(member, id, { s3Key: await presignAndUpload(member, id) });
      return { method: 'DELETE', path: `/tasks/${id}/attachments/${body.id}`, person: member };
    },
  },
  deleteProjectAttachment: {
    status: 200,
    prepare: async (world) => {
      const { member } = world.people;
      const session = await openFilledSession(member, { projectId: getJoinedProject(world) });
      const { body } = await api(member.token).post(`/chunked-upload/complete/${session}`);
      return {
        method: 'DELETE',
        path: `/projects/${getJoinedProject(world)}/attachments/${body.id}`,
        person: member,
      };
    },
  },
  initUpload: {
    status: 201,
    prepare: async (world) => ({
      method: 'POST',
      path: '/chunked-upload/init',
      body: {
        projectId: getJoinedProject(world),
        fileName: 'film.bin',
        fileType: 'application/octet-stream',
        fileSize: 100,
      },
      person: world.people.member,
    }),
  },
  completeUpload: {
    status: 201,
    repeatStatus: 200,
    prepare: async (world) => {
      const { id } = await createAssignedTask(world);
      const session = await openFilledSession(world.people.member, { taskId: id });
      return { method: 'POST', path: `/chunked-upload/complete/${session}`, person: world.people.member };
    },
  },
  abortUpload: {
    status: 200,
    prepare: async (world) => ({
      method: 'POST',
      path: `/chunked-upload/abort/${await openSession(world)}`,
      person: world.people.member,
    }),
  },
  deleteUpload: {
    status: 200,
    prepare: async (world) => ({
      method: 'DELETE',
      path: `/chunked-upload/${await openSession(world)}`,
      person: world.people.member,
    }),
  },
};

export const writesTestedElsewhere: Record<string, string> = {
  uploadChunk: 'takes bytes; test/suites/faults/files.test.ts',
  createExport: 'a whole export follows the response; test/exports',
};

async function createChecklistItemPath(world: World): Promise<string> {
  const { id } = await createAssignedTask(world);
  const path = `/tasks/${id}/checklist/items`;
  const { body } = await api(world.people.member.token).post(path, { text: 'A line' });
  return `${path}/${body.id}`;
}

async function createRecurrencePath(world: World): Promise<string> {
  const { id } = await createAssignedTask(world);
  const path = `/tasks/${id}/recurrence`;
  await api(world.people.member.token).put(path, { rule: 'FREQ=DAILY', mode: 'schedule' });
  return path;
}

async function createCommentPath(world: World): Promise<string> {
  const { id } = await createAssignedTask(world, { deadline: '2026-05-05' });
  const { body } = await api(world.people.member.token).post(`/tasks/${id}/comments`, { content: 'Said' });
  return `/tasks/${id}/comments/${body.id}`;
}

async function createSharedMeeting(world: World): Promise<number> {
  const { lead, member } = world.people;
  const { id } = await createMeeting(lead, getJoinedProject(world), {
    participantIds: [lead.userId, member.userId],
  });
  return id;
}

async function openSession(world: World): Promise<string> {
  const { body } = await initUpload(world.people.member, {
    projectId: getJoinedProject(world),
    fileSize: 100,
  });
  return body.sessionId;
}
