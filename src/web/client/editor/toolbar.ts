import type { EditorView } from 'prosemirror-view';
import { editorTools } from './commands.ts';
import { enableLinkField } from './link-field.ts';
import { enableToolbarKeys } from './toolbar-keys.ts';

export function enableToolbar(container: HTMLElement, selectImages: (view: EditorView) => void) {
  const bar = container.querySelector('[role="toolbar"]');
  const buttons = [...(bar?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
  const link = enableLinkField(container);
  enableToolbarKeys(bar, buttons);
  return {
    show({ state }: EditorView) {
      for (const button of buttons) {
        const { tool = '' } = button.dataset;
        if (tool === 'image') continue;
        const isOn = tool === 'link' ? link.isOn(state) : editorTools[tool]?.isOn?.(state);
        if (isOn !== undefined) button.ariaPressed = String(isOn);
        else button.ariaDisabled = String(!editorTools[tool]?.run(state));
      }
    },
    listen(view: EditorView) {
      this.show(view);
      link.listen(view);
      bar?.addEventListener('click', ({ target }) => {
        const button = target instanceof Element ? target.closest<HTMLButtonElement>('button') : null;
        if (!button) return;
        const { tool = '' } = button.dataset;
        if (tool === 'link') {
          link.open(view);
          return;
        }
        if (tool === 'image') selectImages(view);
        editorTools[tool]?.run(view.state, view.dispatch, view);
        view.focus();
      });
    },
  };
}
