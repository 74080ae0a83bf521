// This file is long because all lists are compared for every role in one world, which is slow to create.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { compareLists, type Id, type ResponseBody, readIds } from './comparison.ts';
import { type Inventory, type InventoryItem, takeInventory } from './inventory.ts';
import * as oracle from './oracle.ts';
import {
  type Caller,
  createIsolationWorld,
  DEADLINE,
  type IsolationWorld,
  insertNotification,
  type ObjectSet,
  SECRET_WORD,
} from './world.ts';

let world: IsolationWorld;
let inventory: Inventory;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  world = await createIsolationWorld();
  inventory = await takeInventory(world);
});

/**
 * Returns the ids of tasks in the home workspace. The visitor sees none, because the visitor's credentials belong to
 * the other workspace.
 */
function filterTaskIds(
  caller: Caller,
  isShown: (relation: oracle.Relation, item: InventoryItem) => boolean,
  isArchived = false,
): number[] {
  if (!caller.actor.isBoundHere) return [];
  return inventory.items
    .filter((item) => item.isArchived === isArchived && isShown(item.getRelation(caller), item))
    .map((item) => item.task);
}

function listObjectSets(caller: Caller): { objects: ObjectSet; relation: oracle.Relation }[] {
  const all = [world.hostObjects, ...world.callers.flatMap((each) => each.objectSets)];
  return all.map((objects) => ({
    objects,
    relation: caller.objectSets.includes(objects) ? objects.relation : 'none',
  }));
}

const addForeignIds = (caller: Caller, ...found: Id[]): Id[] => (caller.actor.isBoundHere ? [] : found);

