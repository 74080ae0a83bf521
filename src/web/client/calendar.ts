import './app.ts';
import { enableDragging } from './drag.ts';
import { enableInPlaceLinks } from './in-place-links.ts';
import { enablePickers } from './pickers.ts';

enableInPlaceLinks();
enablePickers();
enableDragging({ lists: '.day-items', items: 'li[data-form]', isSorted: () => false, onDrop: submitNewDate });

function submitNewDate(item: HTMLElement) {
  const form = document.getElementById(item.dataset.form ?? '');
  if (!(form instanceof HTMLFormElement)) return;
  form.action = form.action.replace(/\/\d+$/, `/${item.dataset.id}`);
  const field = form.elements.namedItem('date') ?? form.elements.namedItem('deadline');
  if (field instanceof HTMLInputElement) field.value = item.parentElement?.dataset.date ?? '';
  form.requestSubmit();
}
