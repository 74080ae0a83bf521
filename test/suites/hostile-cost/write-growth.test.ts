import { beforeAll, describe, expect, it } from 'vitest';
import { forms } from '../../../src/web/pages/screens.ts';
import { ORIGIN, send } from '../../support/api.ts';
import { cellOf } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';
import { Screens } from '../../web/server/screens.ts';
import { type WriteCase, writeCases } from '../faults/write-cases.ts';
import { prepareForm } from './form-cases.ts';
import { growWorkspace } from './grow-workspace.ts';
import { measureRequest } from './measure.ts';

const BASE = 100;
const ADDED = 300;
/** Additional rows of an index page that may be read. */
const SLACK = 3;

/** Writes that read more rows with more data, with the number of additional rows for the data added by this test. */
const allowedGrowth: readonly { name: string; more: number; why: string }[] = [
  { name: '/v1 duplicateTask', more: 8, why: 'the tasks of the same day are checked for a free hour' },
  {
    name: 'form changeWorkspace',
    more: 2 * ADDED,
    why: 'everyone is notified, and meetings move to the new time zone',
  },
  {
    name: 'form createProject',
    more: ADDED + 30,
    why: 'projects are counted; the limit is 2,000',
  },
  {
    name: 'form invite',
    more: ADDED / 10 + 6,
    why: 'open invitations are counted; the limit is 200',
  },
  {
    name: 'form filterAgain',
    more: 40,
    why: 'own and shared filters are counted; the limits are 100',
  },
  { name: 'form leaveWorkspace', more: 2 * ADDED, why: 'roles and open invitations have no index' },
  {
    name: 'form moveMeeting',
    more: 12,
    why: 'every recurring meeting is checked for the new day',
  },
  {
    name: 'form newFilter',
    more: 40,
    why: 'own and shared filters are counted; the limits are 100',
  },
  { name: 'form newCategory', more: ADDED / 10 + 6, why: 'categories are counted; the limit is 100' },
  { name: 'form newCustomField', more: 60, why: 'custom fields are counted; the limit is 50' },
  { name: 'form newType', more: ADDED / 10 + 6, why: 'types are counted; the limit is 1,000' },
  { name: 'form changeLabel', more: ADDED + 10, why: 'labels are counted; the limit is 500' },
  { name: 'form newTeam', more: ADDED + 10, why: 'teams are counted; the limit is 500' },
  {
    name: 'form removeProject',
    more: 9 * ADDED,
    why: 'the counters of everyone in the project are updated',
  },
  {
    name: 'form takeOut',
    more: ADDED / 10 + 6,
    why: 'open invitations have no index by sender; the limit is 200',
  },
];

/** Forms that can be sent only once per workspace, with the reason. */
const untestedForms: Readonly<Record<string, string>> = { removeWorkspace: 'the workspace is deleted' };

let world: World;
let owner: Screens;

beforeAll(async () => {
  world = await createWorld();
  owner = await Screens.of(world, world.people.owner);
  await growWorkspace(world, BASE, BASE);
});

async function measureRequestRows(name: string, write: WriteCase): Promise<number> {
  await cellOf(world.cell).prepare('DELETE FROM webhooks WHERE ws = ?').bind(world.no).run();
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
  expect([name, status]).toEqual([name, write.status]);
  return rowsRead;
}

async function measureFormRows(form: (typeof forms)[number]): Promise<number> {
  const { screens, action, fields } = await prepareForm(world, owner, form);
  const { status, rowsRead } = await measureRequest((bindings) =>
    screens.browser.post(screens.base + action, fields, { 'CF-Connecting-IP': createIpAddress() }, bindings),
  );
  // Some forms show a secret instead of redirecting.
  expect([form.name, action, fields, status === 200 || status === 303]).toEqual([
    form.name,
    action,
    fields,
    true,
  ]);
  return rowsRead;
}

/** Sends every write once, each with its own data. */
async function measureAllRows(): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const [name, write] of Object.entries(writeCases))
    rows.set(`/v1 ${name}`, await measureRequestRows(name, write));
  for (const form of forms)
    if (!untestedForms[form.name]) rows.set(`form ${form.name}`, await measureFormRows(form));
  return rows;
}

/** Tables of a workspace that aren't filled, with the reason. */
const unfilledTables: Readonly<Record<string, string>> = {
  departures: 'rows stay for minutes',
  flow_days: 'one row per project and day',
  forgotten_members: 'rows stay for minutes',
  hour_changes: 'rows stay for minutes',
  long_texts: 'writes find them by id; bulk-texts.test.ts measures them',
  project_deletions: 'rows stay for minutes',
  removals: 'rows stay for ten minutes',
  saved_filters: 'the limits are 100',
  search_waiting: 'rows stay for seconds',
  storage: 'one row',
  subtask_counts: 'one row per project and person',
  templates: 'the limit is 100',
  webhook_deliveries: 'the limit is 100 per webhook',
  webhooks: 'the limit is 50',
  workspace_deletions: 'one row',
};

describe('the number of rows that a write reads', () => {
  it('is measured with rows in every table of the workspace', async () => {
    const db = cellOf(world.cell);
    const { results: tables } = await db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql GLOB '*[^a-z_]ws INTEGER*'")
      .all<{ name: string }>();
    const empty: string[] = [];
    for (const { name } of tables) {
      const row = await db
        .prepare(`SELECT count(*) AS rows FROM ${name} WHERE ws = ?`)
        .bind(world.no)
        .first<{ rows: number }>();
      if ((row?.rows ?? 0) < BASE / 10) empty.push(name);
    }
    expect(empty.sort()).toEqual(Object.keys(unfilledTables).sort());
  });

  it("doesn't increase with tasks, people, projects or other data, except for writes with a stated reason", async () => {
    // Each write is sent twice. The second time, caches are warm and nothing is left over.
    await measureAllRows();
    const few = await measureAllRows();
    await growWorkspace(world, ADDED, ADDED);
    await measureAllRows();
    const many = await measureAllRows();
    expect(few.size).toBe(Object.keys(writeCases).length + forms.length - Object.keys(untestedForms).length);
    for (const [name, rows] of many) {
      const before = few.get(name) ?? 0;
      const allowed = allowedGrowth.find((each) => each.name === name)?.more ?? SLACK;
      expect.soft(rows - before, `${name}: ${before} rows, then ${rows}`).toBeLessThanOrEqual(allowed);
    }
  });
});