describe('a list contains exactly the items that the documented access rules allow', () => {
  it('for GET /tasks, with any scope, search, assignee and archived state', async ({ task }) => {
    task.meta.cells = await compareLists(world, 'tasks:read', (caller, kind) => {
      const { actor } = caller;
      const seesTask = (relation: oracle.Relation) => oracle.seesTask(actor, relation);
      const isMine = (relation: oracle.Relation) => oracle.isInScopeMine(actor, relation);
      const foreign = addForeignIds(caller, world.foreign.task, world.foreign.meetingTask);
      const all = [...filterTaskIds(caller, seesTask), ...foreign];
      // The visitor hasn't joined any project of the other workspace.
      const mine = filterTaskIds(caller, isMine);
      const host = world.host.userId;
      return [
        { path: '/tasks?limit=100', ids: kind === 'session' ? mine : all },
        { path: '/tasks?limit=100&scope=all', ids: all },
        { path: '/tasks?limit=100&mine=false', ids: all },
        { path: '/tasks?limit=100&scope=mine', ids: mine },
        { path: '/tasks?limit=100&mine=true', ids: mine },
        { path: '/tasks?limit=100&scope=all&mine=true', ids: all },
        { path: `/tasks?limit=100&scope=all&search=${SECRET_WORD}`, ids: all },
        { path: '/tasks?limit=100&scope=all&search=zy', ids: all },
        { path: `/tasks?limit=100&scope=mine&search=${SECRET_WORD.toUpperCase()}`, ids: mine },
        { path: '/tasks?limit=100&scope=all&isArchived=true', ids: filterTaskIds(caller, seesTask, true) },
        { path: '/tasks?limit=100&scope=mine&isArchived=true', ids: filterTaskIds(caller, isMine, true) },
        {
          path: '/tasks?limit=100&scope=all&isArchived=true&search=old',
          ids: filterTaskIds(caller, seesTask, true),
        },
        {
          path: `/tasks?limit=100&scope=all&assigneeId=${caller.person.userId}`,
          ids: filterTaskIds(
            caller,
            (relation, item) =>
              seesTask(relation) && [item.assignee, item.secondAssignee].includes(caller.person.userId),
          ),
        },
        {
          path: `/tasks?limit=100&scope=all&search=${SECRET_WORD}&assigneeId=${host}`,
          ids: filterTaskIds(caller, (relation, item) => seesTask(relation) && item.assignee === host),
          isRefused: !actor.isBoundHere,
        },
      ];
    });
  });

  it('for GET /tasks with projectId, whatever the scope', async ({ task }) => {
    task.meta.cells = await compareLists(world, 'tasks:read', (caller) =>
      [...caller.objectSets, world.hostObjects, world.foreign].flatMap((objects) => {
        const isForeign = objects === world.foreign;
        const found = isForeign
          ? addForeignIds(caller, objects.task, objects.meetingTask)
          : filterTaskIds(
              caller,
              (relation, item) => item.project === objects.project && oracle.seesTask(caller.actor, relation),
            );
        return ['', '&scope=mine', '&scope=all', `&search=${SECRET_WORD}`].map((query) => ({
          path: `/tasks?limit=100&projectId=${objects.project}${query}`,
          ids: found,
        }));
      }),
    );
  });

  it('for GET /projects', async ({ task }) => {
    task.meta.cells = await compareLists(world, 'projects:read', (caller) => {
      const relations = new Map(inventory.items.map((item) => [item.project, 'none' as oracle.Relation]));
      for (const { objects, relation } of listObjectSets(caller)) relations.set(objects.project, relation);
      const listVisible = (isShown: (actor: oracle.Actor, relation: oracle.Relation) => boolean) =>
        [...relations].filter(([, relation]) => isShown(caller.actor, relation)).map(([id]) => id);
      const all = [...listVisible(oracle.seesProject), ...addForeignIds(caller, world.foreign.project)];
      return [
        { path: '/projects?limit=100', ids: all },
        { path: '/projects?limit=100&scope=all&expand=members', ids: all },
        { path: '/projects?limit=100&scope=mine', ids: listVisible(oracle.isProjectMember) },
      ];
    });
  });

  it('for the members, comments and files of a project or task', async ({ task }) => {
    const cells = await compareLists(world, 'projects:read', (caller) =>
      caller.objectSets
        .filter(({ relation }) => oracle.seesProject(caller.actor, relation))
        .map(({ project, relation }) => ({
          path: `/projects/${project}/members`,
          ids: [
            world.host.userId,
            ...(oracle.isProjectMember(caller.actor, relation) ? [caller.person.userId] : []),
          ],
        })),
    );
    const more = await compareLists(world, 'tasks:read', (caller) =>
      caller.objectSets
        .filter(({ relation }) => oracle.seesTask(caller.actor, relation))
        .flatMap(({ project, task, comment, taskFile, projectFile, relation }) => [
          { path: `/tasks/${task}/comments`, ids: [comment] },
          {
            path: `/tasks/${task}`,
            ids: [comment],
            read: (body: ResponseBody) => readIds({ data: body.comments }),
          },
          { path: `/tasks/${task}/attachments`, ids: [taskFile] },
          ...(oracle.seesProject(caller.actor, relation)
            ? [{ path: `/projects/${project}/attachments`, ids: [projectFile] }]
            : []),
        ]),
    );
    task.meta.cells = cells + more;
  });

  it('for GET /meetings', async ({ task }) => {
    task.meta.cells = await compareLists(world, 'tasks:read', (caller) => {
      const listsMeeting = ({ relation }: { relation: oracle.Relation }) =>
        oracle.listsMeeting(caller.actor, relation);
      const all = [
        ...listObjectSets(caller)
          .filter(listsMeeting)
          .map(({ objects }) => objects.meeting),
        ...addForeignIds(caller, world.foreign.meeting),
      ];
      return [
        { path: '/meetings?limit=100', ids: all },
        { path: `/meetings?limit=100&from=${DEADLINE}&to=${DEADLINE}&order=desc`, ids: all },
        ...caller.objectSets.map((objects) => ({
          path: `/meetings?projectId=${objects.project}`,
          ids: listsMeeting(objects) ? [objects.meeting] : [],
        })),
        {
          path: `/meetings?projectId=${world.foreign.project}`,
          ids: addForeignIds(caller, world.foreign.meeting),
        },
      ];
    });
  });

  it('for people, teams, task categories and task types', async ({ task }) => {
    const { home } = world;
    task.meta.cells = await compareLists(world, 'projects:read', ({ actor, person }) => {
      if (!actor.isBoundHere) {
        return [
          { path: '/users?limit=100', ids: [person.userId, world.foreign.belongings.userId] },
          { path: '/teams', ids: [] },
        ];
      }
      return [
        { path: '/users?limit=100', ids: inventory.people.map((each) => each.userId) },
        { path: '/teams', ids: inventory.teams },
        { path: '/task-categories', ids: home.categories.map((each) => each.id) },
        { path: '/task-types', ids: home.categories.map((each) => each.typeId) },
        { path: `/task-types?categoryId=${world.foreign.belongings.category}`, ids: [] },
      ];
    });
  });
});

