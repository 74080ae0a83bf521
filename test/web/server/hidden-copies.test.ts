// A form must not save an old copy of a value that the person has changed in another form on the page.
import { beforeAll, describe, expect, it } from 'vitest';
import { screens } from '../../../src/web/pages/screens.ts';
import { createFullWorkspace, type FullWorkspace } from './full-workspace.ts';
import { findHiddenCopies } from './hidden-copies.ts';

const listed = 'saves the filter of the displayed tasks, which is in the URL';
const bulk = 'is a filter, whereas the bulk edit bar changes tasks';
const undo = 'contains the deleted values for undo, which must not restore unsaved edits';

/** Lists hidden fields that share a name with a field of another form, and why they aren't copies of it. */
const allowed: Readonly<Record<string, string>> = {
  '/filters hides q, which get /tasks edits': listed,
  '/filters hides status, which get /tasks edits': listed,
  '/filters hides status, which post /tasks/bulk edits': bulk,
  '/filters/:id/replace hides status, which get /tasks edits': listed,
  '/filters/:id/replace hides status, which post /tasks/bulk edits': bulk,
  '/tasks hides parentId, which post /tasks/:id edits':
    'is the displayed task, whose own parent the field edits',
  '/tasks/:id/checklist/items/:id/remove hides text, which post /tasks/:id/checklist/items edits':
    'another line',
  '/tasks/:id/checklist/items/:id/remove hides text, which post /tasks/:id/checklist/items/:id edits': undo,
  '/tasks/:id/recurrence/remove hides days, which post /tasks/:id/recurrence edits': undo,
  '/tasks/:id/recurrence/remove hides mode, which post /tasks/:id/recurrence edits': undo,
  '/tasks/:id/recurrence/remove hides rule, which post /tasks/:id/recurrence edits': undo,
  '/tasks/:id/relations/:id/remove hides task, which post /tasks/:id/relations edits': 'another relation',
  '/tasks/:id/relations/:id/remove hides type, which post /tasks/:id/relations edits': 'another relation',
  '/tasks/:id/move hides status, which get /board edits':
    'is the column, which a script sets, whereas the field filters cards',
  '/teams/:id/people hides userId, which post /teams/:id/people edits':
    'is the member in the row, whereas the field adds another one',
  '/time/:id/remove hides endTime, which post /time edits': 'another entry',
  '/time/:id/remove hides endTime, which post /time/:id edits': undo,
  '/time/:id/remove hides startTime, which post /time edits': 'another entry',
  '/time/:id/remove hides startTime, which post /time/:id edits': undo,
  '/time/:id/remove hides taskId, which post /time edits': 'another entry',
};

let full: FullWorkspace;
beforeAll(async () => {
  full = await createFullWorkspace('Task');
});

const withoutIds = (address: string) =>
  address
    .replace(full.owner.base, '')
    .replace(/\/\d+\b/g, '/:id')
    .replace(/usr_\w+/g, ':id');

describe('the forms of every page', () => {
  it('contain no hidden copy of a field that another form edits', async () => {
    const { owner, places } = full;
    const addresses = screens
      .filter(({ leadsTo }) => !leadsTo)
      .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => String(places[name])));
    const states = [
      `/meetings/new?projectId=${places.project}&date=2026-12-01&time=10:00`,
      ...['name', 'status', 'priority', 'assignee', 'deadline'].map(
        (field) => `/tasks?edit=${places.task}&field=${field}`,
      ),
      '/tasks?q=Task',
      `/tasks?filter=${places.filter}&status=todo`,
      `/people?about=${full.world.people.member.userId}`,
      `/projects/${places.project}?q=Task`,
      '/calendar?who=all&view=week',
    ];
    const sites = ['/account', '/account/apps', '/connected-apps', '/app/workspaces'];
    const pages = [
      ...[...addresses, ...states].map(async (path) => [path, (await owner.open(path)).html] as const),
      ...sites.map(async (path) => [path, await (await owner.browser.get(path)).text()] as const),
    ];
    const found = new Map<string, string>();
    let forms = 0;
    for (const [path, html] of await Promise.all(pages)) {
      forms += html.split('<form ').length - 1;
      for (const { action, name, editedIn } of findHiddenCopies(html))
        found.set(`${withoutIds(action)} hides ${name}, which ${withoutIds(editedIn)} edits`, path);
    }
    expect(forms).toBeGreaterThan(200);
    expect([...found.keys()].sort()).toEqual(Object.keys(allowed).sort());
  });

  it('are reported if they contain a hidden copy of a field', () => {
    const copy = `<form method="get" action="/new"><input name="date"><select name="minutes"></select></form>
      <form method="post" action="/save"><input type="hidden" name="date"><input name="title"></form>`;
    expect(findHiddenCopies(copy)).toEqual([{ action: '/save', name: 'date', editedIn: 'get /new' }]);
    const elsewhere = `<form id="a" method="post" action="/a"><input type="hidden" name="ids"></form>
      <form id="b" method="post" action="/b"></form><p><input type="checkbox" name="ids" form="b"></p>`;
    expect(findHiddenCopies(elsewhere)).toHaveLength(1);
    expect(findHiddenCopies(elsewhere.replace('form="b"', 'form="a"'))).toEqual([]);
  });
});
