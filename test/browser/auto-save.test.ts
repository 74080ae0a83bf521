// This file is long because every auto-saved control runs through the same scenarios. Each change must be stored
// exactly once.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import {
  createProjectWithFields,
  type FieldKind,
  type FormInterception,
  findAutoSaved,
  interceptForms,
  typeInto,
  waitUntilSettled,
} from './auto-saved-controls.ts';
import { endInterceptions } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { takeEveryNth } from './tier.ts';
import { getWorkspaceUrl } from './visit.ts';

const { server, browser } = await openServerAndBrowser();

interface StoredTask {
  id: number;
  name: string;
  status: string;
  priority: string;
  assignee: { id: string } | null;
  deadline: string | null;
  startDate: string | null;
  customEstimatedHours: string | null;
  tags: string[];
  parent: { id: number } | null;
  customFields: Readonly<Record<string, unknown>>;
  items: { text: string }[];
}

interface AutoSavedControl {
  /** `method page field`, as in the results of `findAutoSaved`. Custom fields are named `value:type`. */
  readonly key: string;
  readonly kind: FieldKind;
  /** The value of a new task, and two other values. */
  readonly values: readonly [stored: string, next: string, other: string];
  readonly read: (task: StoredTask) => string;
  /** The type of the history entry. Null if the history doesn't record the field. */
  readonly entry: string | null;
  /** A value that the server or the page rejects. */
  readonly wrong: string;
}

let me: Colleague;
let base: string;
/** Ids of two assignees, and of a client whose role changes. */
let people: Record<'owner' | 'lead' | 'client', string>;
let parents: readonly [string, string];
/** A project with a custom field of each type that is saved automatically, and the fields' ids. */
let project: number;
let fieldIds: Readonly<Record<string, string>>;

before(async () => {
  me = await openColleague(browser, server.origin, demo.owner, {
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
  });
  base = await getWorkspaceUrl(me.page, server.origin);
  const { data } = await me.ask<{ data: { id: string; email: string }[] }>('/users?limit=100');
  const findId = (email: string) => data.find((each) => each.email === email)?.id ?? '';
  people = { owner: findId(demo.owner), lead: findId('lead@demo.test'), client: findId('client@demo.test') };
  const createParent = async () =>
    String((await me.ask<StoredTask>('/tasks', { projectId: 1, name: 'Parent' })).id);
  parents = [await createParent(), await createParent()];
  ({ project, fieldIds } = await createProjectWithFields(me, base));
});

const status = {
  kind: 'select',
  values: ['todo', 'client_review', 'completed'],
  read: (task: StoredTask) => task.status,
  entry: 'status_changed',
  wrong: 'nowhere',
} as const;
const priority = {
  kind: 'select',
  values: ['medium', 'high', 'low'],
  read: (task: StoredTask) => task.priority,
  entry: 'priority_changed',
  wrong: 'urgent',
} as const;
const assignee = {
  kind: 'select',
  // `openControl` replaces these names with ids.
  values: ['', 'owner', 'lead'],
  read: ({ assignee: person }: StoredTask) => person?.id ?? '',
  entry: 'assignee_changed',
  wrong: 'usr_nobody',
} as const;
const deadline = {
  kind: 'date',
  values: ['2026-11-02', '2026-12-24', '2027-01-31'],
  read: (task: StoredTask) => task.deadline ?? '',
  entry: 'deadline_changed',
  wrong: '0202-12-24',
} as const;

function customField(
  type: string,
  kind: FieldKind,
  values: AutoSavedControl['values'],
  wrong: string,
): AutoSavedControl {
  return {
    key: `post /tasks/:id value:${type}`,
    kind,
    values,
    read: ({ customFields }) => String(customFields[fieldIds[type] ?? ''] ?? ''),
    entry: 'custom_field_changed',
    wrong,
  };
}

