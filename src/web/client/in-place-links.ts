import { showPageAt } from './filters.ts';
import { enterScreenUrl } from './screen-url.ts';

let openedId: string | null = null;

/** Opens another state of the page, such as an editable cell or the next month, without reloading the page. */
export function enableInPlaceLinks() {
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element) || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = target.closest<HTMLAnchorElement>('a[data-in-place]');
    if (!link) return;
    event.preventDefault();
    if (link.id) openedId = link.id;
    void openInPlace(link.href);
  });
  document.addEventListener('keydown', (event) => {
    const leave = document.querySelector<HTMLAnchorElement>('a[data-leave]');
    if (event.key === 'Escape' && leave) void openInPlace(leave.href);
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('form:has([data-leave])')) openedId = null;
  });
  document.addEventListener('edgework:morphed', () => {
    if (document.activeElement === document.body) findOpenedElement()?.focus();
  });
}

function findOpenedElement(): HTMLElement | null {
  return openedId === null ? null : document.getElementById(openedId);
}

async function openInPlace(address: string) {
  const isShown = await showPageAt(address, {
    enter: (shownUrl) => {
      enterScreenUrl(shownUrl);
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
  });
  if (!isShown) return;
  const element = findOpenedElement();
  element?.focus();
  // A field is wider than the text it replaces and may be cut off in a narrow table.
  element?.closest('td')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (!(element instanceof HTMLSelectElement)) return;
  try {
    element.showPicker();
  } catch {
    // Some browsers let scripts open a list only shortly after a click, or not at all.
  }
}
