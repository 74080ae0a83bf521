// The list: a cell becomes a field where it stands, and several tasks are ticked at once.
import { morphPage } from './morph.ts';

/** The cell that was opened last; the focus comes back to it. */
let opened: string | null = null;
let lastTicked: HTMLInputElement | null = null;

const ticks = () => [...document.querySelectorAll<HTMLInputElement>('input[name="ids"][form]')];

count();
document.addEventListener('edgework:morphed', () => {
  count();
  const cell = opened === null ? null : document.getElementById(opened);
  if (document.activeElement === document.body) cell?.focus();
});
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.type === 'checkbox') tickAll(target);
});
document.addEventListener('reset', () => setTimeout(count));
document.addEventListener('keydown', (event) => {
  const leave = document.querySelector<HTMLAnchorElement>('a.cell-leave');
  if (event.key === 'Escape' && leave) void goTo(leave.href);
});
document.addEventListener('click', (event) => {
  const { target } = event;
  if (!(target instanceof Element) || event.ctrlKey || event.metaKey) return;
  if (target instanceof HTMLInputElement && target.form?.id === 'bulk') tickRange(target, event.shiftKey);
  const link = target.closest<HTMLAnchorElement>('a.cell, a.cell-leave');
  if (!link) return;
  event.preventDefault();
  if (link.id) opened = link.id;
  void goTo(link.href);
});

/** Shows the same list with a cell opened or left. A failure is a usual visit of the address. */
async function goTo(address: string) {
  const answer = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok) {
    location.assign(address);
    return;
  }
  const html = await answer.text();
  history.replaceState(null, '', address);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  morphPage(html, { keepsTyped: true });
  const cell = opened === null ? null : document.getElementById(opened);
  cell?.focus();
  if (cell instanceof HTMLSelectElement && 'showPicker' in cell) {
    try {
      cell.showPicker();
    } catch {
      // Some browsers open a list only in the very click.
    }
  }
}

/** With Shift everything between two ticks becomes like the second one. */
function tickRange(tick: HTMLInputElement, isRange: boolean) {
  const all = ticks();
  const [from, to] = [lastTicked ? all.indexOf(lastTicked) : -1, all.indexOf(tick)];
  if (isRange && from >= 0 && to >= 0) {
    for (const each of all.slice(Math.min(from, to), Math.max(from, to) + 1)) each.checked = tick.checked;
  }
  if (to >= 0) lastTicked = tick;
  count();
}

function tickAll(tick: HTMLInputElement) {
  if (!tick.classList.contains('tick-all')) return;
  for (const each of ticks()) each.checked = tick.checked;
  count();
}

function count() {
  const all = ticks();
  const chosen = all.filter(({ checked }) => checked).length;
  const shown = document.querySelector('.bulk-bar .chosen');
  const text = chosen === 0 ? '' : `${chosen} chosen`;
  if (shown && shown.textContent !== text) shown.textContent = text;
  const every = document.querySelector<HTMLInputElement>('.tick-all');
  if (!every) return;
  every.hidden = false;
  every.checked = chosen > 0 && chosen === all.length;
  every.indeterminate = chosen > 0 && chosen < all.length;
}
