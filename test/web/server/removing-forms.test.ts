// This file is long because it compares all rows before and after every form, to find out which forms remove data.
import { beforeAll, describe, expect, it } from 'vitest';
import { createOwnApp } from '../../../src/oauth/own-apps/own-apps.ts';
import { accountForms } from '../../../src/web/pages/own-account/account-forms.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { readFormFields, unescapeHtml } from '../../oauth/flow.ts';
import { type FormSubmission, prepareForm } from '../../suites/hostile-cost/form-cases.ts';
import { runForAccount, signIn } from '../../support/accounts.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { listTables, readJsonRows } from '../../support/tables.ts';
import { pickEveryNth } from '../../support/tier.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { createFullWorkspace, type FullWorkspace } from './full-workspace.ts';
import { createRemovableObject } from './stale-forms.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  const assigneeId = world.people.owner.userId;
  for (let made = 0; made < 5; made += 1)
    await createTask(world.people.lead, world.projects.other.id, { assigneeId });
});

/** Tables with internal, derived or progress data, which are ignored. */
const BOOKKEEPING_TABLES =
  /_search|_counts$|_days$|^(?:directory\.)?(?:sqlite|removals|events|member_halves|idempotency_keys|sent_forms|hour_changes|departures|card_places|positions|followers|outbox|browser_sessions|ended_sessions|workspace_sessions|mail_cursors|mailed_cells|push_|cell_sizes|cell_usage|objects_to_delete|details_waiting|detail_texts)/;
const ENDING_COLUMNS = ['cancelled_at', 'ended_at', 'revoked_at', 'deleted_at', 'archived'];
const KEY_COLUMNS = ['id', 'no', 'ws', 'task', 'project', 'member', 'team', 'user_id'];
/** An undo recreates rows of these tables with another id, so these columns identify the rows instead. */
const RECREATED_KEYS: Readonly<Record<string, readonly string[]>> = {
  reactions: ['comment', 'reaction'],
  saved_filters: ['member'],
  task_relations: ['ws', 'type', 'source', 'target'],
  time_entries: ['member', 'task'],
};
/** Columns with lists. An item that is missing from its list counts as removed. */
const LIST_COLUMNS = ['tags', 'followers', 'lines', 'people'];

/**
 * Returns a name for each row that isn't deleted, canceled or otherwise ended, and for each item in the row's lists.
 */
async function listRows(): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [prefix, db] of [
    ['', getCell(world.cell)],
    ['directory.', env.DIRECTORY],
  ] as const) {
    for (const table of await listTables(db)) {
      if (BOOKKEEPING_TABLES.test(prefix + table)) continue;
      for (const text of await readJsonRows(db, table)) {
        const row: Record<string, unknown> = JSON.parse(text);
        // If the newest notification is deleted, its row remains without an owner.
        const hasEnded = table !== 'time_entries' && ENDING_COLUMNS.some((each) => row[each]);
        if (row.user_id === '' || hasEnded) continue;
        const keys = RECREATED_KEYS[table] ?? KEY_COLUMNS;
        const key = keys.filter((each) => row[each] !== undefined).map((each) => `${each}=${row[each]}`);
        const named = `${prefix}${table} ${key}`;
        let name = named;
        for (let same = 2; found.has(name); same += 1) name = `${named} no ${same}`;
        found.add(name);
        for (const list of LIST_COLUMNS) {
          // Checklist items are numbered, because an item's text can change, and an undo changes its id.
          const items: unknown = JSON.parse(String(row[list] ?? '[]'));
          for (const [index, item] of Array.isArray(items) ? items.entries() : [])
            found.add(`${name} ${list}: ${list === 'lines' ? index : item}`);
        }
      }
    }
  }
  return found;
}

const findMissingRows = (before: ReadonlySet<string>, after: ReadonlySet<string>) =>
  [...before].filter((each) => !after.has(each)).sort();

