// This file is long because its tests share a workspace with all eight types of custom fields.
import { beforeAll, describe, expect, it } from 'vitest';
import { undoTaskChanges } from '../../../src/tasks/bulk/undo.ts';
import {
  deleteCustomField,
  restoreCustomField,
  updateCustomField,
} from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField, createFields, type FieldIds } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let fields: FieldIds;
let values: Record<string, unknown>;

beforeAll(async () => {
  world = await createWorld();
  fields = await createFields(world);
  values = toValues(fields);
});

const toValues = (of: FieldIds): Record<string, unknown> => ({
  [`cf_${of.text}`]: 'Ada\u{1f600} "quoted"',
  [`cf_${of.number}`]: -12.5,
  [`cf_${of.date}`]: '2026-12-04',
  [`cf_${of.select}`]: 2,
  [`cf_${of.multi_select}`]: [3, 1],
  [`cf_${of.person}`]: world.people.client.userId,
  [`cf_${of.url}`]: 'https://example.com/a?b=c#d',
  [`cf_${of.checkbox}`]: false,
});
const createClient = () => api(world.people.member.token);
const getProjectId = () => world.projects.joined.id;
const readValues = async (id: number) =>
  (await createClient().get(`/tasks/${id}?expand=customFields`)).body.customFields;
const createTaskWithValues = async (customFields: unknown = values) =>
  createTask(world.people.member, getProjectId(), { customFields });
const buildEmptyValues = () => Object.fromEntries(Object.keys(values).map((key) => [key, null]));

