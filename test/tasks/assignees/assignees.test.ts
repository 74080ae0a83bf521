// This file is long because its tests share the function that creates a task with several assignees.
import { describe, expect, it } from 'vitest';
import { saveTaskTemplate } from '../../../src/templates/operations/save-template.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person } from '../../support/world.ts';

type PersonName = 'owner' | 'admin' | 'lead' | 'member' | 'client';

async function createSharedTask(...names: PersonName[]) {
  const world = await createWorld();
  const { people, projects } = world;
  const ids = names.map((name) => people[name].userId);
  const task = await createTask(people.lead, projects.joined.id, { name: 'Launch', assigneeIds: ids });
  const call = api(people.lead.token);
  const read = async () => {
    const { body } = await call.get(`/tasks/${task.id}?expand=assignees`);
    return body.assignees.map(({ id }: { id: string }) => id);
  };
  return { world, people, project: projects.joined.id, id: task.id, task, call, read };
}

const getIds = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);
const expectConsistency = async (world: Awaited<ReturnType<typeof createWorld>>) =>
  expect([await findCounterDrift(world), await findInconsistencies([0])]).toEqual([[], []]);

describe("a task's assignees", () => {
  it('are returned only with expand=assignees, and the first of them is also returned as the assignee', async () => {
    const { people, task, id, call } = await createSharedTask('member', 'admin', 'client');
    const { member, admin, client } = people;
    const everyone = [member, admin, client].map(({ userId, name, email }) => ({ id: userId, name, email }));
    expect(task).not.toHaveProperty('assignees');
    expect(task).toMatchObject({ assignee: everyone[0] });
    expect((await call.get(`/tasks/${id}`)).body).not.toHaveProperty('assignees');
    expect((await call.get(`/tasks/${id}?expand=assignees`)).body.assignees).toEqual(everyone);
    const trimmed = await call.get(`/tasks/${id}?expand=assignees&fields=id,assignees`);
    expect(trimmed.body).toEqual({ id, assignees: everyone });
    for (const expand of ['assignees', 'assignees,detail', 'assignees,structure']) {
      const { body } = await call.get(`/tasks?ids=${id}&limit=10&expand=${expand}`);
      expect(body.data).toMatchObject([{ id, assignees: everyone }]);
    }
    for (const path of [`/tasks/${id}?fields=assignees`, '/tasks?fields=assignees&expand=structure']) {
      const rejected = await call.get(path);
      expect([rejected.status, rejected.body.error.message]).toEqual([
        400,
        expect.stringContaining('expand=assignees'),
      ]);
    }
  });

  it('are all replaced by assigneeIds, while assigneeId replaces only the first', async () => {
    const { world, people, id, call, read } = await createSharedTask('member', 'admin');
    const { lead, member, admin, client, owner } = people;
    const patchTask = async (body: Record<string, unknown>) => {
      const { status, body: answer } = await call.patch(`/tasks/${id}`, body);
      expect(status, JSON.stringify(answer)).toBe(200);
      return [answer.assignee?.id ?? null, await read()];
    };
    const getUserIds = (...of: Person[]) => of.map(({ userId }) => userId);
    expect(await patchTask({ assigneeId: client.userId })).toEqual([
      client.userId,
      getUserIds(client, admin),
    ]);
    expect(await patchTask({ assigneeId: admin.userId })).toEqual([admin.userId, getUserIds(admin)]);
    expect(await patchTask({ assigneeIds: getUserIds(member, lead, owner) })).toEqual([
      member.userId,
      getUserIds(member, lead, owner),
    ]);
    expect(await patchTask({ assigneeId: null })).toEqual([lead.userId, getUserIds(lead, owner)]);
    expect(await patchTask({ name: 'Other' })).toEqual([lead.userId, getUserIds(lead, owner)]);
    expect(await patchTask({ assigneeIds: getUserIds(owner, lead) })).toEqual([
      owner.userId,
      getUserIds(owner, lead),
    ]);
    expect(await patchTask({ assigneeIds: [] })).toEqual([null, []]);
    expect(await patchTask({ assigneeId: client.userId })).toEqual([client.userId, getUserIds(client)]);
    await expectConsistency(world);
  });

  it('are rejected before any write if the list is invalid or conflicts with assigneeId', async () => {
    const { world, people, project, id, call, read } = await createSharedTask('member', 'admin');
    const stranger = (await createWorld()).people.member.userId;
    const [a, b] = [people.member.userId, people.admin.userId];
    const bodies = [
      { assigneeIds: [a, b, a] },
      { assigneeIds: Array.from({ length: 11 }, (_, index) => `usr_${index}`) },
      { assigneeIds: [a, stranger] },
      { assigneeIds: [a], assigneeId: b },
      { assigneeIds: [a], assigneeId: null },
      { assigneeIds: null },
    ];
    for (const body of bodies) {
      const answers = [
        await call.post('/tasks', { projectId: project, name: 'x', ...body }),
        await call.patch(`/tasks/${id}`, body),
        await call.post('/tasks/bulk', { tasks: [{ projectId: project, name: 'x', ...body }] }),
        await call.patch('/tasks/bulk', { updates: [{ id, ...body }] }),
        await call.patch('/tasks/bulk', { ids: [id], set: body }),
      ];
      for (const { status, cost, headers } of answers) {
        expect([status, cost.rowsWritten, headers.get('Error-Field')]).toEqual([
          400,
          0,
          expect.stringMatching(/assigneeIds(\[\d+\])?$/),
        ]);
      }
    }
    await call.post(`/tasks/${id}/archive`);
    expect((await call.patch(`/tasks/${id}`, { assigneeIds: [b] })).status).toBe(400);
    expect(await read()).toEqual([a, b]);
    await expectConsistency(world);
  });

  it('can be set in bulk requests that create or change tasks', async () => {
    const { world, people, project, call } = await createSharedTask('member');
    const { lead, member, client, admin } = people;
    const made = await call.post('/tasks/bulk', {
      tasks: [
        { projectId: project, name: 'One', assigneeIds: [member.userId, client.userId] },
        { projectId: project, name: 'Two', assigneeId: lead.userId },
        { projectId: project, name: 'Three', assigneeIds: [] },
      ],
    });
    expect(made.status).toBe(201);
    const ids = made.body.data.map(({ task }: { task: { id: number } }) => task.id);
    const list = async () => {
      const { body } = await call.get(`/tasks?ids=${ids}&expand=assignees`);
      return body.data.map(({ assignees }: { assignees: { id: string }[] }) =>
        assignees.map(({ id }) => Object.values(people).find(({ userId }) => userId === id)?.role),
      );
    };
    expect(await list()).toEqual([[], ['lead'], ['member', 'client']]);
    await call.patch('/tasks/bulk', { ids, set: { assigneeIds: [admin.userId, member.userId] } });
    expect(await list()).toEqual(Array(3).fill(['admin', 'member']));
    const updates = [
      { id: ids[0], assigneeId: null },
      { id: ids[1], assigneeIds: [client.userId, lead.userId, admin.userId] },
      { id: ids[2], assigneeId: lead.userId, status: 'completed' },
    ];
    await call.patch('/tasks/bulk', { updates });
    expect(await list()).toEqual([['lead', 'member'], ['client', 'lead', 'admin'], ['member']]);
    await expectConsistency(world);
  });

  it('cost as many written rows for one person in assigneeIds as in assigneeId', async () => {
    const { people, project, id, call } = await createSharedTask('member');
    const create = (body: object) => call.post('/tasks', { projectId: project, name: 'Plain', ...body });
    const [one, same] = [
      await create({ assigneeId: people.client.userId }),
      await create({ assigneeIds: [people.client.userId] }),
    ];
    expect(same.cost.rowsWritten).toBe(one.cost.rowsWritten);
    expect(one.cost.rowsWritten).toBeLessThanOrEqual(24);
    expect(same.cost.trips).toBe(one.cost.trips);
    const ten = Object.values(people).map(({ userId }) => userId);
    expect((await create({ assigneeIds: ten })).cost.rowsWritten).toBeLessThanOrEqual(24 + 12 * 5);
    expect((await call.patch(`/tasks/${id}`, { status: 'completed' })).cost.rowsWritten).toBeLessThanOrEqual(
      24,
    );
  });
});

