import type { PickTarget } from '../pickers.ts';
import { isPersonId } from './chips.ts';
import { type FoundName, findNames } from './find-names.ts';
import type { Choice } from './menu.ts';

const foundByText = new Map<string, readonly FoundName[]>();

const getSource = () => document.querySelector<HTMLElement>('.pickers');

export async function searchPeople(text: string) {
  const found = await findNames(`${getSource()?.dataset.base}/people/find`, text);
  if (found) foundByText.set(text, found);
}

/** Until the server responds, searches only people who are already known. */
export function listPeople(target: PickTarget, text: string): Choice[] {
  const { anchor, control } = target;
  const me = getSource()?.dataset.me ?? '';
  const wanted = text.toLowerCase();
  const assigned = readName(control ?? anchor);
  const people = foundByText.get(text) ?? [...foundByText.values()].flat();
  const known = [...new Map(people.map((person) => [person.id, person])).values()];
  const matching = known.filter(({ name, note }) => `${name} ${note}`.toLowerCase().includes(wanted));
  const first = listFirst(target, me).filter(({ label }) => label.toLowerCase().includes(wanted));
  const others = (foundByText.has(text) ? known : matching).filter(({ id }) => id !== me || wanted !== '');
  const choices = others.map(({ id, name, note, avatar }) => ({
    value: id,
    label: name,
    note,
    mark: avatar,
    isCurrent: name === assigned,
  }));
  const without = control?.closest<HTMLElement>('.chip')?.dataset.without?.split(' ') ?? [];
  return [...first, ...choices].filter(({ value }) => !without.includes(value));
}

function listFirst({ control, task }: PickTarget, me: string): Choice[] {
  const toMe = { value: me, label: 'Assign to me', mark: getSource()?.querySelector('.avatar') ?? null };
  if (!(control instanceof HTMLSelectElement) || task !== '')
    return [toMe, { value: '', label: 'Unassigned', mark: buildEmptyAvatar() }];
  const isAdded = control.closest('[data-without]') !== null;
  const options = [...control.options]
    .filter(({ value }) => !isPersonId(value) && !(isAdded && value === ''))
    .map(({ value, text: label }) => ({ value, label, mark: buildEmptyAvatar() }));
  return options.some(({ value }) => value === 'me') ? options : [toMe, ...options];
}

function readName(anchor: HTMLElement): string | undefined {
  if (anchor instanceof HTMLSelectElement) return anchor.selectedOptions[0]?.text;
  return (
    anchor.querySelector('.person-name bdi')?.textContent ??
    anchor.querySelector<HTMLElement>('.avatar[title]')?.title
  );
}

function buildEmptyAvatar(): Element {
  const avatar = document.createElement('span');
  avatar.className = 'avatar unassigned';
  return avatar;
}