describe("a list request with another person's cursor", () => {
  const paths = [
    '/tasks?scope=all',
    '/projects?scope=all',
    '/meetings?order=asc',
    '/users?offset=0',
    '/notifications?unreadOnly=false',
    '/dashboard/tasks?sort=due',
    '/dashboard/tasks?sort=name',
    '/dashboard/comments?offset=0',
  ];

  it("returns only items from the caller's own list", async ({ task }) => {
    for (const _ of [1, 2]) await insertNotification(world.home, world.host);
    const wrong: string[] = [];
    let cells = 0;
    for (const path of paths) {
      const { headers } = await api(world.host.token).get(`${path}&limit=1`);
      const cursor = /[?&]cursor=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1];
      expect(cursor, path).toBeDefined();
      for (const { actor, bound } of world.callers) {
        cells += 1;
        const own = readIds((await api(bound.token).get(`${path}&limit=100`)).body);
        const bare = path.replace(/[?&]offset=0/, '');
        const next = `${bare}${bare.includes('?') ? '&' : '?'}limit=100&cursor=${cursor}`;
        const { status, body } = await api(bound.token).get(next);
        if (status === 400) continue;
        const stolen = readIds(body).filter((id) => !own.includes(id));
        if (stolen.length > 0) wrong.push(`${actor.name}, ${next}: ${stolen}`);
        if (path.startsWith('/users')) continue;
        if (body.meta.total !== own.length)
          wrong.push(`${actor.name}, ${next}: a total of ${body.meta.total}`);
      }
    }
    task.meta.cells = cells;
    expect(wrong).toEqual([]);
  });
});

