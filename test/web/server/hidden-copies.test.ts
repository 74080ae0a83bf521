// A form must not save an old copy of a value that the person can change in another form on the page.
import { beforeAll, describe, expect, it } from 'vitest';
import { screens } from '../../../src/web/pages/screens.ts';
import { createFullWorkspace, type FullWorkspace } from './full-workspace.ts';
import { findHiddenCopies } from './hidden-copies.ts';

const DISPLAYED_LIST = 'saves the filter of the displayed tasks, which is in the URL';
const BULK_EDIT_BAR = 'is a filter, whereas the bulk edit bar changes tasks';
const UNDO_VALUES = 'contains the deleted values for undo, which must not restore unsaved edits';

/** Hidden fields that may have the same name as a field of another form, each with the reason. */
const allowedCopies: Readonly<Record<string, string>> = {
  '/filters hides q, which get /tasks edits': DISPLAYED_LIST,
  '/filters hides status, which get /tasks edits': DISPLAYED_LIST,
  '/filters hides status, which post /tasks/bulk edits': BULK_EDIT_BAR,
  '/filters/:id/replace hides status, which get /tasks edits': DISPLAYED_LIST,
  '/filters/:id/replace hides status, which post /tasks/bulk edits': BULK_EDIT_BAR,
  '/tasks hides parentId, which post /tasks/:id edits':
    'is the displayed task, whose own parent the field edits',
  '/tasks/:id/checklist/items/:id/remove hides text, which post /tasks/:id/checklist/items edits':
    'another line',
  '/tasks/:id/checklist/items/:id/remove hides text, which post /tasks/:id/checklist/items/:id edits':
    UNDO_VALUES,
  '/tasks/:id/recurrence/remove hides days, which post /tasks/:id/recurrence edits': UNDO_VALUES,
  '/tasks/:id/recurrence/remove hides mode, which post /tasks/:id/recurrence edits': UNDO_VALUES,
  '/tasks/:id/recurrence/remove hides rule, which post /tasks/:id/recurrence edits': UNDO_VALUES,
  '/tasks/:id/relations/:id/remove hides task, which post /tasks/:id/relations edits': 'another relation',
  '/tasks/:id/relations/:id/remove hides type, which post /tasks/:id/relations edits': 'another relation',
  '/tasks/:id/move hides status, which get /board edits':
    'is the column, which a script sets, whereas the field filters cards',
  '/teams/:id/people hides userId, which post /teams/:id/people edits':
    'is the member in the row, whereas the field adds another one',
  '/time/:id/remove hides endTime, which post /time edits': 'another entry',
  '/time/:id/remove hides endTime, which post /time/:id edits': UNDO_VALUES,
  '/time/:id/remove hides startTime, which post /time edits': 'another entry',
  '/time/:id/remove hides startTime, which post /time/:id edits': UNDO_VALUES,
  '/time/:id/remove hides taskId, which post /time edits': 'another entry',
};

let fullWorkspace: FullWorkspace;
beforeAll(async () => {
  fullWorkspace = await createFullWorkspace('Task');
});

const omitIds = (address: string) =>
  address
    .replace(fullWorkspace.owner.base, '')
    .replace(/\/\d+\b/g, '/:id')
    .replace(/usr_\w+/g, ':id');

describe('the forms on every page', () => {
  it('contain no hidden copy of a field that another form edits, apart from the allowed copies', async () => {
    const { owner, idsByParameter } = fullWorkspace;
    const addresses = screens
      .filter(({ redirectTo }) => !redirectTo)
      .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => String(idsByParameter[name])));
    const states = [
      `/meetings/new?projectId=${idsByParameter.project}&date=2026-12-01&time=10:00`,
      ...['name', 'status', 'priority', 'assignee', 'deadline'].map(
        (field) => `/tasks?edit=${idsByParameter.task}&field=${field}`,
      ),
      '/tasks?q=Task',
      `/tasks?filter=${idsByParameter.filter}&status=todo`,
      `/people?about=${fullWorkspace.world.people.member.userId}`,
      `/projects/${idsByParameter.project}?q=Task`,
      '/calendar?who=all&view=week',
      '/timeline',
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
        found.set(`${omitIds(action)} hides ${name}, which ${omitIds(editedIn)} edits`, path);
    }
    expect(forms).toBeGreaterThan(200);
    expect([...found.keys()].sort()).toEqual(Object.keys(allowedCopies).sort());
  });

  it('would be reported if they contained a hidden copy of a field', () => {
    const copy = `<form method="get" action="/new"><input name="date"><select name="minutes"></select></form>
      <form method="post" action="/save"><input type="hidden" name="date"><input name="title"></form>`;
    expect(findHiddenCopies(copy)).toEqual([{ action: '/save', name: 'date', editedIn: 'get /new' }]);
    const elsewhere = `<form id="a" method="post" action="/a"><input type="hidden" name="ids"></form>
      <form id="b" method="post" action="/b"></form><p><input type="checkbox" name="ids" form="b"></p>`;
    expect(findHiddenCopies(elsewhere)).toHaveLength(1);
    expect(findHiddenCopies(elsewhere.replace('form="b"', 'form="a"'))).toEqual([]);
  });
});
