// This file is long because all lists are compared for every role in one world, which is slow to create.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { type Body, compareLists, type Id, readIds } from './comparison.ts';
import { type Inventory, type Item, takeInventory } from './inventory.ts';
import * as oracle from './oracle.ts';
import { type Cast, createStage, DAY, insertNotification, type Place, SECRET, type Stage } from './world.ts';

let stage: Stage;
let inventory: Inventory;

// A test makes up to thousands of comparisons.
vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  stage = await createStage();
  inventory = await takeInventory(stage);
});

/**
 * Tasks of the home workspace. The visitor sees none of them, because their credentials are for the other workspace.
 */
function filterTaskIds(
  cast: Cast,
  isShown: (relation: oracle.Relation, item: Item) => boolean,
  isArchived = false,
): number[] {
  if (!cast.actor.isBoundHere) return [];
  return inventory.items
    .filter((item) => item.isArchived === isArchived && isShown(item.relationOf(cast), item))
    .map((item) => item.task);
}

function listPlaces(cast: Cast): { place: Place; relation: oracle.Relation }[] {
  const all = [stage.ground, ...stage.cast.flatMap((each) => each.places)];
  return all.map((place) => ({ place, relation: cast.places.includes(place) ? place.relation : 'none' }));
}

const addForeignIds = (cast: Cast, ...found: Id[]): Id[] => (cast.actor.isBoundHere ? [] : found);

