import { beforeAll, describe, expect, it } from 'vitest';
import { forms } from '../../../src/web/pages/screens.ts';
import { ORIGIN, send } from '../../support/api.ts';
import { cellOf } from '../../support/env.ts';
import { freshIp } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';
import { Screens } from '../../web/server/screens.ts';
import { type WriteCase, writeCases } from '../faults/writes.ts';
import { prepareForm } from './form-cases.ts';
import { grow } from './grow.ts';
import { measureSent } from './measure.ts';

const BASE = 100;
const ADDED = 300;
/** Of a page of an index that is read along. */
const SLACK = 3;

/** What reads more for more data, and how many rows more for what is added here. */
const linear: readonly { name: string; more: number; why: string }[] = [
  { name: '/v1 duplicateTask', more: 8, why: 'the copies of the same day are looked at for a free hour' },
  {
    name: 'form changeWorkspace',
    more: 2 * ADDED,
    why: 'everybody is told, and meetings follow the time zone',
  },
  {
    name: 'form createProject',
    more: ADDED + 30,
    why: 'they are counted; there are at most 2,000',
  },
  {
    name: 'form invite',
    more: ADDED / 10 + 6,
    why: 'open invitations are counted, at most 200',
  },
  {
    name: 'form filterAgain',
    more: 40,
    why: 'one’s own and those that are shared are counted, at most 100 each',
  },
  { name: 'form leaveWorkspace', more: 2 * ADDED, why: 'roles have no index; open invitations neither' },
  {
    name: 'form moveMeeting',
    more: 12,
    why: 'every meeting that repeats is asked whether it falls on the new day',
  },
  {
    name: 'form newFilter',
    more: 40,
    why: 'one’s own and those that are shared are counted, at most 100 each',
  },
  { name: 'form newCategory', more: ADDED / 10 + 6, why: 'they are counted; there are at most 100' },
  { name: 'form newType', more: ADDED / 10 + 6, why: 'they are counted; there are at most 1,000' },
  { name: 'form newTeam', more: ADDED + 10, why: 'they are counted; there are at most 500' },
  {
    name: 'form removeProject',
    more: 9 * ADDED,
    why: 'what everybody did in it is taken out of the counters',
  },
  {
    name: 'form takeOut',
    more: ADDED / 10 + 6,
    why: 'no index says who sent the open invitations, at most 200',
  },
];

/** What cannot be done twice in one workspace. */
const left: Readonly<Record<string, string>> = { removeWorkspace: 'nobody is in it any more' };

let world: World;
let owner: Screens;

beforeAll(async () => {
  world = await createWorld();
  owner = await Screens.of(world, world.people.owner);
  await grow(world, BASE, BASE);
});

async function rowsOfRequest(name: string, write: WriteCase): Promise<number> {
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
  const { status, rowsRead } = await measureSent((bindings) => send(request, bindings));
  expect([name, status]).toEqual([name, write.status]);
  return rowsRead;
}

async function rowsOfForm(form: (typeof forms)[number]): Promise<number> {
  const { screens, action, fields } = await prepareForm(world, owner, form);
  const { status, rowsRead } = await measureSent((bindings) =>
    screens.browser.post(screens.base + action, fields, { 'CF-Connecting-IP': freshIp() }, bindings),
  );
  // Some show a secret instead of redirecting.
  expect([form.name, action, fields, status === 200 || status === 303]).toEqual([
    form.name,
    action,
    fields,
    true,
  ]);
  return rowsRead;
}

/** Carries every write out, each on things of its own. */
async function rowsOfAll(): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const [name, write] of Object.entries(writeCases))
    rows.set(`/v1 ${name}`, await rowsOfRequest(name, write));
  for (const form of forms) if (!left[form.name]) rows.set(`form ${form.name}`, await rowsOfForm(form));
  return rows;
}

describe('the rows that a write reads', () => {
  it("don't grow with tasks, people, projects and other data, except where a reason is given", async () => {
    // Each is done twice: the second time nothing is new to the caches, and what was left over is gone.
    await rowsOfAll();
    const few = await rowsOfAll();
    await grow(world, ADDED, ADDED);
    await rowsOfAll();
    const many = await rowsOfAll();
    expect(few.size).toBe(Object.keys(writeCases).length + forms.length - Object.keys(left).length);
    for (const [name, rows] of many) {
      const before = few.get(name) ?? 0;
      const allowed = linear.find((each) => each.name === name)?.more ?? SLACK;
      expect.soft(rows - before, `${name}: ${before} rows, then ${rows}`).toBeLessThanOrEqual(allowed);
    }
  });
});
