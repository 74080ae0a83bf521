// Rejected forms are displayed again with the submitted values, which must be escaped.
import { Parser } from 'htmlparser2';
import { beforeAll, describe, expect, it } from 'vitest';
import { forms, screens } from '../../../src/web/pages/screens.ts';
import { getCell } from '../../support/env.ts';
import { createFullWorkspace, type FullWorkspace } from './full-workspace.ts';
import {
  buildSkeleton,
  expectSameStructure,
  hostileRounds,
  hostileTexts,
  joinLines,
} from './hostile-pages.ts';

/** With more people and projects than a list displays, search fields appear next to lists. */
const ROWS_ADDED = 120;

let fullWorkspace: FullWorkspace;
beforeAll(async () => {
  fullWorkspace = await createFullWorkspace('Task');
  const { joined } = fullWorkspace.world.projects;
  const { member } = fullWorkspace.world.people.member;
  await getCell(1).batch([
    getCell(1)
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO members (no, ws, user_id, role, name, email, email_key, cells, created_at)
        SELECT 8000000 + i, ws, 'usr_form' || i, 'member', 'Many ' || i, i || '@form.test', i || '@form.test', cells,
          created_at FROM n, members WHERE no = ?`,
      )
      .bind(ROWS_ADDED, member),
    getCell(1)
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO projects (ws, name, status, owner, created_at)
        SELECT ws, 'Many ' || i, status, owner, created_at FROM n, projects WHERE id = ?`,
      )
      .bind(ROWS_ADDED, joined.id),
  ]);
});

interface Field {
  readonly name: string;
  readonly value: string;
  readonly kind: string;
}

interface ShownForm {
  readonly page: string;
  readonly action: string;
  readonly fields: readonly Field[];
}

function parseForms(page: string, html: string): ShownForm[] {
  const found: { page: string; action: string; fields: Field[] }[] = [];
  let isInside = false;
  const parser = new Parser({
    onopentag(tag, { name, value = '', method, action = '', type, 'data-line': line }) {
      if (tag === 'form') isInside = method === 'post';
      if (tag === 'form' && isInside) found.push({ page, action, fields: [] });
      const isField = tag === 'input' || tag === 'textarea' || tag === 'select';
      if (isField && isInside && name)
        found.at(-1)?.fields.push({ name, value, kind: line === undefined ? (type ?? tag) : 'text' });
    },
    onclosetag: (tag) => {
      if (tag === 'form') isInside = false;
    },
  });
  parser.end(html);
  return found;
}

const toFormPath = (action: string) => action.replace(/usr_\w+|\b\d+\b/g, ':id');

const paths = forms.map(({ path }) => path.replace(/:\w+/g, ':id'));
const isRegistered = (action: string) =>
  paths.includes(toFormPath(action.replace(fullWorkspace.owner.base, '')));

async function findForms(): Promise<ShownForm[]> {
  const { owner, idsByParameter } = fullWorkspace;
  const found = new Map<string, ShownForm>();
  const addresses = screens
    .filter(({ redirectTo }) => !redirectTo)
    .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => String(idsByParameter[name])));
  // `usr_form1` is on the first page of the list of people.
  const others = [
    '/people?about=usr_form1',
    `/meetings/new?projectId=${idsByParameter.project}&date=2026-12-01&time=10:00`,
    `/projects/${idsByParameter.otherProject}/sharing`,
    `/filters/${idsByParameter.publicFilter}/sharing`,
    '/tasks?q=Task',
    `/templates/${idsByParameter.projectTemplate}`,
    `/tasks?q=Task&filter=${idsByParameter.filter}`,
  ];
  for (const path of [...addresses, ...others]) {
    const { html } = await owner.open(path);
    for (const form of parseForms(path, html).filter(({ action }) => isRegistered(action))) {
      const names = form.fields.map(({ name }) => name);
      found.set(`${toFormPath(form.action)} ${names}`, form);
    }
  }
  return [...found.values()];
}

function fillForm({ fields }: ShownForm, text: string, changes: Record<string, string>): URLSearchParams {
  const sent = fields.map(({ name, value, kind }) => [name, kind === 'hidden' ? value : text]);
  const form = new URLSearchParams(sent);
  for (const [name, value] of Object.entries(changes)) form.set(name, value);
  return form;
}

