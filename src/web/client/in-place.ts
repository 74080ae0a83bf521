import { showAddress } from './filters.ts';

/** The element that was opened last; the focus comes back to it. */
let opened: string | null = null;

/**
 * Follows links that lead to another state of the same page without leaving it: a cell that becomes a field, the next
 * month. Without a script they are usual links.
 */
export function enhanceInPlace() {
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = target.closest<HTMLAnchorElement>('a[data-in-place]');
    if (!link) return;
    event.preventDefault();
    if (link.id) opened = link.id;
    void goTo(link.href);
  });
  document.addEventListener('keydown', (event) => {
    const leave = document.querySelector<HTMLAnchorElement>('a[data-leave]');
    if (event.key === 'Escape' && leave) void goTo(leave.href);
  });
  // Who clicks somewhere else has gone on.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('form:has([data-leave])')) opened = null;
  });
  document.addEventListener('edgework:morphed', () => {
    if (document.activeElement === document.body) openedElement()?.focus();
  });
}

function openedElement(): HTMLElement | null {
  return opened === null ? null : document.getElementById(opened);
}

async function goTo(address: string) {
  const isShown = await showAddress(address, {
    enter: (shown) => {
      history.replaceState(history.state, '', shown);
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
  });
  if (!isShown) return;
  const element = openedElement();
  element?.focus();
  // A field is wider than what it replaces, and part of it may be outside of a narrow table.
  element?.closest('td')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (!(element instanceof HTMLSelectElement)) return;
  try {
    element.showPicker();
  } catch {
    // Not every browser can open a list, or not so long after the click.
  }
}
