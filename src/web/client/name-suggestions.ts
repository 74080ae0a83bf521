import { type Suggestion, Suggestions, type TextField } from './suggestions.ts';

const DEBOUNCE_MS = 120;

interface NameSuggestionOptions<F extends TextField> {
  readonly findField: (target: EventTarget | null) => F | null;
  readonly readSearchText: (field: F) => string | null;
  readonly getUrl: (field: F) => string;
  readonly onSelect: (field: F, chosen: Suggestion) => void;
}

export function enableNameSuggestions<F extends TextField>({
  findField,
  readSearchText,
  getUrl,
  onSelect,
}: NameSuggestionOptions<F>) {
  const suggestions = new Suggestions<F>(onSelect);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showSuggestions = async (field: F) => {
    const searchText = readSearchText(field);
    if (searchText === null) return;
    const options = await fetchSuggestions(getUrl(field), searchText);
    if (options && readSearchText(field) === searchText && document.activeElement === field)
      suggestions.open(field, options);
  };
  document.addEventListener('input', ({ target }) => {
    const field = findField(target);
    if (!field) return;
    clearTimeout(timer);
    if (readSearchText(field) === null) suggestions.close();
    else timer = setTimeout(() => void showSuggestions(field), DEBOUNCE_MS);
  });
  document.addEventListener('keydown', (event) => suggestions.handleKey(event), { capture: true });
  document.addEventListener('focusout', ({ target }) => findField(target) && suggestions.close());
}

async function fetchSuggestions(address: string, searchText: string): Promise<Suggestion[] | null> {
  const query = new URLSearchParams({ q: searchText });
  const response = await fetch(`${address}?${query}`, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!response?.ok || response.redirected) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return [...page.querySelectorAll<HTMLElement>('#found [data-found]')].map(({ dataset }) => ({
    id: dataset.found ?? '',
    name: dataset.name ?? '',
    note: dataset.note ?? '',
    value: dataset.value ?? '',
  }));
}
