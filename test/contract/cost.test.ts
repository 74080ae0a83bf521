import { beforeAll, describe, expect, it } from 'vitest';
import { pathNames } from '../../src/kernel/route.ts';
import { api } from '../support/api.ts';
import { createApiKey, createMeeting, createTask, createWorld, type World } from '../support/world.ts';
import { fill, guardedRoutes, nameOf } from './requests.ts';

let world: World;
let key: string;
let ids: Record<string, string | number>;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { owner } = world.people;
  key = await createApiKey(owner);
  ids = {
    tasks: (await createTask(owner, world.projects.joined.id)).id,
    projects: world.projects.joined.id,
    meetings: (await createMeeting(owner, world.projects.other.id)).id,
    'task-statuses': 1,
    'project-statuses': 1,
    'task-categories': world.categories[0].id,
    'task-types': world.categories[0].typeId,
    users: owner.userId,
  };
});

const reads = guardedRoutes.filter((route) => route.method === 'GET');

describe('a read with a credential that this isolate knows', () => {
  it.each(reads.map((route) => [nameOf(route), route] as const))(
    '%s takes one trip to the database',
    async (_name, route) => {
      const token = route.operation.access === 'session' ? world.people.owner.token : key;
      const path =
        pathNames(route.path).length > 0
          ? fill(route, { id: ids[route.path.split('/')[1] ?? ''] ?? 0 })
          : route.path;
      await api(token).get(path);
      const { status, cost } = await api(token).get(path);
      expect(status).toBe(200);
      // The list of workspaces is put together from the directory and the cells.
      expect(cost.trips).toBeLessThanOrEqual(route.path === '/workspaces' ? 3 : 1);
      expect(cost.rowsWritten).toBe(0);
    },
  );
});