describe('the dashboard includes exactly the data that the documented access rules allow', () => {
  const isShown = (caller: Caller) => (relation: oracle.Relation, item: InventoryItem) =>
    oracle.isOnDashboard(caller.actor, relation) || (caller.actor.role === 'lead' && item.isOfTeam);
  const listShownTasks = (caller: Caller, filter: (item: InventoryItem) => boolean = () => true) => [
    ...filterTaskIds(caller, (relation, item) => isShown(caller)(relation, item) && filter(item)),
  ];
  const listForeignTasks = (caller: Caller) =>
    addForeignIds(caller, world.foreign.task, world.foreign.meetingTask);

  it('for GET /dashboard/tasks', async ({ task }) => {
    task.meta.cells = await compareLists(world, 'dashboard:read', (caller) => {
      const all = [...listShownTasks(caller), ...listForeignTasks(caller)];
      const mates = inventory.teamMates.map((each) => each.userId);
      const ofMates = listShownTasks(caller, (item) => mates.includes(String(item.assignee)));
      const lead = world.callers.find(({ actor }) => actor.role === 'lead')?.person.userId;
      const ofTeam = listShownTasks(caller, (item) => [...mates, lead].includes(String(item.assignee)));
      return [
        ...['due', 'created', 'name', 'status'].map((sort) => ({
          path: `/dashboard/tasks?limit=100&localDate=${DEADLINE}&sort=${sort}`,
          ids: all,
        })),
        { path: `/dashboard/tasks?limit=100&search=${SECRET_WORD}`, ids: all },
        { path: `/dashboard/tasks?limit=100&from=${DEADLINE}&to=${DEADLINE}`, ids: all },
        { path: `/dashboard/tasks?limit=100&assigneeId=${mates.join()}`, ids: ofMates },
        { path: `/dashboard/tasks?limit=100&teamId=${inventory.teams[0]}`, ids: ofTeam },
        { path: `/dashboard/tasks?limit=100&teamId=${inventory.teams[1]}&assigneeId=${mates[0]}`, ids: [] },
        ...caller.objectSets.map((objects) => ({
          path: `/dashboard/tasks?limit=100&projectId=${objects.project}`,
          ids: listShownTasks(caller, (item) => item.project === objects.project),
        })),
        ...caller.objectSets.map((objects) => ({
          path: `/dashboard/tasks?taskId=${objects.task}`,
          ids: listShownTasks(caller, (item) => item.task === objects.task),
        })),
        { path: `/dashboard/tasks?projectId=${world.foreign.project}`, ids: listForeignTasks(caller) },
      ];
    });
  });

  it('for GET /dashboard/stats', async ({ task }) => {
    const toCounts = (found: readonly Id[], projects: number) =>
      [found.length, projects].map((n, at) => `${at}:${n}`);
    const read = (body: ResponseBody) => [`0:${body.dueToday}`, `1:${body.projects}`];
    task.meta.cells = await compareLists(world, 'dashboard:read', (caller) => {
      const isAdmin = caller.actor.role === 'owner' || caller.actor.role === 'admin';
      const isHere = caller.actor.isBoundHere;
      const projectsHere = new Set(inventory.items.map((item) => item.project)).size;
      const projects = isHere ? (isAdmin ? projectsHere : 2) : 1;
      const path = `/dashboard/stats?localDate=${DEADLINE}`;
      return [
        { path, ids: toCounts([...listShownTasks(caller), ...listForeignTasks(caller)], projects), read },
        ...caller.objectSets.map((objects) => {
          const found = listShownTasks(caller, (item) => item.project === objects.project);
          const isCounted = isHere && (isAdmin || oracle.isProjectMember(caller.actor, objects.relation));
          return {
            path: `${path}&projectId=${objects.project}`,
            ids: toCounts(found, isCounted ? 1 : 0),
            read,
          };
        }),
      ];
    });
  });

  it('for GET /dashboard/comments', async ({ task }) => {
    task.meta.cells = await compareLists(world, 'dashboard:read', (caller) => {
      const remarks = inventory.items
        .filter(
          (item) => item.comment !== undefined && caller.actor.isBoundHere && caller.actor.role !== 'client',
        )
        .filter((item) => isShown(caller)(item.getRelation(caller), item))
        .map((item) => item.comment as number);
      const all = [...remarks, ...addForeignIds(caller, world.foreign.comment)];
      return [
        { path: '/dashboard/comments?limit=100', ids: all },
        { path: `/dashboard/comments?limit=100&search=${SECRET_WORD}`, ids: all },
      ];
    });
  });

  it('for GET /dashboard/workload', async ({ task }) => {
    const read = (body: ResponseBody) => body.workloads.map((each: { user: { id: string } }) => each.user.id);
    task.meta.cells = await compareLists(world, 'dashboard:read', (caller) => {
      const { actor, person } = caller;
      const everybody = inventory.people.map((each) => each.userId);
      const mates = inventory.teamMates.map((each) => each.userId);
      const shown = {
        owner: everybody,
        admin: everybody,
        lead: [person.userId, ...mates],
        member: [person.userId],
        client: [],
      }[actor.role];
      // People without active tasks are included only if the filter contains them.
      const all = actor.isBoundHere ? shown : [world.foreign.belongings.userId];
      return [
        { path: '/dashboard/workload', ids: all, read },
        { path: `/dashboard/workload?mode=monthly&from=${DEADLINE}`, ids: all, read },
        {
          path: `/dashboard/workload?assigneeId=${everybody.join()}`,
          ids: actor.isBoundHere ? shown : [person.userId],
          read,
        },
      ];
    });
  });
});

