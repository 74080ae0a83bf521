import './app.ts';
import { areSingleKeysOn, setSingleKeys } from './single-keys.ts';

const box = document.querySelector<HTMLInputElement>('#single-keys');
if (box) {
  box.checked = areSingleKeysOn();
  box.addEventListener('change', () => {
    setSingleKeys(box.checked);
    box.checked = areSingleKeysOn();
  });
}