describe('assignees other than the first', () => {
  it('can see the task even if they are clients, and can find it with filters', async () => {
    const { world, people, id, call, project } = await createSharedTask('member', 'admin');
    const elsewhere = await createTask(people.owner, world.projects.other.id, {
      assigneeIds: [people.owner.userId, people.client.userId],
    });
    const client = api(people.client.token);
    expect((await client.get(`/tasks/${elsewhere.id}`)).status).toBe(200);
    expect(getIds(await client.get('/tasks?assigneeId=me'))).toEqual([elsewhere.id]);
    const { member, admin } = people;
    for (const scope of ['all', 'mine']) {
      for (const sort of ['created', 'due', 'updated']) {
        const list = (filter: string) => call.get(`/tasks?scope=${scope}&sort=${sort}&${filter}`);
        for (const filter of [
          `assigneeId=${admin.userId}`,
          `assigneeId=${member.userId},${admin.userId}`,
          `assigneeId=${admin.userId},none&projectId=${project}`,
          `assigneeId=${admin.userId}&parentId=none`,
          `assigneeId=${admin.userId}&dueTo=2999-01-01`,
        ]) {
          const { body } = await list(filter);
          const expected = filter.includes('dueTo') ? [] : [id];
          expect([getIds({ body }), body.meta.total], `${scope} ${sort} ${filter}`).toEqual([
            expected,
            expected.length,
          ]);
        }
      }
    }
    await call.patch(`/tasks/${id}`, { assigneeIds: [] });
    expect((await call.get(`/tasks?assigneeId=${admin.userId}&scope=all`)).body.meta.total).toBe(0);
    expect(getIds(await call.get(`/tasks?assigneeId=none&projectId=${project}`))).toEqual([id]);
  });

  it('are each notified once, unless they were already assigned', async () => {
    const { people, id, call } = await createSharedTask('member', 'client');
    const listTypes = async (person: Person) => {
      const { body } = await api(person.token).get('/notifications');
      return body.data.map(({ type }: { type: string }) => type);
    };
    expect([await listTypes(people.member), await listTypes(people.client)]).toEqual([
      ['task_assigned'],
      ['task_assigned'],
    ]);
    await call.patch(`/tasks/${id}`, {
      assigneeIds: [people.client, people.member, people.admin, people.lead].map(({ userId }) => userId),
    });
    expect(await listTypes(people.member)).toEqual(['task_assigned']);
    expect(await listTypes(people.client)).toEqual(['task_assigned']);
    expect(await listTypes(people.admin)).toEqual(['task_assigned']);
    expect(await listTypes(people.lead)).toEqual([]);
    await call.patch(`/tasks/${id}`, { assigneeId: people.admin.userId });
    expect(await listTypes(people.admin)).toEqual(['task_assigned']);
    await call.patch(`/tasks/${id}`, { status: 'completed' });
    expect(await listTypes(people.admin)).toEqual(['task_status_changed', 'task_assigned']);
  });

  it('can see the task after an edit adds them', async () => {
    const { world, people, id, call, read } = await createSharedTask('lead', 'member');
    await call.patch(`/tasks/${id}`, { assigneeIds: [people.lead.userId, people.client.userId] });
    expect((await api(people.client.token).get(`/tasks/${id}`)).status).toBe(200);
    expect(await read()).toEqual([people.lead.userId, people.client.userId]);
    await expectConsistency(world);
  });
});

