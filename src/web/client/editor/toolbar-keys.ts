/** The Tab key reaches only one button of the toolbar. Arrow keys move between the buttons (ARIA toolbar pattern). */
export function enableToolbarKeys(bar: Element | null, buttons: readonly HTMLButtonElement[]) {
  const focusButton = (to: number) => {
    const next = buttons[(to + buttons.length) % buttons.length];
    for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
    next?.focus();
  };
  for (const each of buttons.slice(1)) each.tabIndex = -1;
  bar?.addEventListener('mousedown', (event) => event.preventDefault());
  bar?.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const { key } = event as KeyboardEvent;
    if (key === 'ArrowRight') focusButton(at + 1);
    else if (key === 'ArrowLeft') focusButton(at - 1);
    else if (key === 'Home') focusButton(0);
    else if (key === 'End') focusButton(-1);
    else return;
    event.preventDefault();
  });
}
