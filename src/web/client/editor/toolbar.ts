import type { EditorView } from 'prosemirror-view';
import { editorTools } from './commands.ts';
import { enableLinkField } from './link-field.ts';

/** Tab reaches one button, and arrow keys move between buttons (ARIA toolbar pattern). */
export function enableToolbar(place: HTMLElement) {
  const bar = place.querySelector('[role="toolbar"]');
  const buttons = [...(bar?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
  const link = enableLinkField(place);
  const focusButton = (to: number) => {
    const next = buttons[(to + buttons.length) % buttons.length];
    for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
    next?.focus();
  };
  for (const each of buttons.slice(1)) each.tabIndex = -1;
  return {
    show({ state }: EditorView) {
      for (const button of buttons) {
        const { tool = '' } = button.dataset;
        const isOn = tool === 'link' ? link.isOn(state) : editorTools[tool]?.isOn?.(state);
        if (isOn !== undefined) button.ariaPressed = String(isOn);
        else button.ariaDisabled = String(!editorTools[tool]?.run(state));
      }
    },
    listen(view: EditorView) {
      this.show(view);
      link.listen(view);
      // Keeps focus and the selection in the text.
      bar?.addEventListener('mousedown', (event) => event.preventDefault());
      bar?.addEventListener('click', ({ target }) => {
        const button = target instanceof Element ? target.closest<HTMLButtonElement>('button') : null;
        if (!button) return;
        const { tool = '' } = button.dataset;
        if (tool === 'link') {
          link.open(view);
          return;
        }
        editorTools[tool]?.run(view.state, view.dispatch, view);
        view.focus();
      });
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
    },
  };
}
