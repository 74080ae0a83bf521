import { undoLatest } from './flash-message.ts';
import { areSingleKeyShortcutsEnabled, isTypingTarget } from './single-keys.ts';

export function enableShortcuts() {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && key === 'k') {
      event.preventDefault();
      clickShortcutLink('Control+K');
      return;
    }
    if ((ctrlKey || metaKey) && key === 'Enter' && target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      target.form?.requestSubmit();
    }
    const isUndo = key === 'z' && !altKey && !isTypingTarget(target);
    if (isUndo && (ctrlKey || metaKey)) {
      event.preventDefault();
      undoLatest();
    }
    if (ctrlKey || metaKey || altKey) return;
    if (isTypingTarget(target)) {
      if (key === 'Escape') target.blur();
      return;
    }
    if (!areSingleKeyShortcutsEnabled()) return;
    if (key === '/' || key === '?' || key === 'c') {
      event.preventDefault();
      clickShortcutLink(key);
    } else if (isUndo) {
      undoLatest();
    } else if (key === 'e' && target instanceof Element) {
      target.closest('li, tr')?.querySelector<HTMLButtonElement>('.complete')?.click();
    }
  });
}

function clickShortcutLink(key: string) {
  document.querySelector<HTMLAnchorElement>(`a[aria-keyshortcuts="${key}"]`)?.click();
}
