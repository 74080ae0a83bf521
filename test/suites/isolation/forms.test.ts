import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Role, roles } from '../../../src/kernel/access/roles.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { readFormFields } from '../../oauth/flow.ts';
import { formOperations } from '../../support/operations.ts';
import { pickEveryNth } from '../../support/tier.ts';
import { addPerson, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { watchWrites } from '../fuzz/watch-writes.ts';
import { type FormRule, formRules } from './form-rules.ts';

const writeLog = watchWrites();
let home: World;
let otherWorld: World;
const visitors = new Map<Person, Visitor>();

interface Visitor {
  readonly screens: WorkspaceBrowser;
  readonly csrf: string;
}

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  [home, otherWorld] = await Promise.all([createWorld(), createWorld()]);
});

async function getVisitor(person: Person): Promise<Visitor> {
  const known = visitors.get(person);
  if (known) return known;
  const screens = await WorkspaceBrowser.signIn(home, person);
  const { csrf = '' } = readFormFields(await (await screens.browser.get('/sign-out')).text(), '/sign-out');
  const visitor = { screens, csrf };
  visitors.set(person, visitor);
  return visitor;
}

interface FormResponse {
  status: number;
  html: string;
  writes: string[];
}

async function sendForm(
  { screens, csrf }: Visitor,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  headers: Record<string, string> = {},
): Promise<FormResponse> {
  writeLog.takeWrites();
  const all = { csrf, once: crypto.randomUUID(), ...fields };
  const answer = await screens.browser.post(path, all, headers, writeLog.bindings);
  const html = (await answer.text()).replaceAll(/name="once" value="[^"]*"/g, '');
  return { status: answer.status, html, writes: writeLog.takeWrites() };
}

/** A form that creates a secret shows it instead of redirecting. */
function getExpectedStatus(rule: FormRule, role: Role): number {
  if (rule.may.includes(role)) return forms.find(({ name }) => name === rule.form)?.secret ? 200 : 303;
  if (rule.hidden?.includes(role)) return 404;
  return rule.wrong?.includes(role) ? 400 : 403;
}

const replaceWithMissingIds = (text: string) =>
  text.replaceAll(/\b\d{4,}\b/g, '99999999999').replaceAll(/usr_\w+/g, 'usr_nobody');

describe('form permissions', () => {
  it('are defined for every form without a REST route', () => {
    const own = forms.filter(({ operation }) => formOperations.includes(operation)).map(({ name }) => name);
    expect([...new Set(formRules.map(({ form }) => form))].sort()).toEqual(own.sort());
  });

  it.each(formRules.map((rule) => [rule.about ? `${rule.form} (${rule.about})` : rule.form, rule] as const))(
    'are enforced for %s',
    async (_name, rule) => {
      const wrong: string[] = [];
      for (const role of roles) {
        const leaves = rule.endsActor && role !== 'owner';
        const actor = leaves ? await addPerson(home, 'leaver', role) : home.people[role];
        const visitor = await getVisitor(actor);
        const call = await rule.call(home, actor);
        const seen = await sendForm(visitor, visitor.screens.base + call.path, call.fields);
        const expected = getExpectedStatus(rule, role);
        if (seen.status !== expected) wrong.push(`${role}: ${seen.status} instead of ${expected}`);
        if (expected >= 400 && seen.writes.length > 0)
          wrong.push(`${role}: rejected, and wrote ${seen.writes}`);
        if (rule.foreign === null) continue;

        const theirs = await rule.call(otherWorld, otherWorld.people[role]);
        const foreign = await sendForm(visitor, visitor.screens.base + theirs.path, theirs.fields);
        const missing = await sendForm(
          visitor,
          visitor.screens.base + replaceWithMissingIds(theirs.path),
          theirs.fields && JSON.parse(replaceWithMissingIds(JSON.stringify(theirs.fields))),
        );
        const isRefused = rule.foreign === 400 && !rule.may.includes(role);
        const known = isRefused ? 403 : rule.foreign;
        if (foreign.status !== known && foreign.status !== 403)
          wrong.push(`${role}, foreign: ${foreign.status}`);
        if (foreign.writes.length > 0) wrong.push(`${role}, foreign: wrote ${foreign.writes}`);
        if (replaceWithMissingIds(foreign.html) !== replaceWithMissingIds(missing.html))
          wrong.push(`${role}: foreign and missing differ`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('the form', () => {
  const paths = forms.map(({ name, path }) => [name, path.replaceAll(/:\w+/g, '7')] as const);

  it.each(pickEveryNth(3, paths))(
    '%s returns 404 in other workspaces, whether or not they exist',
    async (_name, path) => {
      const visitor = await getVisitor(home.people.owner);
      const seen = [];
      for (const id of [otherWorld.id, 'ws_nowhere']) {
        const answer = await sendForm(visitor, `/app/${id}${path}`, { name: 'Stolen' });
        seen.push({ ...answer, html: answer.html.replaceAll(id, '') });
      }
      expect(seen[0]).toEqual(seen[1]);
      expect(seen[0]).toMatchObject({ status: 404, writes: [] });
    },
  );

  it.each(pickEveryNth(3, paths))(
    '%s is accepted only from a signed-in person, from the same origin, with valid tokens',
    async (_name, path) => {
      const visitor = await getVisitor(home.people.owner);
      const address = visitor.screens.base + path;
      const origin = { Origin: 'https://evil.example' };
      for (const [fields, headers] of [
        [{ csrf: '' }, {}],
        [{ csrf: 'x'.repeat(43) }, {}],
        [{ csrf: (await getVisitor(home.people.admin)).csrf }, {}],
        [{ once: '' }, {}],
        [{}, origin],
        [{}, { Origin: 'null' }],
      ] as const) {
        const seen = await sendForm(visitor, address, fields, headers);
        expect([seen.status, seen.writes], JSON.stringify([fields, headers])).toEqual([403, []]);
      }
      const stranger = await new WorkspaceBrowser(home).browser.post(address, {
        csrf: visitor.csrf,
        once: 'x',
      });
      expect(stranger.status).toBe(403);
    },
  );
});
