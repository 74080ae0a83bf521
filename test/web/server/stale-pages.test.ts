// This file is long because all of its tests submit forms of outdated pages, and share how they do it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AnyForm } from '../../../src/web/page-model/page.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { readFormFields, TestBrowser, unescapeHtml } from '../../oauth/flow.ts';
import { watchWrites } from '../../suites/fuzz/watch-writes.ts';
import { formRules } from '../../suites/isolation/form-rules.ts';
import { addPerson, createWorld, type Person, type World } from '../../support/world.ts';
import { openReceivers } from '../../webhooks/delivery/receivers.ts';
import { readFilledForm } from './filled-form.ts';
import {
  createRemovableObject,
  type EditForm,
  formConflicts,
  type Ids,
  type RemovableObjectName,
} from './stale-forms.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

const writeLog = watchWrites();
let world: World;
let me: WorkspaceBrowser;
let csrf: string;
let owner: WorkspaceBrowser;
const removedObjects = new Map<RemovableObjectName, Promise<Ids>>();

beforeAll(async () => {
  openReceivers();
  vi.spyOn(console, 'log').mockReturnValue();
  world = await createWorld({ cell: 1 });
  me = await WorkspaceBrowser.signIn(world, world.people.admin);
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  csrf = await readCsrfToken(me);
});
afterAll(() => vi.restoreAllMocks());

async function readCsrfToken(screens: WorkspaceBrowser): Promise<string> {
  // Opening the first page copies the session to the cell.
  await screens.open('/projects');
  const { browser } = screens;
  return readFormFields(await (await browser.get('/sign-out')).text(), '/sign-out').csrf ?? '';
}

interface FormResponse {
  status: number;
  html: string;
  writes: string[];
}

async function submitForm(
  screens: WorkspaceBrowser,
  path: string,
  fields: Record<string, string>,
): Promise<FormResponse> {
  writeLog.takeWrites();
  const answer = await screens.browser.post(
    screens.base + path,
    { once: crypto.randomUUID(), back: `${screens.base}/projects`, ...fields },
    {},
    writeLog.bindings,
  );
  return { status: answer.status, html: await answer.text(), writes: writeLog.takeWrites() };
}

function readErrors(html: string): string {
  const errors = [
    ...html.matchAll(/<p (?:class="problem"|role="alert"|class="alert" role="alert")[^>]*>([^<]*)/g),
  ];
  return unescapeHtml(errors.map(([, text]) => text).join(' '));
}

const getForm = (name: string) => forms.find((each) => each.name === name) as AnyForm;
const conflictEntries = Object.entries(formConflicts);
const insertIds = (text: string, ids: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/:(\w+)/g, (all, name) => String(ids[name] ?? all));

describe("each form's possible conflicts", () => {
  it('are declared in stale-forms.ts, or the file explains why there are none', () => {
    expect(Object.keys(formConflicts).sort()).toEqual(forms.map(({ name }) => name).sort());
    const silent = conflictEntries.filter(
      ([, { needs, edit, noConflictReason }]) => needs.length === 0 && !edit && !noConflictReason,
    );
    expect(silent).toEqual([]);
  });

  it('include at least eleven fields that are protected from being overwritten', async () => {
    const shows = conflictEntries.filter(([, { edit }]) => edit).map(([name]) => name);
    expect(shows.length).toBeGreaterThanOrEqual(11);
  });
});

const neededObjects = conflictEntries.flatMap(([name, form]) =>
  form.needs.map((need) => [name, need, form] as const),
);

/** Rejected forms change nothing, so all forms share one removed object of each kind. */
function getRemovedObjectIds(name: RemovableObjectName): Promise<Ids> {
  const createAndRemove = async () => {
    const object = await createRemovableObject(name, world, world.people.admin);
    await object.remove();
    return object.ids;
  };
  const found = removedObjects.get(name) ?? createAndRemove();
  removedObjects.set(name, found);
  return found;
}

