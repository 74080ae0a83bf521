import type { PickTarget } from '../pickers.ts';
import { showToast } from '../toast.ts';
import { setControl } from './chips.ts';
import { type Choice, openMenu } from './menu.ts';
import { saveForm, waitForSaves } from './save-choice.ts';

interface KnownTag {
  readonly name: string;
  readonly mark: Element | null;
}

/** Saves all changes together when the menu closes, as one history entry and one undo step. */
export function openTagPicker(target: PickTarget) {
  if (target.control && target.task === '') return openTagsOfForm(target, target.control);
  let page: TagPage | null = null;
  let selected: readonly string[] = [];
  const { base = '' } = document.querySelector<HTMLElement>('.pickers')?.dataset ?? {};
  const address = `${base}/tasks/${target.task}/tags`;
  // Otherwise, the page could contain the tags from before the last save.
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
    list: (text) => (page ? listTags(text.replaceAll(',', ' ').trim(), page, selected) : []),
    search: () => loading,
    choose: ({ value }) => {
      selected = toggle(selected, value);
    },
    onClose: () => {
      if (!page || String(selected) === String(page.stored)) return;
      const shown = renderTags(selected, page.known);
      saveForm(target, page.form, { name: 'tags', value: selected.join(', ') }, { label: '', shown });
    },
  });
}

/** A filter is applied, and the form of a new task submits its tags. */
function openTagsOfForm(target: PickTarget, control: NonNullable<PickTarget['control']>) {
  const options = control instanceof HTMLInputElement ? [...(control.list?.options ?? [])] : [];
  const known = options.map(({ value }) => ({ name: value, mark: null }));
  const stored = splitTags(control.value);
  let selected: readonly string[] = stored;
  openMenu(target, {
    label: 'Tags',
    placeholder: control.form?.method === 'get' ? 'Filter by tags…' : 'Add or remove tags…',
    hint: 'Type a name to add a tag.',
    isMultiple: true,
    list: (text) => listTags(text.replaceAll(',', ' ').trim(), { known, stored }, selected),
    choose: ({ value }) => {
      selected = toggle(selected, value);
    },
    onClose: () => {
      if (String(selected) !== String(stored)) setControl(control, { value: selected.join(', '), label: '' });
    },
  });
}

function toggle(selected: readonly string[], value: string): readonly string[] {
  const rest = selected.filter((tag) => !isSame(tag, value));
  return rest.length < selected.length ? rest : [...selected, value];
}

interface TagPage {
  readonly form: HTMLFormElement;
  readonly stored: readonly string[];
  readonly known: readonly KnownTag[];
}

async function loadTags(address: string): Promise<TagPage | null> {
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
  const shown = document.createElement('span');
  shown.append(
    ...tags.map((name) => {
      const tag = document.createElement('span');
      tag.className = 'tag';
      tag.append(known.find((each) => isSame(each.name, name))?.mark?.cloneNode(true) ?? '', name);
      return tag;
    }),
  );
  return shown;
}

async function fetchPage(address: string): Promise<Document | null> {
  const answer = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok || answer.redirected) return null;
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

const splitTags = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Lists the task's own tags first. The offer to add the typed tag comes before tags that only contain the text. */
function listTags(
  text: string,
  { known, stored }: Pick<TagPage, 'known' | 'stored'>,
  selected: readonly string[],
): Choice[] {
  const all = [...stored, ...selected, ...known.map(({ name }) => name)];
  const names = all.filter((name, at) => all.findIndex((other) => isSame(other, name)) === at);
  const matching = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const choices = matching.map((name) => ({
    value: name,
    label: name,
    mark: known.find((tag) => isSame(tag.name, name))?.mark ?? null,
    isCurrent: selected.some((tag) => isSame(tag, name)),
  }));
  const isNew = text !== '' && !names.some((name) => isSame(name, text));
  if (!isNew) return choices;
  const isStart = ({ value }: Choice) => value.toLowerCase().startsWith(text.toLowerCase());
  const added = { value: text, label: `Add “${text}”` };
  return [...choices.filter(isStart), added, ...choices.filter((choice) => !isStart(choice))];
}