const controls: readonly AutoSavedControl[] = [
  { key: 'post /tasks/:id status', ...status },
  { key: 'post /tasks/:id priority', ...priority },
  { key: 'post /tasks/:id assigneeId', ...assignee },
  { key: 'post /tasks/:id deadline', ...deadline },
  {
    key: 'post /tasks/:id startDate',
    kind: 'date',
    values: ['2026-10-01', '2026-10-12', '2026-09-30'],
    read: ({ startDate }) => startDate ?? '',
    entry: 'start_date_changed',
    wrong: '0020-01-01',
  },
  {
    key: 'post /tasks/:id customEstimatedHours',
    kind: 'text',
    values: ['2', '3.5', '7.25'],
    read: ({ customEstimatedHours: hours }) => hours ?? '',
    entry: 'estimate_changed',
    wrong: 'a lot',
  },
  {
    key: 'post /tasks/:id name',
    kind: 'text',
    values: ['Saved', 'Saved again', 'Saved for good'],
    read: ({ name }) => name,
    entry: 'name_changed',
    wrong: ' ',
  },
  {
    key: 'post /tasks/:id tags',
    kind: 'text',
    values: ['', 'red', 'blue, green'],
    read: ({ tags }) => tags.join(', '),
    entry: 'tags_changed',
    wrong: 'x'.repeat(51),
  },
  {
    key: 'post /tasks/:id parentId',
    kind: 'text',
    // `openControl` replaces these names with ids.
    values: ['', 'one', 'other'],
    read: ({ parent }) => (parent ? String(parent.id) : ''),
    entry: 'parent_changed',
    wrong: 'nothing',
  },
  {
    key: 'post /tasks/:id text',
    kind: 'text',
    values: ['Pack', 'Ship', 'Send'],
    read: ({ items: [first] }) => first?.text ?? '',
    entry: 'checklist_changed',
    wrong: ' ',
  },
  customField('select', 'select', ['', '1', '3'], 'nowhere'),
  customField('checkbox', 'select', ['', 'true', 'false'], 'nowhere'),
  customField('date', 'date', ['2026-11-02', '2026-12-24', '2027-01-31'], '0202-12-24'),
  customField('number', 'text', ['2', '3.5', '7.25'], '-'),
  customField('person', 'select', ['', 'owner', 'lead'], 'usr_nobody'),
  customField('text', 'text', ['', 'Red', 'Light blue'], 'x'.repeat(501)),
  customField('url', 'text', ['', 'https://a.test/', 'https://b.test/'], 'nowhere'),
  { key: 'post /tasks status', ...status },
  { key: 'post /tasks deadline', ...deadline },
  { key: 'post /tasks priority', ...priority },
  { key: 'post /tasks assigneeId', ...assignee },
  {
    key: 'post /people role',
    kind: 'select',
    // The last value restores the client's role for other test files.
    values: ['member', 'lead', 'client'],
    read: () => '',
    entry: null,
    wrong: 'king',
  },
];
/** Date filters are also submitted automatically, but nothing is stored. */
const dateFilters = ['/audit', '/dashboard', '/tasks', '/time-report'].flatMap((page) =>
  ['from', 'to'].map((name) => `get ${page} ${name}`),
);

test('the lists in this file contain every auto-saved control and every date filter', async () => {
  const { id } = await createTask(project);
  const types = Object.fromEntries(Object.entries(fieldIds).map(([type, id]) => [id, `value:${type}`]));
  const found = await findAutoSaved(me.page, base, {
    first: [`${new URL(base).pathname}/tasks/${id}`],
    types,
  });
  assert.deepEqual(
    found.filter((key) => key.startsWith('post')),
    controls.map(({ key }) => key).sort(),
  );
  const dates = found.filter((key) => /^get .* (from|to)$/.test(key));
  assert.deepEqual(dates, dateFilters);
});

/** Creates a task with a value in every auto-saved field that can have one. */
async function createTask(projectId: number): Promise<StoredTask> {
  const task = await me.ask<StoredTask>('/tasks', {
    projectId,
    name: 'Saved',
    priority: 'medium',
    deadline: '2026-11-02',
    startDate: '2026-10-01',
    customEstimatedHours: '2',
  });
  await me.ask(`/tasks/${task.id}/checklist/items`, { text: 'Pack' });
  return task;
}

interface OpenedControl {
  readonly field: Locator;
  readonly other: Locator;
  readonly interception: FormInterception;
  /** The control's values, with ids instead of names. */
  readonly values: readonly [stored: string, next: string, other: string];
  readonly wrong: string;
  readonly isCell: boolean;
  open(): Promise<void>;
  stored(): Promise<string>;
  changes(): Promise<number>;
}

async function openControl({ key, values, read, entry, wrong }: AutoSavedControl): Promise<OpenedControl> {
  const { page, ask } = me;
  await endInterceptions(page);
  const interception = await interceptForms(page);
  const [, at = '', path = ''] = key.split(' ');
  const [name = '', type = ''] = path.split(':');
  const isId = name === 'assigneeId';
  const ids: Record<string, readonly [string, string, string]> = {
    assigneeId: ['', people.owner, people.lead],
    parentId: ['', ...parents],
    'value:person': ['', people.owner, people.lead],
  };
  const common = { interception, values: ids[path] ?? values, wrong };
  if (at === '/people') {
    const readRole = async () => {
      const { data } = await ask<{ data: { id: string; role: string }[] }>('/users?limit=100');
      return data.find(({ id }) => id === people.client)?.role ?? '';
    };
    return {
      ...common,
      field: page.locator(`#role-${people.client}`),
      other: page.locator('textarea[name="email"]'),
      isCell: false,
      open: async () => void (await page.goto(`${base}/people`)),
      stored: readRole,
      changes: async () => 0,
    };
  }
  const task = await createTask(type ? project : 1);
  const isCell = at === '/tasks';
  const address = isCell
    ? `${base}/tasks?project=1&q=Saved&edit=${task.id}&field=${isId ? 'assignee' : name}`
    : `${base}/tasks/${task.id}`;
  return {
    ...common,
    field: type
      ? page.locator(`#${fieldIds[type]}`)
      : page.locator(`main form[data-auto][method="post"] [name="${name}"]`).first(),
    other: page.locator(isCell ? 'main [type="search"]' : '#new-comment'),
    isCell,
    open: async () => void (await page.goto(address)),
    stored: async () =>
      read({
        ...(await ask<StoredTask>(`/tasks/${task.id}?expand=structure,customFields`)),
        ...(await ask<Pick<StoredTask, 'items'>>(`/tasks/${task.id}/checklist`)),
      }),
    changes: async () => {
      const { data } = await ask<{ data: { type: string }[] }>(`/tasks/${task.id}/activities?limit=100`);
      return data.filter(({ type }) => type === entry).length;
    },
  };
}

