import './app.ts';
import { enableAutoSave } from './auto-save.ts';
import { enableInPlaceLinks } from './in-place-links.ts';
import { enablePickers } from './pickers.ts';

enableAutoSave();
// Must come before `enableInPlaceLinks`, so that a click opens a picker instead of a native field.
enablePickers();
enableInPlaceLinks();

let lastChecked: HTMLInputElement | null = null;

const listCheckboxes = () => [...document.querySelectorAll<HTMLInputElement>('input[name="ids"][form]')];

updateSelectedCount();
document.addEventListener('edgework:morphed', updateSelectedCount);
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.type === 'checkbox') handleSelectAllChange(target);
});
document.addEventListener('reset', () => setTimeout(updateSelectedCount));
document.addEventListener('click', ({ target, shiftKey }) => {
  if (target instanceof HTMLInputElement && target.form?.id === 'bulk') handleCheckboxClick(target, shiftKey);
});

// Otherwise, Enter would press the form's first button, Apply.
document.addEventListener('keydown', (event) => {
  const { key, target, isComposing, defaultPrevented } = event;
  if (key !== 'Enter' || isComposing || defaultPrevented || !(target instanceof HTMLInputElement)) return;
  const button = target.closest('.bulk-move')?.querySelector<HTMLButtonElement>('button[type="submit"]');
  if (!button) return;
  event.preventDefault();
  button.click();
});

function handleCheckboxClick(checkbox: HTMLInputElement, isRange: boolean) {
  const all = listCheckboxes();
  const [from, to] = [lastChecked ? all.indexOf(lastChecked) : -1, all.indexOf(checkbox)];
  if (isRange && from >= 0 && to >= 0) {
    for (const each of all.slice(Math.min(from, to), Math.max(from, to) + 1)) each.checked = checkbox.checked;
  }
  if (to >= 0) lastChecked = checkbox;
  updateSelectedCount();
}

function handleSelectAllChange(checkbox: HTMLInputElement) {
  if (!checkbox.classList.contains('select-all')) return;
  for (const each of listCheckboxes()) each.checked = checkbox.checked;
  updateSelectedCount();
}

function updateSelectedCount() {
  const all = listCheckboxes();
  const selected = all.filter(({ checked }) => checked).length;
  const countElement = document.querySelector('.bulk-bar .selected-count');
  const text = selected === 0 ? '' : `${selected} selected`;
  if (countElement && countElement.textContent !== text) countElement.textContent = text;
  const every = document.querySelector<HTMLInputElement>('.select-all');
  if (!every) return;
  every.hidden = false;
  every.checked = selected > 0 && selected === all.length;
  every.indeterminate = selected > 0 && selected < all.length;
}