describe('a filter by assignee', () => {
  it('matches tasks with several assignees, and can be combined with other filters', async () => {
    const { world, people, project, id, call } = await createSharedTask('member', 'client');
    const field = await createField(world, 'checkbox', 'Approved');
    await addFieldsToProject(world, project, [field]);
    await call.patch(`/tasks/${id}`, {
      tags: ['press'],
      deadline: '2030-05-06',
      customFields: { [`cf_${field}`]: true },
    });
    const blocker = await createTask(people.lead, project);
    await call.post(`/tasks/${blocker.id}/relations`, { type: 'blocks', taskId: id });
    const filters = [
      'tags=press',
      `cf_${field}=true`,
      'isBlocked=true',
      'parentId=none',
      'dueTo=2030-12-31',
      'updatedSince=2020-01-01T00:00:00Z',
      'search=launch',
      `projectId=${project}`,
    ];
    for (const filter of [...filters, filters.filter((each) => !each.startsWith('cf')).join('&')]) {
      for (const sort of ['created', 'due', 'updated']) {
        const query = `/tasks?assigneeId=${people.client.userId}&${filter}&sort=${sort}`;
        for (const person of [people.lead, people.client]) {
          if (person === people.client && filter.includes('isBlocked')) continue;
          const found = await api(person.token).get(query);
          expect([query, found.status, found.body.meta?.total, getIds(found)]).toEqual([query, 200, 1, [id]]);
        }
      }
    }
  });
});

