// The board: cards are dragged, moved by keys, and walked through; each move is the form of "Move to…".
import './app.ts';
import Sortable from 'sortablejs/modular/sortable.core.esm.js';

const wired = new WeakSet<Element>();
let origin: { card: HTMLElement; list: Element; next: Element | null } | null = null;

wire();
document.addEventListener('edgework:morphed', wire);
document.addEventListener('edgework:unsent', putBack);
document.addEventListener('keydown', onKey);
document.addEventListener('click', openChoice);

/** Lists stay the same elements over a refresh, so each is wired once. */
function wire() {
  for (const list of document.querySelectorAll<HTMLElement>('.cards')) {
    if (wired.has(list)) continue;
    wired.add(list);
    Sortable.create(list, {
      group: 'cards',
      draggable: '.cards > li[data-task]',
      forceFallback: true,
      fallbackTolerance: 4,
      delay: 150,
      delayOnTouchOnly: true,
      animation: 90,
      sort: false,
      onStart: ({ item, from }) => {
        origin = { card: item, list: from, next: item.nextElementSibling };
      },
      onEnd: ({ item, from, to }) => {
        if (from !== to) sendMove(item, columnOf(to));
      },
    });
  }
}

function columnOf(element: Element): string {
  return element.closest<HTMLElement>('.column')?.dataset.status ?? '';
}

/** Shows the card in its new column at once; the server's answer is the truth. */
function move(card: HTMLElement, status: string) {
  const list = document.querySelector(`.column[data-status="${status}"] .cards`);
  if (!list || columnOf(card) === status) return;
  origin = { card, list: card.parentElement as Element, next: card.nextElementSibling };
  const hadFocus = card.contains(document.activeElement);
  list.prepend(card);
  if (hadFocus) card.querySelector('a')?.focus();
  sendMove(card, status);
}

function sendMove(card: HTMLElement, status: string) {
  const form = document.querySelector<HTMLFormElement>('#move');
  if (!form || !status) return;
  card.classList.add('moving');
  recount();
  form.action = form.action.replace(/\/\d+\/move$/, `/${card.dataset.task}/move`);
  const field = form.elements.namedItem('status');
  if (field instanceof HTMLInputElement) field.value = status;
  form.requestSubmit();
}

/** Keeps the counts honest while the answer is on its way: one card less here, one more there. */
function recount() {
  if (!origin) return;
  const { card, list } = origin;
  const change = (column: Element | null, by: number) => {
    const shown = column?.querySelector('h2 .number');
    if (shown) shown.textContent = String(Number(shown.textContent?.replace(/\D/g, '')) + by);
  };
  change(list.closest('.column'), -1);
  change(card.closest('.column'), 1);
}

/** The move did not reach the server. */
function putBack() {
  if (!origin) return;
  const { card, list, next } = origin;
  if (card.parentElement === list) return;
  const moved = { card, list: card.parentElement as Element, next: null };
  list.insertBefore(card, next);
  card.classList.remove('moving');
  origin = moved;
  recount();
  origin = null;
}

function openChoice(event: MouseEvent) {
  const opener = event.target instanceof Element ? event.target.closest<HTMLElement>('a.move') : null;
  const dialog = document.querySelector<HTMLDialogElement>('#choose');
  const card = opener?.closest<HTMLElement>('li[data-task]');
  if (!dialog || !card) return;
  event.preventDefault();
  dialog.dataset.task = card.dataset.task;
  dialog.showModal();
  dialog.onclick = (click) => {
    const choice =
      click.target instanceof Element ? click.target.closest<HTMLButtonElement>('button[value]') : null;
    if (!choice) return;
    click.preventDefault();
    dialog.close();
    move(card, choice.value);
    card.querySelector('a')?.focus();
  };
}

/** Arrows walk, 1 to 5 move. */
function onKey(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const card =
    event.target instanceof Element ? event.target.closest<HTMLElement>('.cards > li[data-task]') : null;
  if (!card) return;
  const columns = [...document.querySelectorAll<HTMLElement>('.column')];
  const chosen = columns[Number(event.key) - 1];
  if (chosen) {
    event.preventDefault();
    move(card, chosen.dataset.status ?? '');
    return;
  }
  const next = neighbour(card, event.key, columns);
  if (!next) return;
  event.preventDefault();
  next.querySelector('a')?.focus();
}

function neighbour(card: HTMLElement, key: string, columns: HTMLElement[]): Element | null | undefined {
  if (key === 'ArrowDown' || key === 'j') return card.nextElementSibling;
  if (key === 'ArrowUp' || key === 'k') return card.previousElementSibling;
  const side = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  if (side === 0) return null;
  const from = columns.findIndex((column) => column.contains(card));
  const place = [...(card.parentElement?.children ?? [])].indexOf(card);
  for (let at = from + side; at >= 0 && at < columns.length; at += side) {
    const cards = columns[at]?.querySelectorAll('.cards > li[data-task]') ?? [];
    if (cards.length > 0) return cards[Math.min(place, cards.length - 1)];
  }
  return null;
}
