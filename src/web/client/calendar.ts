// The calendar: a meeting or a deadline is dragged to another day; the form of its own page says the same without a script.
import './app.ts';
import Sortable from 'sortablejs/modular/sortable.core.esm.js';

const wired = new WeakSet<Element>();
let origin: { item: HTMLElement; list: Element; next: Element | null } | null = null;

wire();
document.addEventListener('edgework:morphed', wire);
document.addEventListener('edgework:unsent', () => {
  if (origin) origin.list.insertBefore(origin.item, origin.next);
});

function wire() {
  for (const list of document.querySelectorAll<HTMLElement>('.day-items')) {
    if (wired.has(list)) continue;
    wired.add(list);
    Sortable.create(list, {
      group: 'days',
      draggable: 'li[data-form]',
      forceFallback: true,
      fallbackTolerance: 4,
      delay: 150,
      delayOnTouchOnly: true,
      animation: 90,
      sort: false,
      onStart: ({ item, from }) => {
        origin = { item, list: from, next: item.nextElementSibling };
      },
      onEnd: ({ item, from, to }) => {
        if (from !== to) send(item, to.dataset.date ?? '');
      },
    });
  }
}

function send(item: HTMLElement, date: string) {
  const form = document.getElementById(item.dataset.form ?? '');
  if (!(form instanceof HTMLFormElement)) return;
  form.action = form.action.replace(/\/\d+$/, `/${item.dataset.id}`);
  const field = form.elements.namedItem('date') ?? form.elements.namedItem('deadline');
  if (field instanceof HTMLInputElement) field.value = date;
  form.requestSubmit();
}
