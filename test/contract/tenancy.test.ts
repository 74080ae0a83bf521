import { beforeAll, describe, expect, it } from 'vitest';
import { listPathParameters } from '../../src/kernel/http/route.ts';
import { routes } from '../../src/registry.ts';
import { insertExport } from '../exports/prepare-export.ts';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { initUpload, openFilledSession } from '../files/uploads/uploading.ts';
import { prepareImport } from '../imports/prepare-import.ts';
import { api } from '../support/api.ts';
import { readAllContents } from '../support/stored-contents.ts';
import {
  addPerson,
  createApiKey,
  createMeeting,
  createTask,
  createWorld,
  type Person,
  type World,
} from '../support/world.ts';
import { insertWebhook } from '../webhooks/operations/insert-webhook.ts';
import { buildRequestBody, buildRequestHeaders, fillPath, getRouteName, guardedRoutes } from './requests.ts';

/** Routes for statuses, which all workspaces share. */
const platformWideRoutes = ['/task-statuses/:id', '/project-statuses/:id'];

let home: World;
/** A person in another workspace of the same database. */
let neighbor: Person;
/** A person in another database, where none of the tested ids exist. */
let stranger: Person;
/**
 * Ids of objects in `home`, by collection. The client in `home` can see only the workspace and the `sharedCollections`.
 */
let idsByCollection: Record<string, Record<string, string | number>>;
const sharedCollections = ['task-categories', 'task-types', 'users'];

beforeAll(async () => {
  home = await createWorld({ cell: 0 });
  neighbor = (await createWorld({ cell: 0 })).people.owner;
  stranger = (await createWorld({ cell: 1 })).people.owner;
  const { owner, admin } = home.people;
  const task = await createTask(owner, home.projects.other.id, { assigneeId: admin.userId });
  await createApiKey(owner);
  const notifications = await api(admin.token).get('/notifications');
  const apps = await api(owner.token).get('/connected-apps');
  const key = await presignAndUpload(owner, task.id);
  const attachment = await confirmUpload(owner, task.id, { s3Key: key });
  const session = await openFilledSession(owner, { projectId: home.projects.other.id });
  const filed = await api(owner.token).post(`/chunked-upload/complete/${session}`);
  const open = await initUpload(owner, { taskId: task.id, fileSize: 1 });
  idsByCollection = {
    tasks: { id: task.id, attachmentId: attachment.body.id },
    projects: { id: home.projects.other.id, attachmentId: filed.body.id },
    'chunked-upload': { sessionId: open.body.sessionId, partNumber: 1 },
    'task-categories': { id: home.categories[0].id },
    'task-types': { id: home.categories[0].typeId },
    users: { id: home.people.lead.userId },
    meetings: { id: (await createMeeting(owner, home.projects.other.id)).id },
    notifications: { id: notifications.body.data[0].id },
    'connected-apps': { id: apps.body.data[0].id },
    workspaces: { id: home.id },
    webhooks: { id: await insertWebhook(home, owner) },
    imports: { id: await prepareImport(home, owner, home.projects.joined.id) },
    exports: { id: await insertExport(home, owner, { status: 'completed' }) },
    timer: { id: (await api(owner.token).post('/timer/start', { taskId: task.id })).body.id },
  };
});

const idRoutes = guardedRoutes.filter(
  (route) => listPathParameters(route.path).length > 0 && !platformWideRoutes.includes(route.path),
);
const getCollection = (path: string) => path.split('/')[1] as string;

describe('an id from another workspace', () => {
  it('is tested for every endpoint with an id in its path', () => {
    expect(
      idRoutes.map((route) => getCollection(route.path)).filter((name) => !(name in idsByCollection)),
    ).toEqual([]);
  });

  it.each(idRoutes.map((route) => [getRouteName(route), route] as const))(
    'gets the same response from %s as an unknown id, byte for byte, and nothing changes',
    async (_name, route) => {
      const path = fillPath(route, idsByCollection[getCollection(route.path)]);
      const before = await readAllContents();
      const foreign = await api(neighbor.token).call(
        route.method,
        path,
        buildRequestBody(route),
        buildRequestHeaders(route),
      );
      const missing = await api(stranger.token).call(
        route.method,
        path,
        buildRequestBody(route),
        buildRequestHeaders(route),
      );
      expect(foreign.status).toBe(404);
      expect(foreign.body.error.code).toBe('not_found');
      expect(foreign.text).toBe(missing.text);
      expect(getComparableHeaders(foreign.headers)).toEqual(getComparableHeaders(missing.headers));
      expect(await readAllContents()).toEqual(before);
    },
  );
});

describe('the id of a hidden object in the same workspace', () => {
  it.each(
    idRoutes
      .filter((route) => ![...sharedCollections, 'workspaces'].includes(getCollection(route.path)))
      .map((route) => [getRouteName(route), route] as const),
  )(
    'gets the same response from %s as an unknown id, byte for byte, and nothing changes',
    async (_name, route) => {
      const path = fillPath(route, idsByCollection[getCollection(route.path)]);
      const before = await readAllContents();
      const hidden = await api(home.people.client.token).call(
        route.method,
        path,
        buildRequestBody(route),
        buildRequestHeaders(route),
      );
      const missing = await api(stranger.token).call(
        route.method,
        path,
        buildRequestBody(route),
        buildRequestHeaders(route),
      );
      expect(hidden.status).toBe(404);
      expect(hidden.text).toBe(missing.text);
      expect(await readAllContents()).toEqual(before);
    },
  );
});

describe('a list', () => {
  it('contains nothing from another workspace in the same database', async () => {
    const lists = routes.filter(
      (route) =>
        route.method === 'GET' &&
        listPathParameters(route.path).length === 0 &&
        !route.path.endsWith('-statuses'),
    );
    const own = Object.values(home.people).flatMap((person) => [person.userId, person.email]);
    const lonely = await addPerson(await createWorld({ cell: 0 }), 'lonely', 'owner');
    for (const route of lists) {
      const { status, text } = await api(lonely.token).get(route.path);
      expect(status, getRouteName(route)).toBe(200);
      for (const trace of [...own, home.id]) expect(text, getRouteName(route)).not.toContain(trace);
    }
  });
});

function getComparableHeaders(headers: Headers) {
  const varying = ['x-request-id', 'x-cost', 'server-timing', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  return [...headers].filter(([name]) => !varying.includes(name));
}
