import type { PickerTarget } from '../pickers.ts';
import { showToast } from '../toast.ts';
import { setControlValue } from './chips.ts';
import { type MenuChoice, openMenu } from './menu.ts';
import { savePickedValue, waitForSaves } from './save-choice.ts';

interface KnownTag {
  readonly name: string;
  readonly mark: Element | null;
}

/** Saves all changes together when the menu closes, as one history entry and one undo step. */
export function openTagPicker(target: PickerTarget) {
  if (target.control && target.task === '') return openFormTagPicker(target, target.control);
  let page: LoadedTags | null = null;
  let selected: readonly string[] = [];
  const { base = '' } = document.querySelector<HTMLElement>('.pickers')?.dataset ?? {};
  const address = `${base}/tasks/${target.task}/tags`;
  // Waits for unfinished saves, so that the loaded tags include the last change.
  const loading = waitForSaves(address)
    .then(() => loadTags(address))
    .then((loaded) => {
      page = loaded;
      selected = loaded?.stored ?? [];
      if (!loaded) showToast("Couldn't load the tags. Try again.", { isProblem: true });
    });
  openMenu(target, {
    label: 'Tags',
    placeholder: 'Add or remove tags…',
    hint: 'Type a name to add a tag.',
    isMultiple: true,
    list: (text) => (page ? listTagChoices(text.replaceAll(',', ' ').trim(), page, selected) : []),
    search: () => loading,
    choose: ({ value }) => {
      selected = toggleTag(selected, value);
    },
    onClose: () => {
      if (!page || String(selected) === String(page.stored)) return;
      const shown = renderTags(selected, page.known);
      savePickedValue(target, page.form, { name: 'tags', value: selected.join(', ') }, { label: '', shown });
    },
  });
}

/** Selects tags for a form, such as a filter or a new task, instead of a stored task. */
function openFormTagPicker(target: PickerTarget, control: NonNullable<PickerTarget['control']>) {
  const options = control instanceof HTMLInputElement ? [...(control.list?.options ?? [])] : [];
  const known = options.map(({ value }) => ({ name: value, mark: null }));
  const stored = splitTags(control.value);
  let selected: readonly string[] = stored;
  openMenu(target, {
    label: 'Tags',
    placeholder: control.form?.method === 'get' ? 'Filter by tags…' : 'Add or remove tags…',
    hint: 'Type the name of a tag.',
    isMultiple: true,
    list: (text) => listTagChoices(text.replaceAll(',', ' ').trim(), { known, stored }, selected),
    choose: ({ value }) => {
      selected = toggleTag(selected, value);
    },
    onClose: () => {
      if (String(selected) !== String(stored))
        setControlValue(control, { value: selected.join(', '), label: '' });
    },
  });
}

function toggleTag(selected: readonly string[], value: string): readonly string[] {
  const rest = selected.filter((tag) => !isSameTag(tag, value));
  return rest.length < selected.length ? rest : [...selected, value];
}

interface LoadedTags {
  readonly form: HTMLFormElement;
  readonly stored: readonly string[];
  readonly known: readonly KnownTag[];
}

async function loadTags(address: string): Promise<LoadedTags | null> {
  const page = await fetchPage(address);
  const form = page?.querySelector<HTMLFormElement>('#task-tags');
  const field = form?.querySelector<HTMLInputElement>('[name="tags"]');
  if (!page || !form || !field) return null;
  const known = [...page.querySelectorAll('#tag-choices .tag')].map((tag) => ({
    name: tag.textContent,
    mark: tag.querySelector('.dot'),
  }));
  return { form, stored: splitTags(field.value), known };
}

function renderTags(tags: readonly string[], known: readonly KnownTag[]): HTMLElement {
  const tagList = document.createElement('span');
  tagList.append(
    ...tags.map((name) => {
      const tag = document.createElement('span');
      tag.className = 'tag';
      tag.append(known.find((each) => isSameTag(each.name, name))?.mark?.cloneNode(true) ?? '', name);
      return tag;
    }),
  );
  return tagList;
}

async function fetchPage(address: string): Promise<Document | null> {
  const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!response?.ok || response.redirected) return null;
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

const splitTags = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

const isSameTag = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Lists the task's own tags first. Tags that don't start with the typed text come after "Add". */
function listTagChoices(
  text: string,
  { known, stored }: Pick<LoadedTags, 'known' | 'stored'>,
  selected: readonly string[],
): MenuChoice[] {
  const all = [...stored, ...selected, ...known.map(({ name }) => name)];
  const names = all.filter((name, at) => all.findIndex((other) => isSameTag(other, name)) === at);
  const matching = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const choices = matching.map((name) => ({
    value: name,
    label: name,
    mark: known.find((tag) => isSameTag(tag.name, name))?.mark ?? null,
    isCurrent: selected.some((tag) => isSameTag(tag, name)),
  }));
  const isNew = text !== '' && !names.some((name) => isSameTag(name, text));
  if (!isNew) return choices;
  const isStart = ({ value }: MenuChoice) => value.toLowerCase().startsWith(text.toLowerCase());
  const added = { value: text, label: `Add “${text}”` };
  return [...choices.filter(isStart), added, ...choices.filter((choice) => !isStart(choice))];
}
