import { beforeAll, describe, expect, it } from 'vitest';
import { listPathParameters } from '../../src/kernel/http/route.ts';
import { insertExport } from '../exports/prepare-export.ts';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { initUpload, openFilledSession } from '../files/uploads/uploading.ts';
import { prepareImport } from '../imports/prepare-import.ts';
import { api } from '../support/api.ts';
import { createApiKey, createMeeting, createTask, createWorld, type World } from '../support/world.ts';
import { insertWebhook } from '../webhooks/operations/insert-webhook.ts';
import { fillPath, getRouteName, guardedRoutes } from './requests.ts';

let world: World;
let key: string;
let ids: Record<string, Record<string, string | number>>;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { owner } = world.people;
  key = await createApiKey(owner);
  const task = await createTask(owner, world.projects.joined.id);
  await api(owner.token).put(`/tasks/${task.id}/recurrence`, { rule: 'FREQ=DAILY', mode: 'schedule' });
  const attachment = await confirmUpload(owner, task.id, { s3Key: await presignAndUpload(owner, task.id) });
  const session = await openFilledSession(owner, { projectId: world.projects.joined.id });
  const filed = await api(owner.token).post(`/chunked-upload/complete/${session}`);
  // The API key's owner creates the upload session, because only a session's creator can use it.
  const open = await initUpload(owner, { taskId: task.id, fileSize: 1 });
  ids = {
    tasks: { id: task.id, attachmentId: attachment.body.id },
    projects: { id: world.projects.joined.id, attachmentId: filed.body.id },
    'chunked-upload': { sessionId: open.body.sessionId },
    meetings: { id: (await createMeeting(owner, world.projects.other.id)).id },
    'task-statuses': { id: 1 },
    'project-statuses': { id: 1 },
    'task-categories': { id: world.categories[0].id },
    'task-types': { id: world.categories[0].typeId },
    users: { id: owner.userId },
    webhooks: { id: await insertWebhook(world, owner) },
    imports: { id: await prepareImport(world, owner, world.projects.joined.id) },
    exports: { id: await insertExport(world, owner, { status: 'completed' }) },
  };
});

const readRoutes = guardedRoutes.filter((route) => route.method === 'GET');

describe('a read with a cached credential', () => {
  it.each(readRoutes.map((route) => [getRouteName(route), route] as const))(
    'takes one database round trip, or at most three for the list of workspaces (%s)',
    async (_name, route) => {
      const token = route.operation.access === 'session' ? world.people.owner.token : key;
      const path =
        listPathParameters(route.path).length > 0
          ? fillPath(route, ids[route.path.split('/')[1] ?? ''])
          : route.path;
      await api(token).get(path);
      const { status, cost } = await api(token).get(path);
      expect(status).toBe(200);
      // Listing workspaces reads the directory and the cells.
      expect(cost.trips).toBeLessThanOrEqual(route.path === '/workspaces' ? 3 : 1);
      expect(cost.rowsWritten).toBe(0);
    },
  );
});
