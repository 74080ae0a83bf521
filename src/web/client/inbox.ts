import './app.ts';
import { openRedirectsInPanel } from './open-task.ts';
import { areSingleKeyShortcutsEnabled } from './single-keys.ts';

const ITEM_SELECTOR = '.inbox > li';
/** The ids of the submitted, next and previous items. Focus moves to the first of them that still exists. */
let idsToFocus: string[] = [];

openRedirectsInPanel();

const listItems = () => [...document.querySelectorAll<HTMLElement>(ITEM_SELECTOR)];

function focusItem(item: Element | null | undefined): boolean {
  const opener = item?.querySelector<HTMLElement>('.row-button') ?? null;
  opener?.focus();
  return opener !== null;
}

function moveItemFocus(step: 1 | -1) {
  const all = listItems();
  focusItem(all[all.findIndex((item) => item.contains(document.activeElement)) + step]);
}

function submitItemForm(item: HTMLElement, name: 'read' | 'remove') {
  const form = item.querySelector<HTMLFormElement>(`form[action$="/${name}"]`);
  const all = listItems();
  const at = all.indexOf(item);
  idsToFocus = [item, all[at + 1], all[at - 1]].flatMap((each) => each?.id ?? []);
  form?.requestSubmit();
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
  const item = target.closest<HTMLElement>(ITEM_SELECTOR);
  if (!item) {
    if (key === 'j' && areSingleKeyShortcutsEnabled()) moveItemFocus(1);
    return;
  }
  if (key === 'ArrowDown' || key === 'j') moveItemFocus(1);
  else if (key === 'ArrowUp' || key === 'k') moveItemFocus(-1);
  else if (key === 'r') submitItemForm(item, 'read');
  else if (key === 'x') submitItemForm(item, 'remove');
  else return;
  event.preventDefault();
});
document.addEventListener('edgework:morphed', () => {
  const isLost = !document.activeElement?.closest(ITEM_SELECTOR);
  if (isLost) idsToFocus.some((id) => focusItem(document.getElementById(id)));
  idsToFocus = [];
});
