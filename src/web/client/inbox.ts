import './app.ts';
import { areSingleKeysOn } from './single-keys.ts';

const ITEMS = '.inbox > li';
/** The ids to focus if the item disappears: the next item, then the previous one. */
let following: string[] = [];

const items = () => [...document.querySelectorAll<HTMLElement>(ITEMS)];

function focusItem(item: Element | null | undefined): boolean {
  const opener = item?.querySelector<HTMLElement>('.row-button') ?? null;
  opener?.focus();
  return opener !== null;
}

function moveFocus(step: 1 | -1) {
  const all = items();
  focusItem(all[all.findIndex((item) => item.contains(document.activeElement)) + step]);
}

function send(item: HTMLElement, name: 'read' | 'remove') {
  const form = item.querySelector<HTMLFormElement>(`form[action$="/${name}"]`);
  const all = items();
  const at = all.indexOf(item);
  following = [item, all[at + 1], all[at - 1]].flatMap((each) => each?.id ?? []);
  form?.requestSubmit();
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
  const item = target.closest<HTMLElement>(ITEMS);
  if (!item) {
    if (key === 'j' && areSingleKeysOn()) moveFocus(1);
    return;
  }
  if (key === 'ArrowDown' || key === 'j') moveFocus(1);
  else if (key === 'ArrowUp' || key === 'k') moveFocus(-1);
  else if (key === 'r') send(item, 'read');
  else if (key === 'x') send(item, 'remove');
  else return;
  event.preventDefault();
});
document.addEventListener('edgework:morphed', () => {
  const isLost = !document.activeElement?.closest(ITEMS);
  if (isLost) following.some((id) => focusItem(document.getElementById(id)));
  following = [];
});
