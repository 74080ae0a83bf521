import type { openEditor } from './editor/editor.ts';

/** Fields whose editor is open or on its way. */
const begun = new WeakSet<HTMLTextAreaElement>();

/** Loads the editor of a description as soon as somebody opens or enters one. Without it the text area goes on. */
export function enhanceRichText() {
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open) void begin(target.querySelector('textarea'));
    },
    { capture: true },
  );
  document.addEventListener('focusin', ({ target }) => void begin(target));
  void begin(document.activeElement);
}

async function begin(field: EventTarget | null) {
  if (!(field instanceof HTMLTextAreaElement) || field.dataset.editor === undefined || begun.has(field))
    return;
  begun.add(field);
  try {
    const module: { openEditor: typeof openEditor } = await import(field.dataset.editor);
    module.openEditor(field);
  } catch {
    // No network: the next time it is entered.
    begun.delete(field);
  }
}
