import { enableNameSuggestions } from './name-suggestions.ts';
import type { Suggestion } from './suggestions.ts';

/** Matches the text after an @ at the start of a word, up to the caret. Names may contain spaces. */
const TYPED_MENTION_PATTERN = /(?:^|[\s([{"'])@([^\s@[](?:[^@\n]{0,40})?)?$/;

const idsByLabel = new Map<string, string>();

/** The field displays names, and the form sends `@[usr_…]`. */
export function enableMentions() {
  enableNameSuggestions<HTMLTextAreaElement>({
    findField: (target) => (isMentionField(target) ? target : null),
    readSearchText: findMentionText,
    getUrl: ({ dataset }) => dataset.mentions ?? '',
    onSelect: insertMention,
  });
  document.addEventListener('formdata', ({ target, formData }) => {
    if (!(target instanceof HTMLFormElement)) return;
    for (const field of target.querySelectorAll<HTMLTextAreaElement>('textarea[data-mentions]'))
      formData.set(field.name, replaceLabelsWithIds(field.value));
  });
  document.addEventListener('toggle', ({ target }) => replaceIdsWithLabels(target), { capture: true });
}

function isMentionField(target: EventTarget | null): target is HTMLTextAreaElement {
  return target instanceof HTMLTextAreaElement && target.dataset.mentions !== undefined;
}

function findMentionText(field: HTMLTextAreaElement): string | null {
  const match = TYPED_MENTION_PATTERN.exec(field.value.slice(0, field.selectionStart));
  return match ? (match[1] ?? '') : null;
}

function insertMention(field: HTMLTextAreaElement, person: Suggestion) {
  const searchText = findMentionText(field);
  if (searchText === null) return;
  const label = registerUniqueLabel(person);
  const end = field.selectionStart;
  field.setRangeText(`@${label} `, end - searchText.length - 1, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function registerUniqueLabel({ id, name, note }: Omit<Suggestion, 'value'>): string {
  const label = idsByLabel.has(name) && idsByLabel.get(name) !== id ? `${name} (${note})` : name;
  idsByLabel.set(label, id);
  return label;
}

function replaceLabelsWithIds(text: string): string {
  const labels = [...idsByLabel.keys()].sort((a, b) => b.length - a.length);
  if (labels.length === 0) return text;
  const any = labels.map((label) => label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.replace(
    new RegExp(`@(${any})(?![\\p{L}\\p{N}])`, 'gu'),
    (_, label) => `@[${idsByLabel.get(label)}]`,
  );
}

function replaceIdsWithLabels(target: EventTarget | null) {
  if (!(target instanceof HTMLDetailsElement) || !target.open) return;
  const field = target.querySelector('textarea');
  if (!isMentionField(field)) return;
  for (const mention of target.closest('.comment')?.querySelectorAll<HTMLElement>('.mention') ?? []) {
    const { person: id = '' } = mention.dataset;
    const label = registerUniqueLabel({
      id,
      name: mention.querySelector('bdi')?.textContent ?? '',
      note: id,
    });
    field.value = field.value.replaceAll(`@[${id}]`, `@${label}`);
  }
}
