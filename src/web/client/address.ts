import { ask, leadsElsewhere } from './ask.ts';
import { morphPage } from './morph.ts';
import { say } from './say.ts';

const TYPED_MS = 180;
const FILTERED = 'filtered';
/** Only the answer to what was asked last is shown. */
let latest = 0;

/** Forms that say in the address what the page shows: a search answers while it is typed, filters as they are chosen. */
export function enhanceAddressForms() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    if (form?.dataset.live === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => void search(form), TYPED_MS);
  });
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || !isFilter(form) || event.defaultPrevented) return;
    event.preventDefault();
    void filter(form);
  });
  // The way back leads through what was filtered before. (Links to a place in the page have no such state.)
  window.addEventListener('popstate', ({ state }) => {
    if (state === FILTERED) void show(location.href, document.querySelector<HTMLFormElement>('form.filters'));
  });
}

function isFilter(form: HTMLFormElement): boolean {
  const isAuto = form.method === 'get' && form.dataset.auto !== undefined;
  return isAuto && new URL(form.action).pathname === location.pathname;
}

/** No file is among the fields. */
function askedBy(form: HTMLFormElement): string {
  const query = new URLSearchParams(new FormData(form) as unknown as URLSearchParams);
  return `${form.action.split('?')[0]}?${query}`;
}

async function search(form: HTMLFormElement) {
  const shown = await show(askedBy(form));
  if (shown) history.replaceState(history.state, '', shown);
}

async function filter(form: HTMLFormElement) {
  const address = askedBy(form);
  const shown = await show(address, form, () => askedBy(form) === address);
  if (!shown) return;
  history.replaceState(FILTERED, '');
  history.pushState(FILTERED, '', shown);
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  const found = document.querySelector('main .pager .number, main .empty')?.textContent ?? '';
  say(`Filtered. ${found}`, { isShown: false });
}

/**
 * Makes the page say what that address answers, and tells where that was, as names become numbers on the way. Null if it
 * could not, or if something else was asked meanwhile.
 * @param form becomes what the answer says of it, unless it was changed meanwhile or refused.
 */
async function show(
  address: string,
  form: HTMLFormElement | null = null,
  isUnchanged = () => true,
): Promise<string | null> {
  latest += 1;
  const asked = latest;
  const found = await ask(address);
  if (!found || asked !== latest) return null;
  if (leadsElsewhere(found.answer)) {
    location.assign(found.answer.url);
    return null;
  }
  const isTaken = found.answer.ok && isUnchanged();
  if (isTaken) form?.reset();
  morphPage(found.html, form && { form, isTaken });
  return found.answer.url;
}
