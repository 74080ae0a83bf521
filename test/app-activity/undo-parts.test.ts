import { beforeAll, describe, expect, it } from 'vitest';
import { getAppSession } from '../../src/app-activity/app-sessions.ts';
import { undoAppSession } from '../../src/app-activity/undo-session.ts';
import { callTool } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { connectApp, type OwnApp } from './connect-app.ts';

let world: World;
let member: Person;
let lead: Person;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  ({ member, lead } = world.people);
  project = world.projects.joined.id;
});

async function listSteps({ app }: OwnApp) {
  const { body } = await runForm(member.token, getAppSession, { app });
  return body.steps.map(({ label, outcome, reason }: Record<string, unknown>) =>
    reason === null ? [label, outcome] : [label, outcome, reason],
  );
}

async function undoApp({ app }: OwnApp) {
  const { body, status } = await runForm(member.token, undoAppSession, { app });
  expect(status).toBe(200);
  return body;
}

const createTaskAsLead = async (name = 'Task') => (await createTask(lead, project, { name })).id;
const readBody = async (path: string) => (await api(lead.token).get(path)).body;
const describeLaterChange = () => `${lead.name} changed it later.`;

describe("undoing an app's checklist changes", () => {
  it('restores the items with their ids and order', async () => {
    const id = await createTaskAsLead();
    const items = [{ text: 'One' }, { text: 'Two', isDone: true }, { text: 'Three' }];
    await api(lead.token).put(`/tasks/${id}/checklist`, { items });
    const before = await readBody(`/tasks/${id}/checklist`);
    const app = await connectApp(world, member);
    await api(app.token).patch(`/tasks/${id}/checklist/items/1`, { isDone: true });
    await api(app.token).delete(`/tasks/${id}/checklist/items/2`);
    await callTool(app.token, 'update_task', { updates: [{ id, checklist: ['[x] Four', 'One'] }] });
    expect(await listSteps(app)).toEqual([['Checklist', 'undo']]);
    expect(await undoApp(app)).toMatchObject({ undone: 1, impossible: 0, hasMore: false });
    expect(await readBody(`/tasks/${id}/checklist`)).toEqual(before);
    expect(await listSteps(app)).toEqual([['Checklist', 'done']]);
    expect(await undoApp(app)).toMatchObject({ undone: 0 });
  });

  it('keeps a checklist that someone else has since changed', async () => {
    const id = await createTaskAsLead();
    const app = await connectApp(world, member);
    await api(app.token).post(`/tasks/${id}/checklist/items`, { text: 'By the app' });
    await api(lead.token).patch(`/tasks/${id}/checklist/items/1`, { isDone: true });
    expect(await listSteps(app)).toEqual([['Checklist', 'kept', describeLaterChange()]]);
    expect(await undoApp(app)).toMatchObject({ undone: 0, kept: 1 });
    expect((await readBody(`/tasks/${id}/checklist`)).items).toMatchObject([{ isDone: true }]);
  });
});

describe("undoing an app's changes to recurring tasks", () => {
  const weekly = { rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'schedule' };

  it('restores the previous recurrence rule, or removes a new rule', async () => {
    const [one, two] = [await createTaskAsLead(), await createTaskAsLead()];
    await api(lead.token).put(`/tasks/${one}/recurrence`, weekly);
    const app = await connectApp(world, member);
    await api(app.token).delete(`/tasks/${one}/recurrence`);
    await api(app.token).put(`/tasks/${two}/recurrence`, weekly);
    await api(app.token).put(`/tasks/${two}/recurrence`, { ...weekly, rule: 'FREQ=DAILY' });
    expect(await undoApp(app)).toMatchObject({ undone: 2, hasMore: false });
    expect(await readBody(`/tasks/${one}/recurrence`)).toMatchObject(weekly);
    expect((await api(lead.token).get(`/tasks/${two}/recurrence`)).status).toBe(404);
  });

  it("reports that a recurrence rule can't be restored once it has moved to the next task", async () => {
    const id = await createTaskAsLead();
    const app = await connectApp(world, member);
    await api(lead.token).put(`/tasks/${id}/recurrence`, { rule: 'FREQ=DAILY', mode: 'completion' });
    await api(app.token).patch(`/tasks/${id}`, { status: 'completed' });
    const steps = await listSteps(app);
    expect(steps).toContainEqual([
      'Recurrence',
      'impossible',
      expect.stringContaining('the rule has moved to the next task'),
    ]);
  });
});

describe("undoing an app's relation changes", () => {
  const listTypes = async (id: number) =>
    (await readBody(`/tasks/${id}/relations`)).data.map((each: { type: string; task: { id: number } }) => [
      each.type,
      each.task.id,
    ]);
  const relate = (token: string, id: number, type: string, taskId: number) =>
    api(token).post(`/tasks/${id}/relations`, { type, taskId });

  it('deletes new relations and restores deleted relations, even if the app changed them on the related task', async () => {
    const [one, two, three] = [await createTaskAsLead(), await createTaskAsLead(), await createTaskAsLead()];
    const { body: old } = await relate(lead.token, one, 'blocked_by', two);
    const app = await connectApp(world, member);
    await api(app.token).delete(
      `/tasks/${two}/relations/${(await readBody(`/tasks/${two}/relations`)).data[0].id}`,
    );
    expect(old.type).toBe('blocked_by');
    await callTool(app.token, 'update_task', { updates: [{ id: one, blockedBy: [three] }] });
    await relate(app.token, three, 'relates_to', two);
    expect(await undoApp(app)).toMatchObject({ undone: 2, hasMore: true });
    expect(await undoApp(app)).toMatchObject({ undone: 1, hasMore: false });
    expect(await listTypes(one)).toEqual([['blocked_by', two]]);
    expect(await listTypes(three)).toEqual([]);
    expect((await readBody(`/tasks/${one}?expand=structure`)).isBlocked).toBe(true);
    expect(await undoApp(app)).toMatchObject({ undone: 0, impossible: 0 });
  });

  it('restores several blockers that an agent replaced in one call', async () => {
    const [one, two, three, four] = [
      await createTaskAsLead(),
      await createTaskAsLead(),
      await createTaskAsLead(),
      await createTaskAsLead(),
    ];
    for (const id of [two, three]) await relate(lead.token, one, 'blocked_by', id);
    const app = await connectApp(world, member);
    await callTool(app.token, 'update_task', { updates: [{ id: one, blockedBy: [four] }] });
    let hasMore = true;
    for (let request = 0; hasMore && request < 5; request += 1) ({ hasMore } = await undoApp(app));
    expect((await listTypes(one)).toSorted()).toEqual([
      ['blocked_by', two],
      ['blocked_by', three],
    ]);
  });

  it("reports that a deleted relation can't be restored if it would create a cycle", async () => {
    const [one, two] = [await createTaskAsLead(), await createTaskAsLead()];
    const { body } = await relate(lead.token, one, 'blocks', two);
    const app = await connectApp(world, member);
    await api(app.token).delete(`/tasks/${one}/relations/${body.id}`);
    await relate(lead.token, two, 'blocks', one);
    expect(await listSteps(app)).toEqual([
      ['Deleted a relation', 'impossible', expect.stringContaining('would make a cycle')],
    ]);
    expect(await undoApp(app)).toMatchObject({ undone: 0, impossible: 1, hasMore: false });
    expect(await listTypes(one)).toEqual([['blocked_by', two]]);
  });
});
