import type { PickTarget } from '../pickers.ts';
import type { Choice } from './menu.ts';

interface FoundPerson {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly avatar: Element | null;
}

/** The people found since the page was loaded, by search text. */
const foundByText = new Map<string, readonly FoundPerson[]>();

const getSource = () => document.querySelector<HTMLElement>('.pickers');

/** Searches everyone in the workspace by name or email. */
export async function searchPeople(text: string) {
  const query = new URLSearchParams({ q: text });
  const answer = await fetch(`${getSource()?.dataset.base}/people/find?${query}`, {
    headers: { Accept: 'text/html' },
  }).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const found = [...page.querySelectorAll<HTMLElement>('#found [data-found]')].map((item) => ({
    id: item.dataset.found ?? '',
    name: item.dataset.name ?? '',
    note: item.dataset.note ?? '',
    avatar: item.querySelector('.avatar'),
  }));
  foundByText.set(text, found);
}

/** Lists matches among the people who are already known, until the server responds. */
export function listPeople({ anchor }: PickTarget, text: string): Choice[] {
  const source = getSource();
  const me = source?.dataset.me ?? '';
  const wanted = text.toLowerCase();
  const assigned = readName(anchor);
  const people = foundByText.get(text) ?? [...foundByText.values()].flat();
  const known = [...new Map(people.map((person) => [person.id, person])).values()];
  const matching = known.filter(({ name, note }) => `${name} ${note}`.toLowerCase().includes(wanted));
  const toMe = { value: me, label: 'Assign to me', mark: source?.querySelector('.avatar') ?? null };
  const unassigned = { value: '', label: 'Unassigned', mark: buildEmptyAvatar() };
  const first = [toMe, unassigned].filter(({ label }) => label.toLowerCase().includes(wanted));
  const others = (foundByText.has(text) ? known : matching).filter(({ id }) => id !== me || wanted !== '');
  return [
    ...first,
    ...others.map(({ id, name, note, avatar }) => ({
      value: id,
      label: name,
      note,
      mark: avatar,
      isCurrent: name === assigned,
    })),
  ];
}

/** Returns the name of the first assignee, on a card, in a table cell or on the task's page. */
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
