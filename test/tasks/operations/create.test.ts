import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { addPerson, createTask, createWorkspace, createWorld } from '../../support/world.ts';

describe('POST /tasks', () => {
  it("uses the documented defaults for fields that aren't sent", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { status, body } = await api(member.token).post('/tasks', {
      projectId: world.projects.joined.id,
      name: '  Verbatim ✓ <b>title</b>  ',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: '  Verbatim ✓ <b>title</b>  ',
      status: 'todo',
      priority: 'medium',
      assignee: null,
      project: world.projects.joined,
      tags: [],
      deadline: null,
      startDate: null,
      description: null,
      isArchived: false,
      category: null,
      type: null,
      comments: [],
      createdBy: { id: member.userId },
    });
    expect(body.followers.map((each: { id: string }) => each.id)).toEqual([member.userId]);
  });

  it('stores the fields that are sent, and sets the category that the type belongs to', async () => {
    const world = await createWorld();
    const { member, lead } = world.people;
    const [category] = world.categories;
    const task = await createTask(member, world.projects.joined.id, {
      description: '<p>Hello <strong>there</strong></p>',
      status: 'internal_review',
      priority: 'high',
      assigneeId: lead.userId,
      typeId: category.typeId,
      startDate: '2024-02-29',
      deadline: '2027-01-01',
      customEstimatedHours: '12.50',
    });
    expect(task).toMatchObject({
      description: '<p>Hello <strong>there</strong></p>',
      status: 'internal_review',
      priority: 'high',
      assignee: { id: lead.userId, name: lead.name, email: lead.email },
      category: { id: category.id },
      type: { id: category.typeId },
      startDate: '2024-02-29',
      deadline: '2027-01-01',
      customEstimatedHours: '12.50',
    });
    const { body } = await api(member.token).get(`/tasks/${task.id}`);
    expect(body).toEqual(task);
  });

  it('removes scripts, event handlers and images from a description, and keeps its headings and links', async () => {
    const world = await createWorld();
    const task = await createTask(world.people.member, world.projects.joined.id, {
      description:
        '<h2>Plan</h2><script>alert(1)</script><a href="javascript:alert(1)" onclick="x()">a</a><a href="https://example.com">b</a><img src=x onerror=alert(1)>',
    });
    expect(task.description).toContain('<h2>Plan</h2>');
    expect(task.description).toContain('<a href="https://example.com">b</a>');
    expect(task.description).not.toMatch(/script|onclick|onerror|<img/i);
  });

  it('notifies the assignee, unless they created the task', async () => {
    const world = await createWorld();
    const { member, lead } = world.people;
    await createTask(member, world.projects.joined.id, { assigneeId: lead.userId });
    await createTask(lead, world.projects.joined.id, { assigneeId: lead.userId });
    const { body } = await api(lead.token).get('/notifications');
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      type: 'task_assigned',
      isRead: false,
      actor: { id: member.userId },
    });
    expect((await api(member.token).get('/notifications/count')).body).toEqual({ count: 0 });
  });

  it('rejects invalid input with an error that names the field and the reason, and writes nothing', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const elsewhere = await createWorkspace();
    const outsider = await addPerson(elsewhere, 'outsider', 'member');
    const [design, development] = world.categories;
    const projectId = world.projects.joined.id;
    const before = await readAllContents();
    const rejections: [Record<string, unknown>, string][] = [
      [{}, 'projectId is required (an integer); name is required (a string)'],
      [{ projectId }, 'name is required (a string)'],
      [{ name: 'x' }, 'projectId is required'],
      [{ projectId, name: '   ' }, 'name must not be blank'],
      [{ projectId, name: 'x'.repeat(501) }, 'at most 500 characters'],
      [
        { projectId, name: 'x', priority: 'urgent' },
        "priority must be one of low, medium, high; got 'urgent'",
      ],
      [{ projectId, name: 'x', status: 'in-progress' }, "did you mean 'in_progress'?"],
      [{ projectId, name: 'x', titel: 'y' }, "unknown field 'titel'"],
      [{ projectId, name: 'x', deadline: '2026-02-30' }, 'deadline must be a real date'],
      [{ projectId, name: 'x', startDate: '2026-2-3' }, 'startDate must be a real date'],
      [{ projectId, name: 'x', customEstimatedHours: '10000' }, 'customEstimatedHours must be decimal hours'],
      [{ projectId, name: 'x', customEstimatedHours: 5 }, 'customEstimatedHours must be a string'],
      [{ projectId, name: 'x', assigneeId: outsider.userId }, 'is not a member of this workspace'],
      [{ projectId, name: 'x', categoryId: 99_999_999 }, 'is not a category in this workspace'],
      [{ projectId, name: 'x', typeId: 99_999_999 }, 'is not a type in this workspace'],
      [{ projectId, name: 'x', categoryId: design.id, typeId: development.typeId }, 'belongs to category'],
      [{ projectId: '7', name: 'x' }, "projectId must be an integer; got '7'"],
    ];
    for (const [body, message] of rejections) {
      const answer = await api(member.token).post('/tasks', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain(message);
    }
    const invisible = await api(world.people.client.token).post('/tasks', {
      projectId: world.projects.other.id,
      name: 'x',
    });
    expect([invisible.status, invisible.body.error.code]).toEqual([404, 'not_found']);
    for (const raw of ['{', '[]', '"x"', 'null', '{"projectId": 1']) {
      expect((await api(member.token).post('/tasks', raw)).status).toBe(400);
    }
    expect(await readAllContents()).toEqual(before);
  });
});
