import { undoLatest } from './flash-message.ts';
import { areSingleKeysOn, isTyping } from './single-keys.ts';

/** Global shortcuts, listed in src/web/pages/shortcuts. Boards and the inbox add their own. */
export function enhanceKeys() {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && key === 'k') {
      event.preventDefault();
      follow('/');
      return;
    }
    if ((ctrlKey || metaKey) && key === 'Enter' && target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      target.form?.requestSubmit();
    }
    const isUndo = key === 'z' && !altKey && !isTyping(target);
    if (isUndo && (ctrlKey || metaKey)) {
      event.preventDefault();
      undoLatest();
    }
    if (ctrlKey || metaKey || altKey) return;
    if (isTyping(target)) {
      if (key === 'Escape') target.blur();
      return;
    }
    if (!areSingleKeysOn()) return;
    if (key === '/' || key === '?') {
      event.preventDefault();
      follow(key);
    } else if (isUndo) {
      undoLatest();
    } else if (key === 'c') {
      const field = document.querySelector<HTMLInputElement>('.quick-add input[name="name"]');
      if (!field) return;
      event.preventDefault();
      field.focus();
    }
  });
}

function follow(key: string) {
  document.querySelector<HTMLAnchorElement>(`a[aria-keyshortcuts="${key}"]`)?.click();
}
