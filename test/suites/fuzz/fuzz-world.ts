import { scopes } from '../../../src/kernel/access/access.ts';
import { grantToken } from '../../contract/requests.ts';
import { insertExport } from '../../exports/prepare-export.ts';
import { presignAndUpload } from '../../files/attachments/presigning.ts';
import { createBytes, initUpload, openFilledSession } from '../../files/uploads/uploading.ts';
import { prepareImport } from '../../imports/prepare-import.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createEmailAddress, PASSWORD, setPassword } from '../../support/people.ts';
import {
  createApiKey,
  createMeeting,
  createTask,
  createTeam,
  createWorld,
  type World,
} from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import type { Json } from './json.ts';
import type { FuzzInputs } from './requests.ts';

export interface FuzzWorld extends Pick<FuzzInputs, 'tokens'> {
  readonly world: World;
}

/** Creates a workspace with every kind of credential, for people who see everything and people who see little. */
export async function createFuzzWorld(): Promise<FuzzWorld> {
  const world = await createWorld();
  const { owner, lead, member, client } = world.people;
  await setPassword(owner.userId);
  await createTeam(world, { lead, members: [member] });
  const tokens = [
    owner.token,
    owner.token,
    lead.token,
    member.token,
    client.token,
    await createApiKey(owner),
    await createApiKey(client),
    await grantToken(world, lead, scopes),
    await grantToken(world, member, ['tasks:read', 'projects:read']),
  ];
  return { world, tokens };
}

/** Creates new objects, because earlier operations may have used up theirs. Returns the values to try. */
export async function createFuzzObjects({ world }: FuzzWorld): Promise<FuzzInputs['pool']> {
  const { owner, admin, lead, member, client } = world.people;
  const { joined, other } = world.projects;
  const [category, otherCategory] = world.categories;
  await getCell(world.cell).prepare('UPDATE credentials SET revoked_at = NULL').run();
  // Deletes all webhooks, because their number per workspace is limited.
  await getCell(world.cell).prepare('DELETE FROM webhooks').run();
  const tasks = [
    await createTask(lead, joined.id, {
      assigneeId: owner.userId,
      deadline: '2026-12-01',
      description: '<p>x</p>',
    }),
    await createTask(owner, other.id, { assigneeId: lead.userId }),
    await createTask(lead, joined.id, { name: 'needle \u{1f9f5} Straße' }),
  ];
  const remarks: Json[] = [];
  for (const author of [member, owner]) {
    const { body } = await api(author.token).post(`/tasks/${tasks[0]?.id}/comments`, { content: 'A remark' });
    remarks.push(body.id);
  }
  const archived = await createTask(owner, joined.id);
  await api(owner.token).post(`/tasks/${archived.id}/archive`);
  const meetings = [
    await createMeeting(lead, joined.id),
    await createMeeting(lead, joined.id, { recurrence: 'FREQ=WEEKLY' }),
    await createMeeting(owner, other.id),
  ];
  const files = await createUploads(world, tasks[0]?.id ?? 0);
  const listIds = async (person: { token: string }, path: string): Promise<Json[]> =>
    (await api(person.token).get(path)).body.data.map((each: { id: Json }) => each.id);
  const taskIds = [...tasks.map((each) => each.id), archived.id];
  const projectIds = [joined.id, other.id];
  return {
    '/tasks': taskIds,
    '/projects': projectIds,
    '/meetings': meetings.map((each) => each.id),
    '/task-statuses': [1, 2, 3],
    '/project-statuses': [1, 2, 3],
    '/task-categories': [category.id, otherCategory.id],
    '/task-types': [category.typeId, otherCategory.typeId],
    '/users': Object.values(world.people).map((each) => each.userId),
    '/notifications': [
      ...(await listIds(owner, '/notifications')),
      ...(await listIds(lead, '/notifications')),
    ],
    '/connected-apps': await listIds(owner, '/connected-apps'),
    '/workspaces': [world.id],
    '/imports': [await prepareImport(world, owner, joined.id), await prepareImport(world, owner, joined.id)],
    '/exports': [await insertExport(world, owner, { status: 'completed' })],
    '/webhooks': [await insertWebhook(world, owner), await insertWebhook(world, lead)],
    after: [0, 1, 5, 1_000_000],
    types: [['task.created'], ['task.updated', 'comment.created'], null],
    url: ['https://hooks.example.com/', 'http://127.0.0.1/', 'https://[::1]/'],
    taskId: taskIds,
    commentId: remarks,
    reaction: ['heart', 'eyes', 'thumbs_up'],
    projectId: projectIds,
    categoryId: [category.id, otherCategory.id, null],
    typeId: [category.typeId, otherCategory.typeId, null],
    teamId: await listIds(owner, '/teams'),
    assigneeId: [owner.userId, admin.userId, client.userId],
    participantIds: [[lead.userId], [lead.userId, member.userId], [owner.userId, admin.userId]],
    email: [owner.email, owner.email.toUpperCase(), ...Array.from({ length: 20 }, createEmailAddress)],
    password: [PASSWORD, PASSWORD, 'wrong but long enough'],
    recurrence: [
      'FREQ=DAILY;COUNT=3',
      'FREQ=WEEKLY;BYDAY=MO,WE',
      'FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20271231',
    ],
    meetingLink: ['https://meet.example.com/x'],
    projectStatus: ['active', 'in-progress'],
    search: ['needle', 'STRASSE', 'a', '\u{1f9f5}', 're', ''],
    ...files,
    cursor: await collectCursors(owner),
    fileName: ['brief.pdf', 'Übersicht 1.png', '\u202efdp.exe'],
    fileType: ['application/pdf', 'text/html', 'x/y'],
    fileSize: [5, 1, 1024 ** 3, 1024 ** 4],
    partNumber: [1, 1, 1, 2, 10_000],
    period: ['day', 'week', 'month', 'year'],
  };
}

/** Attaches a file to the task and one to a project, and creates upload sessions that expect five bytes. */
async function createUploads(
  { people: { owner }, projects }: World,
  taskId: number,
): Promise<FuzzInputs['pool']> {
  const createCompletedUpload = async (target: Record<string, number>) => {
    const session = await openFilledSession(owner, target, createBytes(5));
    return (await api(owner.token).post(`/chunked-upload/complete/${session}`)).body.id as number;
  };
  const openUpload = async () => (await initUpload(owner, { taskId, fileSize: 5 })).body.sessionId as string;
  const ofTask = await createCompletedUpload({ taskId });
  const ofProject = await createCompletedUpload({ projectId: projects.joined.id });
  return {
    attachmentId: [ofTask, ofProject],
    parentId: [ofTask, ofProject],
    sessionId: [
      await openUpload(),
      await openUpload(),
      await openFilledSession(owner, { taskId }, createBytes(5)),
    ],
    s3Key: [await presignAndUpload(owner, taskId), await presignAndUpload(owner, taskId)],
  };
}

async function collectCursors(owner: { token: string }): Promise<string[]> {
  const paths = [
    '/tasks?scope=all',
    '/meetings?order=asc',
    '/notifications?unreadOnly=false',
    '/dashboard/tasks?sort=name',
  ];
  const found: string[] = [];
  for (const path of paths) {
    const { headers } = await api(owner.token).get(`${path}&limit=1`);
    const cursor = /[?&]cursor=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1];
    if (cursor) found.push(cursor, `${cursor}A`, cursor.slice(1), cursor.slice(0, -2), cursor.toUpperCase());
  }
  return found;
}
