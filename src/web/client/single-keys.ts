const STORAGE_KEY = 'edgework:single-keys';

const TEXT_FIELD_SELECTOR =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file]), textarea, select, [contenteditable]';

export function isTypingTarget(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELD_SELECTOR));
}

/** People who use speech input can turn single-key shortcuts off (WCAG 2.1.4). */
export function areSingleKeyShortcutsEnabled(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeyShortcutsEnabled(isOn: boolean) {
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  } catch {
    // Without storage, shortcuts stay on.
  }
}
