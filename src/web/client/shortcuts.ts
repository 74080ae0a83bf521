import './app.ts';
import { areSingleKeysOn, setSingleKeys } from './single-keys.ts';

const singleKeysCheckbox = document.querySelector<HTMLInputElement>('#single-keys');
if (singleKeysCheckbox) {
  singleKeysCheckbox.checked = areSingleKeysOn();
  singleKeysCheckbox.addEventListener('change', () => {
    setSingleKeys(singleKeysCheckbox.checked);
    singleKeysCheckbox.checked = areSingleKeysOn();
  });
}
