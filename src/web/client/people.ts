import { type Person, Suggestions, type TextField } from './suggestions.ts';

const TYPED_MS = 120;

/** A kind of field that completes people while somebody types. */
interface Completed<F extends TextField> {
  /** The field, if it is of this kind. */
  readonly fieldOf: (target: EventTarget | null) => F | null;
  /** What is asked for now; null for nothing. */
  readonly askedIn: (field: F) => string | null;
  /** Whom to ask. */
  readonly addressOf: (field: F) => string;
  readonly take: (field: F, person: Person) => void;
}

/** Completes people below fields of one kind, from the list of people in the page of their address. */
export function completePeople<F extends TextField>({ fieldOf, askedIn, addressOf, take }: Completed<F>) {
  const suggestions = new Suggestions<F>(take);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (field: F) => {
    const asked = askedIn(field);
    if (asked === null) return;
    const people = await findPeople(addressOf(field), asked);
    if (people && askedIn(field) === asked && document.activeElement === field)
      suggestions.open(field, people);
  };
  document.addEventListener('input', ({ target }) => {
    const field = fieldOf(target);
    if (!field) return;
    clearTimeout(timer);
    if (askedIn(field) === null) suggestions.close();
    else timer = setTimeout(() => void ask(field), TYPED_MS);
  });
  document.addEventListener('keydown', (event) => suggestions.takeKey(event), { capture: true });
  document.addEventListener('focusout', ({ target }) => fieldOf(target) && suggestions.close());
}

async function findPeople(address: string, asked: string): Promise<Person[] | null> {
  const query = new URLSearchParams({ q: asked });
  const answer = await fetch(`${address}?${query}`, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok || answer.redirected) return null;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return [...page.querySelectorAll<HTMLElement>('#people-found [data-person]')].map(({ dataset }) => ({
    id: dataset.person ?? '',
    name: dataset.name ?? '',
    email: dataset.email ?? '',
    value: dataset.value ?? '',
  }));
}

/** Fields beside lists that do not hold everybody: the server takes a name or an address there. */
export function enhancePeopleFields() {
  completePeople<HTMLInputElement>({
    fieldOf: (target) =>
      target instanceof HTMLInputElement && target.dataset.people !== undefined ? target : null,
    askedIn: ({ value }) => value.trim() || null,
    addressOf: ({ dataset }) => dataset.people ?? '',
    take: (field, { value }) => {
      field.value = value;
      if (field.form?.dataset.auto !== undefined) field.form.requestSubmit();
    },
  });
}
