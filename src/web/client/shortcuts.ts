import './app.ts';
import { areSingleKeyShortcutsEnabled, setSingleKeyShortcutsEnabled } from './single-keys.ts';

const singleKeysCheckbox = document.querySelector<HTMLInputElement>('#single-keys');
if (singleKeysCheckbox) {
  singleKeysCheckbox.checked = areSingleKeyShortcutsEnabled();
  singleKeysCheckbox.addEventListener('change', () => {
    setSingleKeyShortcutsEnabled(singleKeysCheckbox.checked);
    singleKeysCheckbox.checked = areSingleKeyShortcutsEnabled();
  });
}