for (const control of takeEveryNth(3, controls)) {
  const { key, kind, entry } = control;
  test(`the control "${key}" saves automatically`, async (t) => {
    const { page } = me;
    const { keyboard } = page;
    const bench = await openControl(control);
    const { field, other, interception, values, wrong } = bench;
    const [first, next, third] = values;
    const recordOutcome = async (act: () => Promise<void>) => {
      await bench.open();
      const [posts, entries] = [interception.posts.length, await bench.changes()];
      await act();
      await waitUntilSettled(page);
      const changes = (await bench.changes()) - entries;
      return {
        stored: await bench.stored(),
        sent: interception.posts.length - posts,
        changes: entry === null ? null : changes,
      };
    };
    const once = entry === null ? null : 1;
    const none = entry === null ? null : 0;
    const setValue = async (value: string) => {
      if (kind === 'select') return void (await field.selectOption(value));
      await typeInto(field, kind, value);
      await keyboard.press('Enter');
    };

    await t.test('saves once when the person leaves the field', async () => {
      const seen = await recordOutcome(async () => {
        await typeInto(field, kind, next);
        // Presses Tab until focus has left the field, because a date field has several tab stops. `evaluateAll` doesn't
        // wait for the field, which may be gone, because a table cell removes it once the new value is saved.
        const isFocused = () =>
          field.evaluateAll((found) => found.some((each) => each === document.activeElement));
        while (await isFocused()) await keyboard.press('Tab');
      });
      assert.deepEqual(seen, { stored: next, sent: 1, changes: once });
    });

    await t.test('saves once on Enter, which adds no line break', async () => {
      const seen = await recordOutcome(async () => {
        await typeInto(field, kind, third);
        await keyboard.press('Enter');
        if (!bench.isCell) await keyboard.press('Tab');
      });
      assert.deepEqual(seen, { stored: third, sent: 1, changes: once });
    });

    await t.test('restores the stored value on Escape and saves nothing', async () => {
      const seen = await recordOutcome(async () => {
        await typeInto(field, kind, first);
        await keyboard.press('Escape');
        if (bench.isCell) return field.waitFor({ state: 'detached' });
        assert.equal(await field.inputValue(), third);
        await other.focus();
      });
      assert.deepEqual(seen, { stored: third, sent: 0, changes: none });
    });

    await t.test('stores quick changes in order, even back and forth, while responses are slow', async () => {
      const seen = await recordOutcome(async () => {
        const release = interception.hold();
        for (const value of [next, third, next, third, next]) await setValue(value);
        release();
      });
      assert.deepEqual(seen, { stored: next, sent: 5, changes: entry === null ? null : 5 });
    });

    await t.test('shows an error for a rejected value without moving focus', async () => {
      const seen = await recordOutcome(async () => {
        if (kind === 'select')
          await field.evaluate((list: HTMLSelectElement, value) => list.add(new Option(value, value)), wrong);
        // With `maxlength`, the browser would cut off text that is too long.
        else await field.evaluate((element) => element.removeAttribute('maxlength'));
        const release = interception.hold();
        if (kind === 'select') await field.selectOption(wrong);
        else await typeInto(field, kind, wrong);
        await other.focus();
        await keyboard.type('gone ');
        release();
        await page.locator('[aria-invalid="true"]').waitFor();
        await keyboard.type('on');
        await waitUntilSettled(page);
        assert.match(await other.inputValue(), /gone on/);
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        const problem = page.locator(`#${await field.getAttribute('aria-describedby')}`);
        const words = (await problem.textContent()) ?? '';
        assert.ok(words !== '' && (await page.locator('#toast').textContent())?.includes(words), words);
        // A refresh keeps the error as long as the field contains the rejected value.
        await page.evaluate(() => {
          const shown = new Promise((done) =>
            document.addEventListener('edgework:morphed', done, { once: true }),
          );
          document.dispatchEvent(new CustomEvent('edgework:stale'));
          return shown;
        });
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        await problem.waitFor();
      });
      assert.deepEqual([seen.stored, seen.changes], [next, none]);
    });

    await t.test(
      'shows the stored value when the server is down, and saves the change with Retry',
      async () => {
        const seen = await recordOutcome(async () => {
          interception.disconnect();
          await setValue(third);
          await page.getByText("Couldn't save").waitFor();
          assert.equal(await field.inputValue(), next);
          interception.reconnect();
          await page.getByRole('button', { name: 'Retry' }).click();
          await page.locator('#unsaved').waitFor({ state: 'detached' });
          await waitUntilSettled(page);
          if (!bench.isCell) assert.equal(await field.inputValue(), third);
        });
        assert.deepEqual(seen, { stored: third, sent: 2, changes: once });
      },
    );
  });
}