/** `prepareForm` creates nothing that these forms could remove, so they need their own requests. */
const removalRequests: Readonly<Record<string, () => Promise<Pick<FormSubmission, 'action' | 'fields'>>>> = {
  tagTask: async () => {
    const { id } = await createTask(world.people.owner, world.projects.other.id);
    await owner.send(`/tasks/${id}`, `/tasks/${id}/tags`, { tags: 'one, two' });
    return { action: `/tasks/${id}/tags`, fields: { tags: 'two' } };
  },
  assignTask: async () => {
    const { owner, admin } = world.people;
    const { id } = await createTask(owner, world.projects.other.id, {
      assigneeIds: [owner.userId, admin.userId],
    });
    return {
      action: `/tasks/${id}/assignees`,
      fields: { assigneeIds: `${owner.userId},${admin.userId}`, remove: admin.userId },
    };
  },
  removeReaction: async () => {
    const { id } = await createTask(world.people.owner, world.projects.other.id);
    const path = `/tasks/${id}/comments`;
    const { body } = await api(world.people.owner.token).post(path, { content: 'Done' });
    await api(world.people.owner.token).put(`${path}/${body.id}/reactions/heart`);
    return { action: `${path}/${body.id}/reactions/remove`, fields: { reaction: 'heart' } };
  },
  removeFile: async () => {
    const { id } = await createTask(world.people.owner, world.projects.other.id);
    const file = await insertFile(world, world.people.owner, { task: id });
    return { action: `/tasks/${id}/files/${file}/remove`, fields: { first: `${file}`, fileName: 'x' } };
  },
  removeProjectFile: async () => {
    const { id } = world.projects.other;
    const file = await insertFile(world, world.people.owner, { project: id });
    return { action: `/projects/${id}/files/${file}/remove`, fields: { first: `${file}`, fileName: 'x' } };
  },
  removePersonFromProject: async () => {
    const { ids } = await createRemovableObject('memberOfProject', world, world.people.owner);
    return { action: `/projects/${ids.id}/people/${ids.userId}/remove`, fields: { role: 'member' } };
  },
  takeFromTeam: async () => {
    const { ids } = await createRemovableObject('memberOfTeam', world, world.people.owner);
    return { action: `/teams/${ids.id}/people/${ids.userId}/remove`, fields: { role: 'lead' } };
  },
  removeEntry: async () => {
    const { id: taskId } = await createTask(world.people.owner, world.projects.other.id);
    const times = { startTime: '2025-01-01T09:00:00.000Z', endTime: '2025-01-01T09:30:00.000Z' };
    const { body } = await api(world.people.owner.token).post('/timer/entries', { taskId, ...times });
    return { action: `/time/${body.id}/remove`, fields: { taskId: `${taskId}`, ...times } };
  },
  stopTimer: async () => {
    const { id } = await createTask(world.people.owner, world.projects.other.id);
    await owner.send(`/tasks/${id}`, `/tasks/${id}/timer`);
    return { action: '/timer/stop', fields: {} };
  },
  renewFeed: async () => {
    await owner.send('/calendar', '/calendar/address');
    return { action: '/calendar/address', fields: {} };
  },
  endFeed: async () => {
    await owner.send('/calendar', '/calendar/address');
    return { action: '/calendar/address/end', fields: {} };
  },
};

/** These forms aren't submitted. Deleting the workspace leaves nothing to check, and the other forms undo a removal. */
const UNSENT_FORMS = [
  'removeWorkspace',
  'restoreConvertedLine',
  'undoMoves',
  'restoreDeletedTask',
  'restoreDeletedTasks',
];
const sendableForms = forms.filter(({ name }) => !UNSENT_FORMS.includes(name));
const removingForms = sendableForms.filter(({ removal }) => removal !== undefined);
const otherForms = sendableForms.filter(({ removal }) => removal === undefined);
/** `npm test` submits every fourth of the forms that should remove nothing. */
const testedForms = [...removingForms, ...pickEveryNth(4, otherForms)];

function readUndo(html: string) {
  const shown = /<div id="flash-message"[^>]*>([\s\S]*?)<output/.exec(html)?.[1] ?? '';
  const action = /<form method="post" action="([^"]*)"/.exec(shown)?.[1];
  return { label: unescapeHtml(shown.split('<')[0] ?? ''), action, fields: readFormFields(shown) };
}

