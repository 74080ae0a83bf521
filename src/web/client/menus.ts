import { isFirstCall } from './first-call.ts';

/** Menus open without JavaScript. Scripts close them on Escape or a press elsewhere, and add arrow-key navigation. */
export function enableMenus() {
  if (!isFirstCall('menus')) return;
  document.addEventListener('pointerdown', ({ target }) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu-button[open]'))
      if (!(target instanceof Node) || !menu.contains(target)) menu.open = false;
  });
  document.addEventListener('submit', ({ target, submitter }) => {
    const submitterOrForm = submitter ?? target;
    const menu =
      submitterOrForm instanceof Element &&
      submitterOrForm.closest<HTMLDetailsElement>('details.menu-button');
    if (!menu) return;
    // Otherwise, the focus would be lost when the menu hides the pressed item.
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
    menu.open = false;
  });
  document.addEventListener('keydown', handleKey, { capture: true });
}

function handleKey(event: KeyboardEvent) {
  const { key, target } = event;
  const menu = target instanceof Element ? target.closest<HTMLDetailsElement>('details.menu-button') : null;
  if (!menu) return;
  const items = [...menu.querySelectorAll<HTMLElement>('summary ~ * :is(button, a)')];
  const at = items.indexOf(target as HTMLElement);
  if (key === 'Escape' && menu.open) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  } else if (key === 'ArrowDown') {
    menu.open = true;
    items[(at + 1) % items.length]?.focus();
  } else if (key === 'ArrowUp') items.at(at - 1)?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
