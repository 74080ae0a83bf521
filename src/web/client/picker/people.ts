import type { PickerTarget } from '../pickers.ts';
import { isPersonId } from './chips.ts';
import { type FoundName, findNames } from './find-names.ts';
import type { MenuChoice } from './menu.ts';

const resultsByText = new Map<string, readonly FoundName[]>();

const getPickerData = () => document.querySelector<HTMLElement>('.pickers');

export async function searchPeople(text: string) {
  const results = await findNames(`${getPickerData()?.dataset.base}/people/find`, text);
  if (results) resultsByText.set(text, results);
}

/** Until the server responds, searches only people who are already known. */
export function listPersonChoices(target: PickerTarget, text: string): MenuChoice[] {
  const { anchor, control } = target;
  const me = getPickerData()?.dataset.me ?? '';
  const lowercaseText = text.toLowerCase();
  const assigneeName = readAssigneeName(control ?? anchor);
  const people = resultsByText.get(text) ?? [...resultsByText.values()].flat();
  const knownPeople = [...new Map(people.map((person) => [person.id, person])).values()];
  const matching = knownPeople.filter(({ name, note }) =>
    `${name} ${note}`.toLowerCase().includes(lowercaseText),
  );
  const first = listFirstChoices(target, me).filter(({ label }) =>
    label.toLowerCase().includes(lowercaseText),
  );
  const others = (resultsByText.has(text) ? knownPeople : matching).filter(
    ({ id }) => id !== me || lowercaseText !== '',
  );
  const choices = others.map(({ id, name, note, avatar }) => ({
    value: id,
    label: name,
    note,
    mark: avatar,
    isCurrent: name === assigneeName,
  }));
  const without = control?.closest<HTMLElement>('.chip')?.dataset.without?.split(' ') ?? [];
  return [...first, ...choices].filter(({ value }) => !without.includes(value));
}

function listFirstChoices({ control, task }: PickerTarget, me: string): MenuChoice[] {
  const toMe = { value: me, label: 'Assign to me', mark: getPickerData()?.querySelector('.avatar') ?? null };
  if (!(control instanceof HTMLSelectElement) || task !== '')
    return [toMe, { value: '', label: 'Unassigned', mark: buildEmptyAvatar() }];
  const isAdded = control.closest('[data-without]') !== null;
  const options = [...control.options]
    .filter(({ value }) => !isPersonId(value) && !(isAdded && value === ''))
    .map(({ value, text: label }) => ({ value, label, mark: buildEmptyAvatar() }));
  return options.some(({ value }) => value === 'me') ? options : [toMe, ...options];
}

function readAssigneeName(anchor: HTMLElement): string | undefined {
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
