import './app.ts';

let isEnterPending = false;

const findSearchField = () => document.querySelector<HTMLInputElement>('.search-box input');
const listResults = () => [...document.querySelectorAll<HTMLElement>('#found .rows :is(a, button)')];
const hasCurrentResults = () =>
  (new URLSearchParams(location.search).get('q') ?? '') === findSearchField()?.value;

function openFirstResult() {
  isEnterPending = !hasCurrentResults();
  if (!isEnterPending) listResults()[0]?.click();
}

function moveResultFocus(step: number): boolean {
  const stops = [findSearchField(), ...listResults()];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + step];
  if (at < 0 || !next) return false;
  next.focus();
  return true;
}

document.addEventListener('keydown', (event) => {
  const { key, target, isComposing, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (isComposing || ctrlKey || metaKey || altKey || shiftKey) return;
  if (key === 'Enter' && target === findSearchField()) openFirstResult();
  else if (key === 'ArrowDown' ? !moveResultFocus(1) : key !== 'ArrowUp' || !moveResultFocus(-1)) return;
  event.preventDefault();
});
document.addEventListener('input', () => {
  isEnterPending = false;
});
document.addEventListener('edgework:morphed', () => {
  if (isEnterPending) openFirstResult();
});