describe('a list contains exactly the items that the documented access rules allow', () => {
  it('for GET /tasks, with any scope, search, assignee and archived state', async ({ task }) => {
    task.meta.cells = await compareLists(stage, 'tasks:read', (cast, kind) => {
      const { actor } = cast;
      const sees = (relation: oracle.Relation) => oracle.seesTask(actor, relation);
      const isMine = (relation: oracle.Relation) => oracle.isInScopeMine(actor, relation);
      const foreign = addForeignIds(cast, stage.foreign.task, stage.foreign.meetingTask);
      const all = [...filterTaskIds(cast, sees), ...foreign];
      // The visitor hasn't joined any project of the other workspace.
      const mine = filterTaskIds(cast, isMine);
      const host = stage.host.userId;
      return [
        { path: '/tasks?limit=100', ids: kind === 'session' ? mine : all },
        { path: '/tasks?limit=100&scope=all', ids: all },
        { path: '/tasks?limit=100&mine=false', ids: all },
        { path: '/tasks?limit=100&scope=mine', ids: mine },
        { path: '/tasks?limit=100&mine=true', ids: mine },
        { path: '/tasks?limit=100&scope=all&mine=true', ids: all },
        { path: `/tasks?limit=100&scope=all&search=${SECRET}`, ids: all },
        { path: '/tasks?limit=100&scope=all&search=zy', ids: all },
        { path: `/tasks?limit=100&scope=mine&search=${SECRET.toUpperCase()}`, ids: mine },
        { path: '/tasks?limit=100&scope=all&isArchived=true', ids: filterTaskIds(cast, sees, true) },
        { path: '/tasks?limit=100&scope=mine&isArchived=true', ids: filterTaskIds(cast, isMine, true) },
        {
          path: '/tasks?limit=100&scope=all&isArchived=true&search=old',
          ids: filterTaskIds(cast, sees, true),
        },
        {
          path: `/tasks?limit=100&scope=all&assigneeId=${cast.person.userId}`,
          ids: filterTaskIds(
            cast,
            (relation, item) =>
              sees(relation) && [item.assignee, item.secondAssignee].includes(cast.person.userId),
          ),
        },
        {
          path: `/tasks?limit=100&scope=all&search=${SECRET}&assigneeId=${host}`,
          ids: filterTaskIds(cast, (relation, item) => sees(relation) && item.assignee === host),
          isRefused: !actor.isBoundHere,
        },
      ];
    });
  });

  it('for GET /tasks of one project, whatever the scope', async ({ task }) => {
    task.meta.cells = await compareLists(stage, 'tasks:read', (cast) =>
      [...cast.places, stage.ground, stage.foreign].flatMap((place) => {
        const isForeign = place === stage.foreign;
        const found = isForeign
          ? addForeignIds(cast, place.task, place.meetingTask)
          : filterTaskIds(
              cast,
              (relation, item) => item.project === place.project && oracle.seesTask(cast.actor, relation),
            );
        return ['', '&scope=mine', '&scope=all', `&search=${SECRET}`].map((query) => ({
          path: `/tasks?limit=100&projectId=${place.project}${query}`,
          ids: found,
        }));
      }),
    );
  });

  it('for GET /projects', async ({ task }) => {
    task.meta.cells = await compareLists(stage, 'projects:read', (cast) => {
      const relations = new Map(inventory.items.map((item) => [item.project, 'none' as oracle.Relation]));
      for (const { place, relation } of listPlaces(cast)) relations.set(place.project, relation);
      const shown = (isShown: (actor: oracle.Actor, relation: oracle.Relation) => boolean) =>
        [...relations].filter(([, relation]) => isShown(cast.actor, relation)).map(([id]) => id);
      const all = [...shown(oracle.seesProject), ...addForeignIds(cast, stage.foreign.project)];
      return [
        { path: '/projects?limit=100', ids: all },
        { path: '/projects?limit=100&scope=all&expand=members', ids: all },
        { path: '/projects?limit=100&scope=mine', ids: shown(oracle.isProjectMember) },
      ];
    });
  });

  it('for subresources of a project or a task', async ({ task }) => {
    const cells = await compareLists(stage, 'projects:read', (cast) =>
      cast.places
        .filter(({ relation }) => oracle.seesProject(cast.actor, relation))
        .map(({ project, relation }) => ({
          path: `/projects/${project}/members`,
          ids: [
            stage.host.userId,
            ...(oracle.isProjectMember(cast.actor, relation) ? [cast.person.userId] : []),
          ],
        })),
    );
    const more = await compareLists(stage, 'tasks:read', (cast) =>
      cast.places
        .filter(({ relation }) => oracle.seesTask(cast.actor, relation))
        .flatMap(({ project, task, comment, taskFile, projectFile, relation }) => [
          { path: `/tasks/${task}/comments`, ids: [comment] },
          { path: `/tasks/${task}`, ids: [comment], read: (body: Body) => readIds({ data: body.comments }) },
          { path: `/tasks/${task}/attachments`, ids: [taskFile] },
          ...(oracle.seesProject(cast.actor, relation)
            ? [{ path: `/projects/${project}/attachments`, ids: [projectFile] }]
            : []),
        ]),
    );
    task.meta.cells = cells + more;
  });

  it('for GET /meetings', async ({ task }) => {
    task.meta.cells = await compareLists(stage, 'tasks:read', (cast) => {
      const lists = ({ relation }: { relation: oracle.Relation }) =>
        oracle.listsMeeting(cast.actor, relation);
      const all = [
        ...listPlaces(cast)
          .filter(lists)
          .map(({ place }) => place.meeting),
        ...addForeignIds(cast, stage.foreign.meeting),
      ];
      return [
        { path: '/meetings?limit=100', ids: all },
        { path: `/meetings?limit=100&from=${DAY}&to=${DAY}&order=desc`, ids: all },
        ...cast.places.map((place) => ({
          path: `/meetings?projectId=${place.project}`,
          ids: lists(place) ? [place.meeting] : [],
        })),
        {
          path: `/meetings?projectId=${stage.foreign.project}`,
          ids: addForeignIds(cast, stage.foreign.meeting),
        },
      ];
    });
  });

  it('for reference data and people', async ({ task }) => {
    const { home } = stage;
    task.meta.cells = await compareLists(stage, 'projects:read', ({ actor, person }) => {
      if (!actor.isBoundHere) {
        return [
          { path: '/users?limit=100', ids: [person.userId, stage.foreign.belongings.userId] },
          { path: '/teams', ids: [] },
        ];
      }
      return [
        { path: '/users?limit=100', ids: inventory.people.map((each) => each.userId) },
        { path: '/teams', ids: inventory.teams },
        { path: '/task-categories', ids: home.categories.map((each) => each.id) },
        { path: '/task-types', ids: home.categories.map((each) => each.typeId) },
        { path: `/task-types?categoryId=${stage.foreign.belongings.category}`, ids: [] },
      ];
    });
  });
});