describe('a form on a page that was opened before something was removed', () => {
  it.each(neededObjects)('is rejected (form: %s, removed: %s)', async (name, need, { fields = {} }) => {
    const ids = await getRemovedObjectIds(need);
    const inputs = Object.fromEntries(
      Object.entries(fields).map(([key, text]) => [key, insertIds(text, ids)]),
    );
    const response = await submitForm(me, insertIds(getForm(name).path, ids), { csrf, ...inputs });
    expect([400, 404]).toContain(response.status);
    expect(response.writes).toEqual([]);
    // Messages are sentences without identifiers.
    expect(readErrors(response.html)).toMatch(/^(?:#\d+: )?[A-Z‘'“].*[.!]$/s);
    expect(readErrors(response.html)).not.toMatch(/usr_|\/v1|[a-z][A-Z]\w+Id\b|list[A-Z]/);
  });
});

const editForms = conflictEntries.flatMap(([name, { edit }]) => (edit ? [[name, edit] as const] : []));

/** Opens the same form as `me` and as `other`, who saves first. For personal data, both are the same person. */
async function openForBoth(edit: EditForm) {
  const { findForm, identifyingFields = {}, isOwn } = edit;
  const { page, action } = await findForm(world, world.people.admin);
  const other = isOwn ? me : owner;
  const openForm = async (screens: WorkspaceBrowser) =>
    readFilledForm((await screens.open(page)).html, screens.base + action, identifyingFields);
  const back = { back: me.base + page };
  const [mine, theirs] = [edit.newValue, edit.otherValue].map((each) =>
    typeof each === 'string' ? each : each(world),
  );
  const texts = { mine: mine ?? '', theirs: theirs ?? '' };
  return {
    action,
    other,
    openForm,
    back,
    texts,
    mine: await openForm(me),
    theirs: await openForm(other),
  };
}

describe('a field that someone else changed after the page was opened', () => {
  it.each(editForms)(
    "isn't overwritten by %s, which shows who changed it and keeps the typed value",
    async (_name, edit) => {
      const { field, isOwn, hasUnknownAuthor } = edit;
      const { action, other, openForm, back, texts, mine, theirs } = await openForBoth(edit);
      expect((await submitForm(other, action, { ...theirs, ...back, [field]: texts.theirs })).status).toBe(
        303,
      );
      const late = await submitForm(me, action, { ...mine, ...back, [field]: texts.mine });
      expect([late.status, late.writes]).toEqual([412, []]);
      expect((await openForm(me))[field]).toBe(texts.theirs);

      const [who, where] = isOwn
        ? ['You', ' in another tab']
        : [hasUnknownAuthor ? 'Someone' : world.people.owner.name, ''];
      const now = edit.isId
        ? `changed this${where}. Your version is still here`
        : `changed this to “${texts.theirs}”${where}.`;
      expect(readErrors(late.html)).toContain(`${who} ${now}`);
      const again = readFilledForm(late.html, me.base + action, edit.identifyingFields);
      expect(again[field]).toBe(texts.mine);
      expect((await submitForm(me, action, { ...again, ...back })).status).toBe(303);
      expect((await openForm(me))[field]).toBe(texts.mine);
    },
  );

  it('causes no conflict if both people save the same value', async () => {
    const edit = formConflicts.changeProject?.edit as EditForm;
    const { action, other, back, mine, theirs } = await openForBoth(edit);
    const want = { ...back, [edit.field]: `${edit.newValue}`.replace('My', 'Our') };
    expect((await submitForm(other, action, { ...theirs, ...want })).status).toBe(303);
    expect((await submitForm(me, action, { ...mine, ...want })).status).toBe(303);
  });

  it.each(editForms)("isn't reverted by %s if the person left it unchanged", async (_name, edit) => {
    const { action, other, openForm, back, texts, mine, theirs } = await openForBoth(edit);
    const faster = await submitForm(other, action, { ...theirs, ...back, [edit.field]: texts.theirs });
    expect(faster.status).toBe(303);
    const [otherField, value] = edit.otherField ?? [];
    const wanted = otherField && value ? { [otherField]: value } : {};
    const response = await submitForm(me, action, { ...mine, ...back, ...wanted });
    expect(response.status).toBe(303);
    expect(await openForm(me)).toMatchObject({ [edit.field]: texts.theirs, ...wanted });
  });
});

describe("an account's name", () => {
  it("isn't overwritten by a page that was opened before it changed", async () => {
    const browser = new TestBrowser();
    await browser.signInAs(await addPerson(world, 'renamed', 'member'));
    const openForm = async () =>
      readFilledForm(await (await browser.get('/account')).text(), '/account/name');
    const [first, late] = [await openForm(), await openForm()];
    expect((await browser.post('/account/name', { ...first, name: 'First Name' })).status).toBe(303);
    const rejected = await browser.post('/account/name', { ...late, name: 'Second Name' });
    const html = await rejected.text();
    expect(rejected.status).toBe(412);
    expect(readErrors(html)).toContain('changed this to “First Name”');
    const again = readFilledForm(html, '/account/name');
    expect([again.name, (await browser.post('/account/name', again)).status]).toEqual(['Second Name', 303]);
    expect((await openForm()).name).toBe('Second Name');
  });
});

describe('a page that was opened before the person lost permissions', () => {
  let person: Person;
  let screens: WorkspaceBrowser;
  let token: string;

  beforeAll(async () => {
    person = await addPerson(world, 'fallen', 'admin');
    screens = await WorkspaceBrowser.signIn(world, person);
    token = await readCsrfToken(screens);
    // Opens a page, so that the isolate caches the person as an admin.
    expect((await screens.open('/people')).status).toBe(200);
  });

  const lost = formRules.filter(
    ({ may, endsActor }) => may.includes('admin') && !may.includes('client') && !endsActor,
  );

  it("can't be used to submit forms that the person may no longer use, and nothing is written", async () => {
    const calls = [];
    for (const rule of lost) calls.push([rule.form, await rule.call(world, world.people.admin)] as const);
    const fall = await owner.send('/people', `/people/${person.userId}/role`, { role: 'client' });
    expect([fall.status, calls.length > 25]).toEqual([303, true]);
    const wrong = [];
    for (const [form, { path, fields }] of calls) {
      const { status, writes } = await submitForm(screens, path, { csrf: token, ...fields });
      if (![403, 404].includes(status) || writes.length > 0) wrong.push([form, status, writes]);
    }
    expect(wrong).toEqual([]);
  });

  it('returns 404 for every form once the person is removed', async () => {
    expect((await screens.open('/people')).status).toBe(200);
    expect(
      (await owner.send(`/people?about=${person.userId}`, `/people/${person.userId}/remove`)).status,
    ).toBe(303);
    for (const { name, path } of forms) {
      const response = await submitForm(screens, path.replaceAll(/:\w+/g, '7'), { csrf: token });
      expect([name, response.status, response.writes]).toEqual([name, 404, []]);
    }
  });
});
