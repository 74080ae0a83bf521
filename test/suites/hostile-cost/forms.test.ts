import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FIND_PREFIX } from '../../../src/web/components/searchable-select.tsx';
import type { AnyForm } from '../../../src/web/page-model/page.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { readFormFields } from '../../oauth/flow.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { measureSlowness } from '../../support/slowness.ts';
import { pollUntil } from '../../support/timeout.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { addHostileData } from './hostile-world.ts';
import { measureBest, measureRequest, type RequestCost } from './measure.ts';

/** A quadratic algorithm takes seconds. The limit is high because the machine is shared. */
const MS_MAX = 1_000;
/** Just below a form's limits of 640 KiB and 1,000 fields. */
const BODY_BYTES = 600_000;
const FIELDS = 990;
/** With more data, submitting a form may read this many more rows, because indexes get deeper. */
const ROWS_TOLERANCE = 60;

let world: World;
let owner: WorkspaceBrowser;
let csrf: string;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  ({ csrf = '' } = readFormFields(await (await owner.browser.get('/sign-out')).text(), '/sign-out'));
  await addHostileData(world, { tasks: 300, longTexts: 4, comments: 100 });
});

function sendForm(path: string, fields: string): Promise<RequestCost> {
  const body = `csrf=${csrf}&once=${crypto.randomUUID()}&${fields}&back=${owner.base}/tasks`;
  const headers = {
    Origin: ORIGIN,
    'Content-Type': 'application/x-www-form-urlencoded',
    'CF-Connecting-IP': createIpAddress(),
  };
  return measureRequest((bindings) =>
    owner.browser.request(owner.base + path, { method: 'POST', body, headers }, bindings),
  );
}

const fillBody = (part: (index: number) => string) => {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < BODY_BYTES; index += 1) {
    const next = part(index);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
};

const repeatField = (field: (index: number) => string) =>
  Array.from({ length: FIELDS }, (_, at) => field(at)).join('');

/** Returns the fields that the form reads as lists, according to its schema or its own code. */
function findListFields({ operation, toInput }: AnyForm): string[] {
  const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const isList = (each: unknown) => JSON.stringify(each).includes('"type":"array"');
  const known = Object.keys(properties).filter((name) => isList(properties[name]));
  return toInput ? [...new Set([...known, 'ids', 'userIds', 'taskId'])] : known;
}

const formsWithLists = forms
  .filter((form) => findListFields(form).length > 0)
  .map((form) => [`${form.name} ${form.path}`, form] as const);

describe('a form with a list field', () => {
  it('is detected from its input schema or its own parser', () => {
    const names = formsWithLists.map(([, { name }]) => name);
    expect(names).toEqual(expect.arrayContaining(['undo', 'changeTasks', 'addPeople']));
  });

  it.each(formsWithLists)(
    'is processed quickly even with the most expensive input (%s)',
    async (_name, form) => {
      const path = form.path.replaceAll(/:\w+/g, '1');
      const lists = findListFields(form);
      const worst: readonly (readonly [string, string])[] = [
        ...lists.flatMap((name) => [
          [`${name}, repeated`, fillBody(() => `${name}=1&`)] as const,
          [`${name}, as often as allowed`, repeatField((index) => `${name}=${index}&`)] as const,
          [`${name}, in one value`, `${name}=${fillBody(() => '1,')}`] as const,
          [`${name}, with empty items`, `${name}=${fillBody(() => ',')}`] as const,
        ]),
        ['unknown names', fillBody((index) => `n${index}=&`)],
        ['unknown names, as many as allowed', repeatField((index) => `n${index}=&`)],
        ['people by name', repeatField((index) => `${FIND_PREFIX}n${index}=a&`)],
        ['the address of the previous page', `back=${owner.base}/tasks?none=${'x'.repeat(BODY_BYTES)}`],
        ['the snapshot', `shown=${fillBody((index) => `n${index}:0 `)}`],
      ];
      for (const [label, fields] of worst) {
        const { status, batchMs, otherMs, bytes } = await measureBest(
          () => sendForm(path, fields),
          (measured) => Math.max(measured.batchMs, measured.otherMs) <= MS_MAX,
        );
        expect.soft([303, 400, 403, 404], `${label}: ${status}`).toContain(status);
        expect.soft(batchMs, `${label}: ms of a batch`).toBeLessThanOrEqual(MS_MAX);
        expect.soft(otherMs, `${label}: ms outside of batches`).toBeLessThanOrEqual(MS_MAX);
        expect.soft(bytes, `${label}: bytes of the response`).toBeLessThanOrEqual(3 * BODY_BYTES);
      }
    },
  );
});

describe('the number of rows that a form reads', () => {
  it("doesn't increase with the number of tasks or history entries", async () => {
    const session = api(world.people.owner.token);
    const { body } = await session.get(`/tasks?projectId=${project}&status=todo&limit=100`);
    // Omits tasks with long text, because a few of them would fill a bulk request.
    const short = (body.data as { id: number; name: string }[]).filter(({ name }) => name.startsWith('q '));
    const ids = short.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(20);
    const [card, ...others] = ids;
    await session.patch('/tasks/bulk', { ids, set: { priority: 'high' } });
    // An undo reads all events since its page was rendered. Those would include the events that `addHostileData` dates
    // in the future.
    const moveEventsBack = () =>
      getCell(world.cell)
        .prepare('UPDATE events SET occurred_at = ?1 WHERE ws = ?2 AND occurred_at > ?1')
        .bind(Date.now() - 1, world.no)
        .run();
    const measureRowsRead = async () => {
      await moveEventsBack();
      const found: number[] = [];
      const steps: readonly (readonly [path: string, fields: string | (() => string)])[] = [
        [`/tasks/${card}/move`, `status=todo&above=${others.at(-1)}`],
        [`/tasks/${card}/move`, `status=todo&below=${others.at(-2)}`],
        [`/tasks/${card}/move`, 'status=in_progress'],
        [`/tasks/${card}/move`, 'status=todo'],
        ['/tasks/bulk', `${ids.map((id) => `ids=${id}&`).join('')}priority=low`],
        ['/undo', () => `ids=${ids.join(',')}&since=${changedAt}`],
      ];
      let changedAt = 0;
      for (const [path, field] of steps) {
        const fields = typeof field === 'string' ? field : field();
        if (path === '/tasks/bulk') {
          changedAt = Date.now() + 1;
          await pollUntil(() => Date.now() >= changedAt);
        }
        const { status, rowsRead, batchMs } = await sendForm(path, fields);
        expect([path, fields.slice(0, 40), status]).toEqual([path, fields.slice(0, 40), 303]);
        expect(batchMs / measureSlowness(), path).toBeLessThanOrEqual(MS_MAX);
        found.push(rowsRead);
      }
      return found;
    };
    await measureRowsRead();
    const before = await measureRowsRead();
    await addHostileData(world, { tasks: 600, longTexts: 0, comments: 0 });
    const after = await measureRowsRead();
    const more = after.map((rows, index) => rows - (before[index] ?? 0));
    for (const each of more) expect(each, `${before} grew by ${more}`).toBeLessThanOrEqual(ROWS_TOLERANCE);
    // A form changes at most 100 tasks, and may read 80 rows for each.
    for (const each of after) expect(each, `${after}`).toBeLessThanOrEqual(100 * 80);
  });
});
