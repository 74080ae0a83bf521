import fc from 'fast-check';
import * as z from 'zod';
import { unwrapSchema } from '../../../src/kernel/errors/describe-parse-error.ts';
import type { AnyForm } from '../../../src/web/page-model/page.ts';
import { readFormFields } from '../../oauth/flow.ts';
import { getCell } from '../../support/env.ts';
import { addPerson, type World } from '../../support/world.ts';
import { createRemovableObject, formConflicts } from '../../web/server/stale-forms.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { hostileText } from './hostile-values.ts';
import type { WriteLog } from './watch-writes.ts';

/** A form as a signed-in person would send it. */
export interface WireForm {
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** A second owner who submits the forms, because a form may end the membership of the person who submits it. */
export interface Sender {
  readonly screens: WorkspaceBrowser;
  readonly csrf: string;
  /** Ids and other values that paths and fields can contain, by name. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

export async function createSender(world: World, { name }: AnyForm): Promise<Sender> {
  const actor = await addPerson(world, 'sender', 'owner');
  const screens = await WorkspaceBrowser.signIn(world, actor);
  const csrf = readFormFields(await (await screens.browser.get('/sign-out')).text(), '/sign-out').csrf ?? '';
  const { people, projects, categories } = world;
  const ids: Record<string, string[]> = {
    userId: [people.member.userId, people.client.userId, actor.userId],
    projectId: [String(projects.joined.id), String(projects.other.id)],
    categoryId: [String(categories[0].id)],
    id: [String(categories[0].id), String(categories[0].typeId), String(projects.joined.id)],
  };
  // Hostile requests may have used up the limit of prepared imports.
  await getCell(world.cell)
    .prepare("UPDATE imports SET status = 'failed' WHERE ws = ? AND status = 'ready'")
    .bind(world.no)
    .run();
  for (const need of formConflicts[name]?.needs ?? []) {
    const object = await createRemovableObject(need, world, actor);
    for (const [each, value] of Object.entries(object.ids)) ids[each] = [...(ids[each] ?? []), String(value)];
  }
  return { screens, csrf, ids };
}

export function generateForms({ path, operation }: AnyForm, { ids }: Sender): fc.Arbitrary<WireForm> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const shape = Object.entries(operation.input.shape as Record<string, z.ZodType>);
  const fields = shape.filter(([name]) => !names.includes(name));
  const odd = fc.tuple(
    fc.constantFrom('shown', 'back', 'field', 'once', 'csrf', 'before', '__proto__', 'constructor', 'id', ''),
    hostileText,
  );
  return fc
    .record({
      parts: fc.tuple(...names.map((name) => generatePathPart(ids[name] ?? []))),
      values: fc.tuple(
        ...fields.map(([name, field]) => fc.option(generateFieldValue(name, field, ids), { freq: 6 })),
      ),
      odd: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(odd, { maxLength: 3 }) },
      ),
    })
    .map(({ parts, values, odd }) => ({
      path: names.reduce((filled, name, index) => filled.replace(`:${name}`, () => parts[index] ?? ''), path),
      fields: [
        ...fields.flatMap(([name], index) => {
          const value = values[index];
          return value === null || value === undefined ? [] : [[name, value] as const];
        }),
        ...odd,
      ],
    }));
}

function generatePathPart(known: readonly string[]): fc.Arbitrary<string> {
  const odd = fc.oneof(
    hostileText.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd').slice(0, 200))),
    fc.constantFrom('0', '-1', '1e3', '99999999999', '%2e%2e', '%E0%A4', 'usr_nobody'),
  );
  const usual = known.length > 0 ? fc.constantFrom(...known) : odd;
  return fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

function generateFieldValue(name: string, field: z.ZodType, ids: Sender['ids']): fc.Arbitrary<string> {
  const type = unwrapSchema(field);
  const inner = type instanceof z.ZodArray ? unwrapSchema(type.element as z.ZodType) : type;
  const known = [...(ids[name] ?? []), ...(/Ids?$/.test(name) ? Object.values(ids).flat() : [])];
  const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : [];
  const usual = [...known, ...choices];
  return fc.oneof(
    ...(usual.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...usual) }] : []),
    {
      weight: 2,
      arbitrary: fc.constantFrom('', ' ', 'A name', '2.5', '0', 'true', '2026-12-01', '10:00', '1e999'),
    },
    { weight: 2, arbitrary: hostileText.map((text) => text.replace(/\p{Surrogate}/gu, '\ufffd')) },
  );
}

const acceptedStatuses = [200, 303];
/** Even a form that shows no stored values may return 412, because hostile text can look like a snapshot. */
const rejectedStatuses = [400, 403, 404, 412, 429];
const FORM_BYTES_MAX = 5_000_000;

/** Throws if the response violates the contract. Returns the status. */
export async function checkForm(
  { screens, csrf }: Sender,
  { path, fields }: WireForm,
  store: WriteLog,
): Promise<number> {
  const form = new URLSearchParams([
    ['csrf', csrf],
    ['once', crypto.randomUUID()],
    ['back', `${screens.base}/projects`],
  ]);
  for (const [name, value] of fields) form.append(name, value);
  store.takeWrites();
  const answer = await screens.browser.post(screens.base + path, form, {}, store.bindings);
  const text = await answer.text();
  const writes = store.takeWrites();
  const { status, headers } = answer;
  if (![...acceptedStatuses, ...rejectedStatuses].includes(status))
    throw new Error(`returned ${status}: ${text.slice(0, 300)}`);
  if (rejectedStatuses.includes(status) && writes.length > 0)
    throw new Error(`was rejected with ${status} and wrote ${writes}`);
  if (text.length > FORM_BYTES_MAX) throw new Error(`returned ${text.length} bytes`);
  if (status === 303 && !/^\/(app|sign-in)\b/.test(headers.get('Location') ?? '')) {
    throw new Error(`leads to ${headers.get('Location')}`);
  }
  // A message may repeat a `javascript:` URL as text, but no attribute may contain one.
  if (
    /<script(?! type="module" src="\/assets\/)|=\s*["']?\s*javascript:/i.test(text.replaceAll(/&[^;]+;/g, ''))
  ) {
    throw new Error('shows what was sent as a script');
  }
  return status;
}
