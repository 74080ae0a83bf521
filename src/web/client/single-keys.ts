const NAME = 'edgework:single-keys';

/** Whoever speaks to their computer turns single keys off: words would press them (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== 'off';
  } catch {
    return true;
  }
}

export function turnSingleKeys(isOn: boolean) {
  try {
    localStorage.setItem(NAME, isOn ? 'on' : 'off');
  } catch {
    // Without storage they stay on.
  }
}
