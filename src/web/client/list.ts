import './app.ts';
import { enhanceAutoSave } from './auto-save.ts';
import { enhanceInPlace } from './in-place.ts';

enhanceAutoSave();
enhanceInPlace();

let lastTicked: HTMLInputElement | null = null;

const ticks = () => [...document.querySelectorAll<HTMLInputElement>('input[name="ids"][form]')];

count();
document.addEventListener('edgework:morphed', count);
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.type === 'checkbox') tickAll(target);
});
document.addEventListener('reset', () => setTimeout(count));
document.addEventListener('click', ({ target, shiftKey }) => {
  if (target instanceof HTMLInputElement && target.form?.id === 'bulk') tickRange(target, shiftKey);
});

/** Shift extends the selection from the last checkbox. */
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
  const text = chosen === 0 ? '' : `${chosen} selected`;
  if (shown && shown.textContent !== text) shown.textContent = text;
  const every = document.querySelector<HTMLInputElement>('.tick-all');
  if (!every) return;
  every.hidden = false;
  every.checked = chosen > 0 && chosen === all.length;
  every.indeterminate = chosen > 0 && chosen < all.length;
}
