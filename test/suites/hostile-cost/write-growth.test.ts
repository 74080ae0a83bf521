import { beforeAll, describe, expect, it } from 'vitest';
import { forms } from '../../../src/web/pages/screens.ts';
import { ORIGIN, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { type WriteCase, writeCases } from '../faults/write-cases.ts';
import { prepareForm } from './form-cases.ts';
import { growWorkspace } from './grow-workspace.ts';
import { measureRequest } from './measure.ts';

const BASE_TASKS = 100;
const ADDED_TASKS = 300;
/** With more data, a write may read this many more rows. */
const ROWS_TOLERANCE = 3;

/** Writes that may read `more` additional rows. */
const allowedGrowth: readonly { name: string; more: number; why: string }[] = [
  { name: '/v1 duplicateTask', more: 8, why: 'the tasks of the same day are checked for a free hour' },
  {
    name: 'form changeWorkspace',
    more: 1.5 * ADDED_TASKS,
    why: 'everyone is notified, and meetings move to the new time zone',
  },
  {
    name: 'form createProject',
    more: ADDED_TASKS + 30,
    why: 'projects are counted; the limit is 2,000',
  },
  {
    name: 'form createProjectFromTemplate',
    more: ADDED_TASKS + 60,
    why: 'projects and custom fields are counted; the limits are 2,000 and 50',
  },
  {
    name: 'form invite',
    more: ADDED_TASKS / 10 + 6,
    why: 'open invitations are counted; the limit is 200',
  },
  {
    name: 'form leaveWorkspace',
    more: 2 * ADDED_TASKS,
    why: 'owners are searched among the members, and the open invitations and bots of a person have no index',
  },
  {
    name: 'form moveMeeting',
    more: 12,
    why: 'every recurring meeting is checked for the new day',
  },
  { name: 'form newBot', more: (5 * ADDED_TASKS) / 10 + 40, why: 'bots are counted twice; the limit is 100' },
  { name: 'form newCategory', more: ADDED_TASKS / 10 + 6, why: 'categories are counted; the limit is 100' },
  { name: 'form newCustomField', more: 25, why: 'custom fields are counted; the limit is 50' },
  { name: 'form newType', more: ADDED_TASKS / 10 + 6, why: 'types are counted; the limit is 1,000' },
  { name: 'form changeLabel', more: ADDED_TASKS + 10, why: 'labels are counted; the limit is 500' },
  { name: 'form newTeam', more: ADDED_TASKS + 10, why: 'teams are counted; the limit is 500' },
  {
    name: 'form removeProject',
    more: 6 * ADDED_TASKS,
    why: 'the counters of everyone in the project are updated',
  },
  ...['form takeOut', 'form removeBot'].map((name) => ({
    name,
    more: ADDED_TASKS / 5 + 20,
    why: 'the open invitations and bots of a person have no index; the limits are 200 and 100',
  })),
  ...['/v1 deleteTask', '/v1 deleteTasksInBulk', 'form deleteTask', 'form deleteTasks'].map((name) => ({
    name,
    more: 25 * ADDED_TASKS,
    why: 'notifications have no index by task, so everyone is listed, and up to 10,000 of their notifications are searched',
  })),
  ...['/v1 restoreTask', '/v1 restoreTasksInBulk', 'form restoreDeletedTask', 'form restoreDeletedTasks'].map(
    (name) => ({
      name,
      more: 2 * ADDED_TASKS + 90,
      why: 'the hidden notifications of every member are searched',
    }),
  ),
  ...[
    'setTaskField',
    'restoreCustomField',
    'setProjectFields',
    'createTaskFromTemplate',
    'saveTaskTemplate',
    'saveProjectTemplate',
  ].map((form) => ({
    name: `form ${form}`,
    more: 40,
    why: 'custom fields are read, and templates are counted; the limits are 50 and 100',
  })),
];

const untestedForms: Readonly<Record<string, string>> = { removeWorkspace: 'the workspace is deleted' };

let world: World;
let owner: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  await growWorkspace(world, BASE_TASKS, BASE_TASKS);
});

async function measureRequestRows(name: string, write: WriteCase): Promise<number> {
  await getCell(world.cell).prepare('DELETE FROM webhooks WHERE ws = ?').bind(world.no).run();
  const { method, path, body, headers, person } = await write.prepare(world);
  const request = new Request(`${ORIGIN}/v1${path}`, {
    method,
    headers: {
      ...(person && { Authorization: `Bearer ${person.token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, rowsRead } = await measureRequest((bindings) => send(request, bindings));
  expect.soft([name, status]).toEqual([name, write.status]);
  return rowsRead;
}

async function measureFormRows(form: (typeof forms)[number]): Promise<number> {
  const { screens, action, fields } = await prepareForm(world, owner, form);
  const { status, rowsRead } = await measureRequest((bindings) =>
    screens.browser.post(screens.base + action, fields, { 'CF-Connecting-IP': createIpAddress() }, bindings),
  );
  // Some forms show a secret instead of redirecting.
  expect
    .soft([form.name, action, fields, status === 200 || status === 303])
    .toEqual([form.name, action, fields, true]);
  return rowsRead;
}

async function measureAllRows(): Promise<Map<string, number>> {
  // Saved filters from earlier runs would make the sidebar and saving another filter more expensive.
  await getCell(world.cell).prepare('DELETE FROM saved_filters WHERE ws = ?').bind(world.no).run();
  const rows = new Map<string, number>();
  for (const [name, write] of Object.entries(writeCases))
    rows.set(`/v1 ${name}`, await measureRequestRows(name, write));
  for (const form of forms)
    if (!untestedForms[form.name]) rows.set(`form ${form.name}`, await measureFormRows(form));
  return rows;
}

describe('the number of rows that a write reads', () => {
  it("doesn't increase with tasks, people, projects or other data, except for writes listed with a reason", async () => {
    // Only the second run of each size counts, because its caches are warm.
    await measureAllRows();
    const few = await measureAllRows();
    await growWorkspace(world, ADDED_TASKS, ADDED_TASKS);
    await measureAllRows();
    const many = await measureAllRows();
    expect(few.size).toBe(Object.keys(writeCases).length + forms.length - Object.keys(untestedForms).length);
    for (const [name, rows] of many) {
      const before = few.get(name) ?? 0;
      const allowed = allowedGrowth.find((each) => each.name === name)?.more ?? ROWS_TOLERANCE;
      expect.soft(rows - before, `${name}: ${before} rows, then ${rows}`).toBeLessThanOrEqual(allowed);
    }
  });
});
