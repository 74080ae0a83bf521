import './workspace-page.ts';
import { enableDragging, rememberPosition } from './drag.ts';
import { enablePickers } from './pickers.ts';
import { enableQuickAdd } from './quick-add.ts';
import { showToast } from './toast.ts';

const CARD_SELECTOR = '.cards > li:not(.more)';

enableDragging({
  lists: '.cards',
  items: 'li:not(.more)',
  isSorted: isManuallySorted,
  onDrop: submitMove,
  onRestore: (card, from) => {
    card.classList.remove('moving');
    updateColumnCounts(card, from);
  },
});
enableQuickAdd();
enablePickers();
document.addEventListener('keydown', handleKey);
document.addEventListener('click', openMoveDialog);

function isManuallySorted(): boolean {
  return document.querySelector('.board[data-manual]') !== null;
}

function moveToColumn(card: HTMLElement, status: string) {
  const list = document.querySelector(`.column[data-status="${status}"] .cards`);
  if (list && list !== card.parentElement) moveCard(card, () => list.prepend(card));
}

function moveWithinColumn(card: HTMLElement, isUp: boolean) {
  const adjacentCard = isUp ? card.previousElementSibling : card.nextElementSibling;
  if (!isManuallySorted() || !adjacentCard?.matches(CARD_SELECTOR)) return;
  moveCard(card, () => (isUp ? adjacentCard.before(card) : adjacentCard.after(card)));
  const cards = [...(card.parentElement?.querySelectorAll(CARD_SELECTOR) ?? [])];
  showToast(`${cards.indexOf(card) + 1} of ${cards.length}`, { isShown: false });
}

function moveCard(card: HTMLElement, change: () => void) {
  const from = card.parentElement;
  rememberPosition(card);
  change();
  if (from) submitMove(card, from);
}

function submitMove(card: HTMLElement, from: Element) {
  const form = document.querySelector<HTMLFormElement>('#move');
  const status = card.closest<HTMLElement>('.column')?.dataset.status;
  if (!form || !status) return;
  card.classList.add('moving');
  card.querySelector('a')?.focus({ preventScroll: true });
  updateColumnCounts(card, from);
  form.action = form.action.replace(/\/\d+\/move$/, `/${getTaskId(card)}/move`);
  const [over, under] = isManuallySorted() ? [card.previousElementSibling, card.nextElementSibling] : [];
  const getId = (neighbor?: Element | null) =>
    neighbor instanceof HTMLElement && neighbor.matches(CARD_SELECTOR) ? getTaskId(neighbor) : '';
  const below = getId(over);
  fillForm(form, { status, below, above: below ? '' : getId(under) });
  form.requestSubmit();
}

function getTaskId(card: Element): string {
  return card.querySelector('a')?.id.replace('task-', '') ?? '';
}

function fillForm(form: HTMLFormElement, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }
}

function updateColumnCounts(card: Element, from: Element) {
  const adjustCount = (list: Element, by: number) => {
    const countElement = list.closest('.column')?.querySelector('h2 .number');
    if (countElement)
      countElement.textContent = String(Number(countElement.textContent?.replace(/\D/g, '')) + by);
  };
  adjustCount(from, -1);
  adjustCount(card, 1);
}

function openMoveDialog(event: MouseEvent) {
  const opener = event.target instanceof Element ? event.target.closest<HTMLElement>('a.move') : null;
  const dialog = document.querySelector<HTMLDialogElement>('#move-dialog');
  const card = opener?.closest<HTMLElement>(CARD_SELECTOR);
  if (!dialog || !card) return;
  event.preventDefault();
  dialog.showModal();
  dialog.onkeydown = ({ key }) =>
    dialog.querySelectorAll<HTMLButtonElement>('button[name]')[Number(key) - 1]?.click();
  dialog.onclick = (click) => {
    const choice =
      click.target instanceof Element ? click.target.closest<HTMLButtonElement>('button[value]') : null;
    if (!choice) return;
    click.preventDefault();
    dialog.close();
    if (choice.name) moveToColumn(card, choice.value);
    else moveWithinColumn(card, choice.value === 'up');
    card.querySelector('a')?.focus();
  };
}

function handleKey(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey) return;
  const card = event.target instanceof Element ? event.target.closest<HTMLElement>(CARD_SELECTOR) : null;
  if (!card) return;
  if (event.altKey) {
    const isUp = event.key === 'ArrowUp';
    if (!isUp && event.key !== 'ArrowDown') return;
    event.preventDefault();
    moveWithinColumn(card, isUp);
    return;
  }
  const columns = [...document.querySelectorAll<HTMLElement>('.column')];
  const column = columns[Number(event.key) - 1];
  if (column) {
    event.preventDefault();
    moveToColumn(card, column.dataset.status ?? '');
    return;
  }
  const next = findAdjacentCard(card, event.key, columns);
  if (!next) return;
  event.preventDefault();
  next.querySelector('a')?.focus();
}

function findAdjacentCard(
  card: HTMLElement,
  key: string,
  columns: HTMLElement[],
): Element | null | undefined {
  if (key === 'ArrowDown' || key === 'j') return card.nextElementSibling;
  if (key === 'ArrowUp' || key === 'k') return card.previousElementSibling;
  const side = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  if (side === 0) return null;
  const from = columns.findIndex((column) => column.contains(card));
  const index = [...(card.parentElement?.children ?? [])].indexOf(card);
  for (let at = from + side; at >= 0 && at < columns.length; at += side) {
    const cards = columns[at]?.querySelectorAll(CARD_SELECTOR) ?? [];
    if (cards.length > 0) return cards[Math.min(index, cards.length - 1)];
  }
  return null;
}