const toDisplayedText = (fields: readonly Field[], text: string) =>
  fields.some(({ kind }) => kind === 'textarea') ? text : joinLines(text);

const isTyped = ({ kind }: Field) => ['text', 'textarea', 'email', 'search'].includes(kind);

/** Forms that appear only after another action and have no text fields. */
const hiddenForms = [
  'archiveTasks',
  'restoreTasks',
  'moveTasks',
  'deleteTasks',
  'restoreDeletedTasks',
  'undo',
  'undoMoves',
  'filterAgain',
  'orderSubtasks',
  'followTask',
  'unfollowTask',
  'restoreConvertedLine',
  'removeReaction',
  'startTimer',
  'restoreTask',
  'restoreDeletedTask',
  'restoreFile',
  'endFeed',
  'restoreMeeting',
  'restoreProjectFile',
  'turnOffPush',
  'testPush',
  'restoreNotification',
  'restoreCustomField',
];

describe('displaying a rejected form again', () => {
  it('escapes submitted values in every field of every workspace form', async () => {
    const { owner } = fullWorkspace;
    const shown = await findForms();
    const actions = shown.map(({ action }) => toFormPath(action.replace(owner.base, '')));
    const unseen = forms.filter(({ path }) => !actions.includes(path.replace(/:\w+/g, ':id')));
    expect(unseen.map(({ name }) => name)).toEqual(hiddenForms);
    for (const form of shown) {
      // With another browser's token, the form is rejected before it is processed.
      const changes = { csrf: 'of another browser', once: crypto.randomUUID() };
      const submitText = async (text: string) => {
        const answer = await owner.browser.post(form.action, fillForm(form, text, changes));
        expect([answer.status, form.action]).toEqual([403, form.action]);
        return answer.text();
      };
      const harmless = buildSkeleton(await submitText('Plain'));
      for (const text of hostileRounds) {
        const about = `${form.action} with ${JSON.stringify(text)}`;
        expectSameStructure(
          await submitText(text),
          harmless,
          about,
          form.fields.some(isTyped) ? toDisplayedText(form.fields, text) : '',
        );
      }
    }
  });

  it.each(['find-assigneeId', 'find-project-projectId'])(
    'escapes an unknown name in the error next to the field %s',
    async (name) => {
      const { owner } = fullWorkspace;
      const form = (await findForms()).find(({ fields }) => fields.some((field) => field.name === name));
      if (!form) throw new Error(`No form has the field ${name}`);
      const submitText = async (text: string) => {
        const sent = new URLSearchParams(form.fields.map((field) => [field.name, field.value]));
        sent.set('once', crypto.randomUUID());
        sent.set(name, text);
        const answer = await owner.browser.post(form.action, sent);
        expect([answer.status, text]).toEqual([400, text]);
        return answer.text();
      };
      const harmless = buildSkeleton(await submitText('Nobody of this name'));
      for (const each of hostileTexts) {
        const text = `${each.slice(0, 150)} nobody`;
        expectSameStructure(
          await submitText(text),
          harmless,
          JSON.stringify(text),
          `matches “${toDisplayedText([], text).trim()}”`,
        );
      }
    },
  );

  it.each(['/account', '/account/apps', '/connected-apps'])(
    'escapes submitted values on %s',
    async (page) => {
      const { browser } = fullWorkspace.owner;
      const shown = parseForms(page, await (await browser.get(page)).text()).filter(({ fields }) =>
        fields.some(isTyped),
      );
      expect(shown.length).toBeGreaterThan(0);
      for (const form of shown) {
        const submitText = async (text: string) => {
          const sent = fillForm(form, text, { once: crypto.randomUUID() });
          const answer = await browser.post(form.action, sent);
          expect([answer.status, form.action, text]).toEqual([400, form.action, text]);
          return answer.text();
        };
        const harmless = buildSkeleton(await submitText('Plain'.repeat(70)));
        for (const text of hostileRounds)
          expectSameStructure(
            await submitText(text),
            harmless,
            `${form.action} with ${JSON.stringify(text)}`,
            toDisplayedText(form.fields, text),
          );
      }
    },
  );
});