describe('a form in the web app', () => {
  it.each(testedForms.map((form) => [form.name, form] as const))(
    'removes data only if it offers undo or asks for confirmation (%s)',
    async (name, form) => {
      const prepared = await prepareForm(world, owner, form);
      const own = await removalRequests[name]?.();
      const { screens } = prepared;
      const action = own?.action ?? prepared.action;
      const fields = { ...prepared.fields, ...own?.fields };
      const before = await listRows();
      const sent = await screens.browser.post(screens.base + action, fields);
      const location = sent.headers.get('Location');
      expect([200, 303]).toContain(sent.status);
      const gone = findMissingRows(before, await listRows());
      if (form.removal === undefined) expect(gone).toEqual([]);
      if (form.removal !== 'undone') return;

      expect(gone).not.toEqual([]);
      const undo = readUndo(await (await screens.browser.get(location ?? '')).text());
      expect([undo.label, undo.action]).toEqual([expect.stringMatching(/\w/), expect.any(String)]);
      expect((await screens.browser.post(undo.action ?? '', undo.fields)).status).toBe(303);
      expect(findMissingRows(before, await listRows())).toEqual([]);
    },
  );

  const REMOVES = /^(?:remove|delete|revoke|end|withdraw|cancel|signOut|leave|unfollow|archive)/;

  it("is declared as removing data if its operation's name says so", () => {
    const unmarked = [...forms, ...accountForms].filter(
      ({ operation, removal }) => REMOVES.test(operation.name) && removal === undefined,
    );
    expect(unmarked.map(({ path }) => path)).toEqual([]);
  });
});

/** Submitting a collapsed form takes two clicks. */
function isCollapsed(html: string, at: number): boolean {
  const around: string[] = [];
  for (const [tag] of html.slice(0, at).matchAll(/<details[^>]*>|<\/details>/g)) {
    if (tag === '</details>') around.pop();
    else around.push(tag);
  }
  const innermost = around.at(-1);
  return innermost !== undefined && !/ open(?:=|>| )/.test(innermost);
}

describe('a form that asks for confirmation', () => {
  let full: FullWorkspace;

  beforeAll(async () => {
    full = await createFullWorkspace('Full');
    await full.owner.send('/calendar', '/calendar/address');
  });

  it('is collapsed on every workspace page', async () => {
    const { idsByParameter, world: at } = full;
    const addresses = [
      `/tasks/${idsByParameter.task}`,
      '/calendar',
      `/projects/${idsByParameter.project}/settings`,
      `/projects/${idsByParameter.project}/sharing`,
      `/people?about=${at.people.member.userId}`,
      '/teams',
      '/settings',
      `/webhooks/${idsByParameter.id}`,
      `/templates/${idsByParameter.template}`,
      `/imports/${idsByParameter.import}`,
      '/exports',
      `/apps/${idsByParameter.app}/session`,
      `/bots/${idsByParameter.bot}`,
    ];
    const asking = forms.filter(({ removal }) => removal === 'asked');
    const seen = new Set<string>();
    const open: string[] = [];
    for (const address of addresses) {
      const { status, html } = await full.owner.open(address);
      expect([address, status]).toEqual([address, 200]);
      for (const { name, path } of asking) {
        const action = `${full.owner.base}${path.replaceAll(/:\w+/g, '[^"/]+')}`;
        for (const { index } of html.matchAll(new RegExp(`<form method="post" action="${action}"`, 'g'))) {
          seen.add(name);
          if (!isCollapsed(html, index)) open.push(`${name} on ${address}`);
        }
      }
    }
    expect(open).toEqual([]);
    expect([...seen].sort()).toEqual(asking.map(({ name }) => name).sort());
  });

  it('is collapsed on the account pages', async () => {
    const { browser } = full.owner;
    await WorkspaceBrowser.signIn(full.world, full.world.people.owner);
    await env.DIRECTORY.prepare("UPDATE users SET image = '/pictures/x' WHERE id = ?")
      .bind(full.world.people.owner.userId)
      .run();
    const redirectUris = 'https://app.example/callback';
    await runForAccount(await signIn(full.world.people.owner.userId), createOwnApp, {
      name: 'App',
      redirectUris,
    });
    const pages = await Promise.all(['/account', '/account/apps'].map((path) => browser.get(path)));
    const html = (await Promise.all(pages.map((page) => page.text()))).join('');
    const asking = accountForms.filter(({ removal }) => removal === 'asked');
    for (const { path } of asking) {
      const at = html.indexOf(`<form method="post" action="${path}"`);
      expect([path, at > 0 && isCollapsed(html, at)]).toEqual([path, true]);
    }
    const apps = await (await browser.get(`/connected-apps?workspace=${full.world.id}`)).text();
    const at = apps.indexOf('action="/connected-apps/revoke"');
    expect(at > 0 && isCollapsed(apps, at)).toBe(true);
  });
});