describe('personal lists', () => {
  it("contain only the caller's notifications, from all their workspaces", async ({ task }) => {
    const truth = new Map<string, { all: number; unread: number }>();
    for (const { person } of world.callers) {
      const row = await env.CELL_0.prepare(
        'SELECT count(*) AS "all", total(read_at IS NULL) AS unread FROM notifications WHERE user_id = ?',
      )
        .bind(person.userId)
        .first<{ all: number; unread: number }>();
      truth.set(person.userId, row ?? { all: 0, unread: 0 });
    }
    task.meta.cells = await compareLists(world, 'notifications:read', ({ person }) => {
      const { all, unread } = truth.get(person.userId) ?? { all: -1, unread: -1 };
      return [
        { path: '/notifications?limit=100', ids: [all], read: (body) => [body.meta.total] },
        {
          path: '/notifications?limit=100&unreadOnly=true',
          ids: [unread],
          read: (body) => [body.data.length],
        },
        { path: '/notifications/count', ids: [unread], read: (body) => [body.count] },
      ];
    });
  });

  it("contain only the caller's own time entries", async ({ task }) => {
    const findOwnTask = ({ actor, objectSets }: Caller) =>
      actor.isBoundHere ? objectSets.find((each) => each.relation === 'joined')?.task : world.foreign.task;
    for (const caller of world.callers)
      await api(caller.bound.token).post('/timer/start', { taskId: findOwnTask(caller) });
    task.meta.cells = await compareLists(world, 'time:read', (caller) => {
      const own = [Number(findOwnTask(caller))];
      // Each person has a running entry and an older entry on the same task. The visitor has only one entry, in the
      // other workspace.
      const logged = caller.actor.isBoundHere ? [...own, ...own] : own;
      const listTaskIds = (body: ResponseBody) => body.data.map((each: { taskId: number }) => each.taskId);
      return [
        { path: '/timer/current', ids: own, read: (body) => [body.taskId] },
        { path: '/timer/entries', ids: logged, read: listTaskIds },
        { path: `/timer/entries?taskId=${world.hostObjects.task}`, ids: [], read: listTaskIds },
        {
          path: '/timer/stats',
          ids: own,
          read: (body) => body.tasks.map((each: { taskId: number }) => each.taskId),
        },
      ];
    });
  });

  it("contain only the caller's webhooks, or all webhooks for owners and admins", async ({ task }) => {
    const listIds = async (condition: string, ...params: unknown[]) =>
      (
        await env.CELL_0.prepare(`SELECT id FROM webhooks WHERE ${condition}`)
          .bind(...params)
          .all<{ id: number }>()
      ).results.map(({ id }) => id);
    const shown = new Map<Caller, number[]>();
    for (const caller of world.callers) {
      const { role, isBoundHere } = caller.actor;
      const isAdmin = role === 'owner' || role === 'admin';
      const { no } = world.home;
      const all = isBoundHere ? await listIds('ws = ?', no) : await listIds('ws <> ? AND member <> ?', no, 0);
      const own = await listIds('member = ?', caller.bound.member);
      shown.set(caller, role === 'client' ? [] : isAdmin ? all : own);
    }
    task.meta.cells = await compareLists(world, 'webhooks:write', (caller) => [
      { path: '/webhooks?limit=100', ids: shown.get(caller) ?? [] },
    ]);
  });

  it("contain only the caller's own connected apps and workspaces", async ({ task }) => {
    const apps = new Map<Caller, number[]>();
    for (const caller of world.callers) {
      const { results } = await env.CELL_0.prepare('SELECT id FROM credentials WHERE member = ?')
        .bind(caller.bound.member)
        .all<{ id: number }>();
      apps.set(
        caller,
        results.map((each) => each.id),
      );
    }
    task.meta.cells = await compareLists(world, 'session', (caller) => [
      { path: '/connected-apps?limit=100', ids: apps.get(caller) ?? [] },
      {
        path: '/workspaces',
        ids: [world.home.id, ...addForeignIds(caller, world.foreign.belongings.workspaceId)],
      },
    ]);
  });
});