describe('custom field values', () => {
  it('can be set when a task is created, and are returned with expand=customFields', async () => {
    const { id } = await createTaskWithValues();
    expect(await readValues(id)).toEqual(values);
    const plain = await createClient().get(`/tasks/${id}`);
    expect(Object.keys(plain.body)).not.toContain('customFields');
    const listed = await createClient().get(`/tasks?ids=${id}&expand=customFields`);
    expect(listed.body.data[0].customFields).toEqual(values);
    const detailed = await createClient().get(
      `/tasks?ids=${id}&expand=customFields,detail&fields=id,customFields`,
    );
    expect(detailed.body.data).toEqual([{ id, customFields: values }]);
    expect((await createClient().get(`/tasks?ids=${id}&fields=id,customFields`)).status).toBe(400);
    const empty = await createTask(world.people.member, getProjectId());
    expect(await readValues(empty.id)).toEqual(buildEmptyValues());
  });

  it('can be changed individually, and are cleared with null or an empty list', async () => {
    const { id } = await createTaskWithValues();
    const text = `cf_${fields.text}`;
    await createClient().patch(`/tasks/${id}`, { customFields: { [text]: 'Grace' } });
    expect(await readValues(id)).toEqual({ ...values, [text]: 'Grace' });
    const many = `cf_${fields.multi_select}`;
    await createClient().patch(`/tasks/${id}`, { customFields: { [text]: null, [many]: [] } });
    expect(await readValues(id)).toEqual({ ...values, [text]: null, [many]: null });
    await createClient().patch(`/tasks/${id}`, { customFields: buildEmptyValues() });
    expect(await readValues(id)).toEqual(buildEmptyValues());
  });

  it("increase the task's version only if they change", async () => {
    const { id } = await createTaskWithValues();
    const readTag = async () => (await createClient().get(`/tasks/${id}`)).headers.get('ETag');
    const before = await readTag();
    const same = await createClient().patch(`/tasks/${id}`, { customFields: values });
    expect([same.status, await readTag()]).toEqual([200, before]);
    const number = { [`cf_${fields.number}`]: 7 };
    expect(
      (await createClient().patch(`/tasks/${id}`, { customFields: number }, { 'If-Match': before ?? '' }))
        .status,
    ).toBe(200);
    expect(
      (await createClient().patch(`/tasks/${id}`, { customFields: values }, { 'If-Match': before ?? '' }))
        .status,
    ).toBe(412);
  });

  it.each([
    ['text', 7, 'must be a string'],
    ['text', ' ', 'must not be blank'],
    ['text', 'x'.repeat(501), 'must have at most 500 characters'],
    ['number', '7', 'must be a number'],
    ['number', 1e15, 'must be between'],
    ['date', '2026-02-30', 'must be a real date'],
    ['select', 4, 'must be one of 1 (Small), 2 (Medium), 3 (Large); got 4'],
    ['select', 'Small', 'must be one of 1 (Small)'],
    ['multi_select', 1, 'must be a list of option ids'],
    ['multi_select', [1, 9], 'must be one of 1 (Small)'],
    ['person', 'nobody', 'must be a member of this workspace'],
    ['url', 'javascript:alert(1)', 'must be a URL that starts with http'],
    ['checkbox', 'true', 'must be true or false'],
    ['checkbox', {}, 'must be a string, a number, a boolean, a list of option ids, or null'],
  ] as const)(
    'are rejected without any change if they are invalid (%s: %j)',
    async (type, value, message) => {
      const { id } = await createTaskWithValues();
      const key = `cf_${fields[type]}`;
      const before = await readAllContents();
      const requests = [
        createClient().patch(`/tasks/${id}`, { name: 'Renamed', customFields: { [key]: value } }),
        createClient().post('/tasks', {
          projectId: getProjectId(),
          name: 'New',
          customFields: { [key]: value },
        }),
        createClient().post('/tasks/bulk', {
          tasks: [{ projectId: getProjectId(), name: 'New', customFields: { [key]: value } }],
        }),
        createClient().patch('/tasks/bulk', { updates: [{ id, customFields: { [key]: value } }] }),
        createClient().patch('/tasks/bulk', { ids: [id], set: { customFields: { [key]: value } } }),
      ];
      for (const [index, request] of requests.entries()) {
        const { status, body, headers } = await request;
        expect([index, status, body.error.message]).toEqual([index, 400, expect.stringContaining(message)]);
        expect([index, headers.get('Error-Field')]).toEqual([
          index,
          expect.stringContaining(`customFields.${key}`),
        ]);
      }
      expect(await readAllContents()).toEqual(before);
    },
  );

  it("are rejected for unknown fields and fields that the project doesn't use", async () => {
    const unused = await createField(world, 'text', 'Unused');
    const { id } = await createTaskWithValues();
    for (const key of [`cf_${unused}`, 'cf_999999999', 'Unused', 'cf_0', 'text']) {
      const answer = await createClient().patch(`/tasks/${id}`, { customFields: { [key]: 'a' } });
      expect([key, answer.status, answer.body.error.message]).toEqual([
        key,
        400,
        expect.stringContaining(`is not a custom field of project ${getProjectId()}`),
      ]);
    }
  });

  it("are hidden while the project doesn't use the field", async () => {
    const own = await createWorld();
    const of = await createFields(own);
    const { id } = await createTask(own.people.owner, own.projects.joined.id, {
      customFields: { [`cf_${of.text}`]: 'kept', [`cf_${of.number}`]: 3 },
    });
    const getTask = async () =>
      (await api(own.people.owner.token).get(`/tasks/${id}?expand=customFields`)).body.customFields;
    await addFieldsToProject(own, own.projects.joined.id, [of.number]);
    expect(await getTask()).toEqual({ [`cf_${of.number}`]: 3 });
    await api(own.people.owner.token).patch(`/tasks/${id}`, { customFields: { [`cf_${of.number}`]: 4 } });
    await addFieldsToProject(own, own.projects.joined.id, [of.number, of.text]);
    expect(await getTask()).toEqual({ [`cf_${of.text}`]: 'kept', [`cf_${of.number}`]: 4 });
  });

  it('are hidden when the field is deleted, and shown again when it is restored', async () => {
    const own = await createWorld();
    const of = await createFields(own);
    const { token } = own.people.owner;
    const key = `cf_${of.text}`;
    const { id } = await createTask(own.people.owner, own.projects.joined.id, {
      customFields: { [key]: 'kept' },
    });
    const getTask = async () =>
      (await api(token).get(`/tasks/${id}?expand=customFields`)).body.customFields[key];
    const readHistory = async () => JSON.stringify((await api(token).get(`/tasks/${id}/activities`)).body);
    await api(token).patch(`/tasks/${id}`, { customFields: { [key]: 'secret' } });
    expect(await readHistory()).toContain('secret');
    expect((await runForm(token, deleteCustomField, { id: of.text })).status).toBe(200);
    expect(await getTask()).toBeUndefined();
    expect(await readHistory()).not.toContain('secret');
    expect((await api(token).patch(`/tasks/${id}`, { customFields: { [key]: 'x' } })).status).toBe(400);
    expect((await runForm(token, restoreCustomField, { id: of.text })).status).toBe(200);
    expect(await getTask()).toBe('secret');
  });

  it('lose options that are removed from the field', async () => {
    const own = await createWorld();
    const of = await createFields(own);
    const { token } = own.people.owner;
    const [one, many] = [`cf_${of.select}`, `cf_${of.multi_select}`];
    const { id } = await createTask(own.people.owner, own.projects.joined.id, {
      customFields: { [one]: 1, [many]: [1, 2] },
    });
    const options = [{ id: 2, name: 'Medium' }, { name: 'Huge' }];
    for (const field of [of.select, of.multi_select]) {
      expect((await runForm(token, updateCustomField, { id: field, options })).status).toBe(200);
    }
    const { customFields } = (await api(token).get(`/tasks/${id}?expand=customFields`)).body;
    expect([customFields[one], customFields[many]]).toEqual([null, [2]]);
    expect((await api(token).patch(`/tasks/${id}`, { customFields: { [one]: 4 } })).status).toBe(200);
  });

  it("can still contain people who have left, but can't be changed to former members", async () => {
    const own = await createWorld();
    const of = await createFields(own);
    const { owner, member } = own.people;
    const key = `cf_${of.person}`;
    const customFields = { [key]: member.userId };
    const { id } = await createTask(owner, own.projects.joined.id, { customFields });
    const { id: other } = await createTask(owner, own.projects.joined.id);
    expect((await runForm(owner.token, removePerson, { userId: member.userId, heirId: null })).status).toBe(
      200,
    );
    const call = api(owner.token);
    expect((await call.get(`/tasks/${id}?expand=customFields`)).body.customFields[key]).toBe(member.userId);
    expect((await call.patch(`/tasks/${id}`, { customFields })).status).toBe(200);
    expect((await call.patch(`/tasks/${other}`, { customFields })).status).toBe(400);
    const found = await call.get(`/tasks?${key}=${member.userId}`);
    expect(found.body.data.map((task: { id: number }) => task.id)).toEqual([id]);
  });

  it("can't be changed on archived tasks", async () => {
    const { id } = await createTaskWithValues();
    await createClient().post(`/tasks/${id}/archive`);
    expect((await createClient().patch(`/tasks/${id}`, { customFields: buildEmptyValues() })).status).toBe(
      400,
    );
    expect(await readValues(id)).toEqual(values);
  });

  it('are copied with a task, with and without subtasks', async () => {
    const { id } = await createTaskWithValues();
    await createTask(world.people.member, getProjectId(), { parentId: id, customFields: values });
    for (const query of ['', '?include=subtasks']) {
      const copy = (await createClient().post(`/tasks/${id}/duplicate${query}`)).body.id;
      expect(await readValues(copy)).toEqual(values);
      if (query === '') continue;
      const { data } = (await createClient().get(`/tasks/${copy}/subtasks?expand=customFields`)).body;
      expect(data[0].customFields).toEqual(values);
    }
  });

  it('can be changed in bulk, to the same values or to different values per task', async () => {
    const [one, other] = [(await createTaskWithValues()).id, (await createTaskWithValues({})).id];
    const [text, number] = [`cf_${fields.text}`, `cf_${fields.number}`];
    const answer = await createClient().patch('/tasks/bulk', {
      updates: [
        { id: one, customFields: { [text]: 'first' } },
        { id: other, customFields: { [number]: 2 } },
      ],
    });
    expect(answer.status).toBe(200);
    expect(await readValues(one)).toEqual({ ...values, [text]: 'first' });
    expect(await readValues(other)).toEqual({ ...buildEmptyValues(), [number]: 2 });
    await createClient().patch('/tasks/bulk', {
      ids: [one, other],
      set: { customFields: { [text]: 'both' } },
    });
    expect([
      (await readValues(one))[text],
      (await readValues(other))[text],
      (await readValues(other))[number],
    ]).toEqual(['both', 'both', 2]);
    const each = await createClient().patch('/tasks/bulk?mode=each', {
      updates: [
        { id: one, customFields: { [number]: 'no' } },
        { id: other, customFields: { [number]: 5 } },
      ],
    });
    expect(each.body.meta).toEqual({ succeeded: 1, failed: 1 });
    expect((await readValues(other))[number]).toBe(5);
  });

  it('are recorded in one history entry and one event when they change, and unchanged values are omitted', async () => {
    const { id } = await createTaskWithValues();
    const call = api(world.people.owner.token);
    const start = (await call.get('/events')).body.meta.nextAfter;
    const [text, select] = [`cf_${fields.text}`, `cf_${fields.select}`];
    await createClient().patch(`/tasks/${id}`, { customFields: { [text]: 'Grace', [select]: 3 } });
    const { data } = (await call.get(`/events?after=${start}`)).body;
    expect(data.map(({ type, changes }: { type: string; changes: object }) => [type, changes])).toEqual([
      [
        'task.updated',
        {
          customFields: {
            from: { [text]: values[text], [select]: 2 },
            to: { [text]: 'Grace', [select]: 3 },
          },
        },
      ],
    ]);
    const [entry] = (await createClient().get(`/tasks/${id}/activities`)).body.data;
    expect([entry.type, entry.field, entry.from, entry.to]).toEqual([
      'custom_field_changed',
      'customFields',
      'text: Ada\u{1f600} "quoted", select: Medium',
      'text: Grace, select: Large',
    ]);
  });

  it('are restored when the edit that changed them is undone', async () => {
    const { id } = await createTaskWithValues({ [`cf_${fields.number}`]: 1 });
    const since = Date.now();
    const { token } = world.people.member;
    const [text, number] = [`cf_${fields.text}`, `cf_${fields.number}`];
    await createClient().patch(`/tasks/${id}`, { customFields: { [text]: 'new', [number]: 2 } });
    expect((await runForm(token, undoTaskChanges, { ids: [id], since })).status).toBe(200);
    expect(await readValues(id)).toEqual({ ...buildEmptyValues(), [number]: 1 });
  });

  it('cost at most one written row per value, and one more per task to index its text', async () => {
    const call = api(world.people.member.token);
    const measureCost = async (customFields: Record<string, unknown>) =>
      (await call.post('/tasks', { projectId: getProjectId(), name: 'Cost', customFields })).cost.rowsWritten;
    const plain = (await call.post('/tasks', { projectId: getProjectId(), name: 'Cost' })).cost.rowsWritten;
    const [first = ''] = Object.keys(values);
    expect(await measureCost({ [first]: values[first] })).toBeLessThanOrEqual(plain + 2);
    expect(await measureCost(values)).toBeLessThanOrEqual(plain + Object.keys(values).length);
  });

  it('pass the integrity check', async () => {
    expect(await findInconsistencies()).toEqual([]);
  });
});