describe('the history of a task with several assignees', () => {
  it('records the first assignee if it changes, and the whole list if other assignees change', async () => {
    const { people, id, call } = await createSharedTask('member');
    const { member, admin, client } = people;
    const readHistory = async () => {
      const { body } = await call.get(`/tasks/${id}/activities`);
      return body.data.map(({ type, from, to }: Record<string, string>) => [type, from, to]);
    };
    await call.patch(`/tasks/${id}`, { assigneeId: client.userId });
    expect((await readHistory())[0]).toEqual(['assignee_changed', member.userId, client.userId]);
    await call.patch(`/tasks/${id}`, { assigneeIds: [client.userId, admin.userId] });
    expect((await readHistory())[0]).toEqual([
      'assignees_changed',
      client.userId,
      `${client.userId}, ${admin.userId}`,
    ]);
    await call.patch(`/tasks/${id}`, { assigneeId: null });
    expect((await readHistory()).slice(0, 2)).toEqual([
      ['assignees_changed', `${client.userId}, ${admin.userId}`, admin.userId],
      ['assignee_changed', client.userId, admin.userId],
    ]);
  });
});

describe('assignees', () => {
  it('are copied with a task and its subtasks', async () => {
    const { world, people, id, call, project } = await createSharedTask('member', 'admin', 'client');
    await createTask(people.lead, project, {
      parentId: id,
      assigneeIds: [people.client.userId, people.lead.userId],
    });
    await api(people.owner.token).get('/me');
    const copy = await call.post(`/tasks/${id}/duplicate?include=subtasks`);
    expect(copy.status).toBe(201);
    const { body } = await call.get(`/tasks/${copy.body.id}?expand=assignees`);
    expect(body.assignees.map(({ name }: { name: string }) => name)).toEqual(
      [people.member, people.admin, people.client].map(({ name }) => name),
    );
    const children = await call.get(`/tasks/${copy.body.id}/subtasks?expand=assignees`);
    expect(children.body.data[0].assignees).toHaveLength(2);
    await expectConsistency(world);
  });

  it('are copied to the next task of a series', async () => {
    const { world, people, id, call, project } = await createSharedTask('member', 'admin', 'client');
    await createTask(people.lead, project, {
      parentId: id,
      assigneeIds: [people.client.userId, people.lead.userId],
    });
    await call.put(`/tasks/${id}/recurrence`, { rule: 'FREQ=DAILY', mode: 'completion', days: 7 });
    await call.patch(`/tasks/${id}`, { status: 'completed' });
    const { nextId } = (await call.get(`/tasks/${id}/recurrence`)).body;
    const { body } = await call.get(`/tasks/${nextId}?expand=assignees`);
    expect(body.assignees.map(({ name }: { name: string }) => name)).toEqual(
      [people.member, people.admin, people.client].map(({ name }) => name),
    );
    const children = await call.get(`/tasks/${nextId}/subtasks?expand=assignees`);
    expect(children.body.data[0].assignees).toHaveLength(2);
    await expectConsistency(world);
  });

  it('can be chosen when a task is created from a template, and default to none', async () => {
    const { world, people, id, call, project } = await createSharedTask('member', 'admin');
    const template = await runForm(people.lead.token, saveTaskTemplate, { id });
    const create = (input: object) =>
      call.post('/tasks', { projectId: project, templateId: template.body.id, ...input });
    const readAssignees = async (input: object) => {
      const { body } = await call.get(`/tasks/${(await create(input)).body.id}?expand=assignees`);
      return body.assignees.map((person: { id: string }) => person.id);
    };
    expect(await readAssignees({})).toEqual([]);
    const assigneeIds = [people.client.userId, people.lead.userId];
    expect(await readAssignees({ assigneeIds })).toEqual(assigneeIds);
    expect((await create({ assigneeIds, assigneeId: people.lead.userId })).status).toBe(400);
    await expectConsistency(world);
  });
});
