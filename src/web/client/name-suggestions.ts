import { type Suggestion, Suggestions, type TextField } from './suggestions.ts';

const DEBOUNCE_MS = 120;

interface NameCompletion<F extends TextField> {
  readonly fieldOf: (target: EventTarget | null) => F | null;
  readonly readSearchText: (field: F) => string | null;
  readonly addressOf: (field: F) => string;
  readonly take: (field: F, chosen: Suggestion) => void;
}

export function enableNameSuggestions<F extends TextField>({
  fieldOf,
  readSearchText,
  addressOf,
  take,
}: NameCompletion<F>) {
  const suggestions = new Suggestions<F>(take);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showSuggestions = async (field: F) => {
    const asked = readSearchText(field);
    if (asked === null) return;
    const found = await fetchSuggestions(addressOf(field), asked);
    if (found && readSearchText(field) === asked && document.activeElement === field)
      suggestions.open(field, found);
  };
  document.addEventListener('input', ({ target }) => {
    const field = fieldOf(target);
    if (!field) return;
    clearTimeout(timer);
    if (readSearchText(field) === null) suggestions.close();
    else timer = setTimeout(() => void showSuggestions(field), DEBOUNCE_MS);
  });
  document.addEventListener('keydown', (event) => suggestions.takeKey(event), { capture: true });
  document.addEventListener('focusout', ({ target }) => fieldOf(target) && suggestions.close());
}

async function fetchSuggestions(address: string, asked: string): Promise<Suggestion[] | null> {
  const query = new URLSearchParams({ q: asked });
  const answer = await fetch(`${address}?${query}`, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok || answer.redirected) return null;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return [...page.querySelectorAll<HTMLElement>('#found [data-found]')].map(({ dataset }) => ({
    id: dataset.found ?? '',
    name: dataset.name ?? '',
    note: dataset.note ?? '',
    value: dataset.value ?? '',
  }));
}