describe('a cursor that was issued to someone else', () => {
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
    for (const _ of [1, 2]) await insertNotification(stage.home, stage.host);
    const wrong: string[] = [];
    let cells = 0;
    for (const path of paths) {
      const { headers } = await api(stage.host.token).get(`${path}&limit=1`);
      const cursor = /[?&]cursor=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1];
      expect(cursor, path).toBeDefined();
      for (const { actor, bound } of stage.cast) {
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
  const isShown = (cast: Cast) => (relation: oracle.Relation, item: Item) =>
    oracle.isOnDashboard(cast.actor, relation) || (cast.actor.role === 'lead' && item.isOfTeam);
  const shownTo = (cast: Cast, filter: (item: Item) => boolean = () => true) => [
    ...filterTaskIds(cast, (relation, item) => isShown(cast)(relation, item) && filter(item)),
  ];
  const foreignTasks = (cast: Cast) => addForeignIds(cast, stage.foreign.task, stage.foreign.meetingTask);

  it('for GET /dashboard/tasks', async ({ task }) => {
    task.meta.cells = await compareLists(stage, 'dashboard:read', (cast) => {
      const all = [...shownTo(cast), ...foreignTasks(cast)];
      const mates = inventory.teamMates.map((each) => each.userId);
      const ofMates = shownTo(cast, (item) => mates.includes(String(item.assignee)));
      const lead = stage.cast.find(({ actor }) => actor.role === 'lead')?.person.userId;
      const ofTeam = shownTo(cast, (item) => [...mates, lead].includes(String(item.assignee)));
      return [
        ...['due', 'created', 'name', 'status'].map((sort) => ({
          path: `/dashboard/tasks?limit=100&localDate=${DAY}&sort=${sort}`,
          ids: all,
        })),
        { path: `/dashboard/tasks?limit=100&search=${SECRET}`, ids: all },
        { path: `/dashboard/tasks?limit=100&from=${DAY}&to=${DAY}`, ids: all },
        { path: `/dashboard/tasks?limit=100&assigneeId=${mates.join()}`, ids: ofMates },
        { path: `/dashboard/tasks?limit=100&teamId=${inventory.teams[0]}`, ids: ofTeam },
        { path: `/dashboard/tasks?limit=100&teamId=${inventory.teams[1]}&assigneeId=${mates[0]}`, ids: [] },
        ...cast.places.map((place) => ({
          path: `/dashboard/tasks?limit=100&projectId=${place.project}`,
          ids: shownTo(cast, (item) => item.project === place.project),
        })),
        ...cast.places.map((place) => ({
          path: `/dashboard/tasks?taskId=${place.task}`,
          ids: shownTo(cast, (item) => item.task === place.task),
        })),
        { path: `/dashboard/tasks?projectId=${stage.foreign.project}`, ids: foreignTasks(cast) },
      ];
    });
  });

  it('for GET /dashboard/stats', async ({ task }) => {
    const counts = (found: readonly Id[], projects: number) =>
      [found.length, projects].map((n, at) => `${at}:${n}`);
    const read = (body: Body) => [`0:${body.dueToday}`, `1:${body.projects}`];
    task.meta.cells = await compareLists(stage, 'dashboard:read', (cast) => {
      const isAdmin = cast.actor.role === 'owner' || cast.actor.role === 'admin';
      const isHere = cast.actor.isBoundHere;
      const projectsHere = new Set(inventory.items.map((item) => item.project)).size;
      const projects = isHere ? (isAdmin ? projectsHere : 2) : 1;
      const path = `/dashboard/stats?localDate=${DAY}`;
      return [
        { path, ids: counts([...shownTo(cast), ...foreignTasks(cast)], projects), read },
        ...cast.places.map((place) => {
          const found = shownTo(cast, (item) => item.project === place.project);
          const isCounted = isHere && (isAdmin || oracle.isProjectMember(cast.actor, place.relation));
          return {
            path: `${path}&projectId=${place.project}`,
            ids: counts(found, isCounted ? 1 : 0),
            read,
          };
        }),
      ];
    });
  });

  it('for GET /dashboard/comments', async ({ task }) => {
    task.meta.cells = await compareLists(stage, 'dashboard:read', (cast) => {
      const remarks = inventory.items
        .filter(
          (item) => item.comment !== undefined && cast.actor.isBoundHere && cast.actor.role !== 'client',
        )
        .filter((item) => isShown(cast)(item.relationOf(cast), item))
        .map((item) => item.comment as number);
      const all = [...remarks, ...addForeignIds(cast, stage.foreign.comment)];
      return [
        { path: '/dashboard/comments?limit=100', ids: all },
        { path: `/dashboard/comments?limit=100&search=${SECRET}`, ids: all },
      ];
    });
  });

  it('for GET /dashboard/workload', async ({ task }) => {
    const read = (body: Body) => body.workloads.map((each: { user: { id: string } }) => each.user.id);
    task.meta.cells = await compareLists(stage, 'dashboard:read', (cast) => {
      const { actor, person } = cast;
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
      const all = actor.isBoundHere ? shown : [stage.foreign.belongings.userId];
      return [
        { path: '/dashboard/workload', ids: all, read },
        { path: `/dashboard/workload?mode=monthly&from=${DAY}`, ids: all, read },
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
    for (const { person } of stage.cast) {
      const row = await env.CELL_0.prepare(
        'SELECT count(*) AS "all", total(read_at IS NULL) AS unread FROM notifications WHERE user_id = ?',
      )
        .bind(person.userId)
        .first<{ all: number; unread: number }>();
      truth.set(person.userId, row ?? { all: 0, unread: 0 });
    }
    task.meta.cells = await compareLists(stage, 'notifications:read', ({ person }) => {
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
    const taskOf = ({ actor, places }: Cast) =>
      actor.isBoundHere ? places.find((each) => each.relation === 'joined')?.task : stage.foreign.task;
    for (const cast of stage.cast) await api(cast.bound.token).post('/timer/start', { taskId: taskOf(cast) });
    task.meta.cells = await compareLists(stage, 'time:read', (cast) => {
      const own = [Number(taskOf(cast))];
      // Each person has a running entry and an older entry on the same task. The visitor has only one entry, in the
      // other workspace.
      const logged = cast.actor.isBoundHere ? [...own, ...own] : own;
      const entries = (body: Body) => body.data.map((each: { taskId: number }) => each.taskId);
      return [
        { path: '/timer/current', ids: own, read: (body) => [body.taskId] },
        { path: '/timer/entries', ids: logged, read: entries },
        { path: `/timer/entries?taskId=${stage.ground.task}`, ids: [], read: entries },
        {
          path: '/timer/stats',
          ids: own,
          read: (body) => body.tasks.map((each: { taskId: number }) => each.taskId),
        },
      ];
    });
  });

  it("contain only the caller's webhooks, or all webhooks for owners and admins", async ({ task }) => {
    const ids = async (condition: string, ...params: unknown[]) =>
      (
        await env.CELL_0.prepare(`SELECT id FROM webhooks WHERE ${condition}`)
          .bind(...params)
          .all<{ id: number }>()
      ).results.map(({ id }) => id);
    const shown = new Map<Cast, number[]>();
    for (const cast of stage.cast) {
      const { role, isBoundHere } = cast.actor;
      const isAdmin = role === 'owner' || role === 'admin';
      const { no } = stage.home;
      const all = isBoundHere ? await ids('ws = ?', no) : await ids('ws <> ? AND member <> ?', no, 0);
      const own = await ids('member = ?', cast.bound.member);
      shown.set(cast, role === 'client' ? [] : isAdmin ? all : own);
    }
    task.meta.cells = await compareLists(stage, 'webhooks:write', (cast) => [
      { path: '/webhooks?limit=100', ids: shown.get(cast) ?? [] },
    ]);
  });

  it("contain only the caller's own connected apps and workspaces", async ({ task }) => {
    const apps = new Map<Cast, number[]>();
    for (const cast of stage.cast) {
      const { results } = await env.CELL_0.prepare('SELECT id FROM credentials WHERE member = ?')
        .bind(cast.bound.member)
        .all<{ id: number }>();
      apps.set(
        cast,
        results.map((each) => each.id),
      );
    }
    task.meta.cells = await compareLists(stage, 'session', (cast) => [
      { path: '/connected-apps?limit=100', ids: apps.get(cast) ?? [] },
      {
        path: '/workspaces',
        ids: [stage.home.id, ...addForeignIds(cast, stage.foreign.belongings.workspaceId)],
      },
    ]);
  });
});
