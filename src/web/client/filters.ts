import { morphPage } from './morph.ts';
import { leadsElsewhere, requestPage } from './request-page.ts';
import { showToast } from './toast.ts';

const TYPED_MS = 180;
const FILTERED = 'filtered';
/** Only the answer to what was asked last is shown. */
let latest = 0;

/** A search answers while it is typed. */
export function enhanceLiveSearch() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    if (form?.dataset.live === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => void search(form), TYPED_MS);
  });
}

/** Filters say in the address what the page shows, as they are chosen. */
export function enhanceFilters() {
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || !isFilter(form) || event.defaultPrevented) return;
    event.preventDefault();
    filtering = filter(form);
  });
  // The way back leads through what was filtered before. (Links to a place in the page have no such state.)
  window.addEventListener('popstate', ({ state }) => {
    const form = document.querySelector<HTMLFormElement>('form.filters');
    if (state === FILTERED) void showAddress(location.href, { form });
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
  await showAddress(askedBy(form), { enter: (address) => history.replaceState(history.state, '', address) });
}

/** The filter that was chosen last: whether the page shows it. */
let filtering = Promise.resolve(true);

/** Waits until the page shows the filter that was chosen last, which it asks for again if it was lost; false if it cannot. */
export async function whenFiltered(): Promise<boolean> {
  if (!(await lastFiltered())) document.querySelector<HTMLFormElement>('form.filters')?.requestSubmit();
  return lastFiltered();
}

async function lastFiltered(): Promise<boolean> {
  for (;;) {
    const last = filtering;
    const isShown = await last;
    if (last === filtering) return isShown;
  }
}

async function filter(form: HTMLFormElement): Promise<boolean> {
  const address = askedBy(form);
  const isShown = await showAddress(address, {
    form,
    isUnchanged: () => askedBy(form) === address,
    enter: (shown) => {
      history.replaceState(FILTERED, '');
      if (shown !== location.href) history.pushState(FILTERED, '', shown);
    },
  });
  if (!isShown) return false;
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  const found = document.querySelector('main .pager .number, main .empty')?.textContent ?? '';
  showToast(`Filtered. ${found}`, { isShown: false });
  return true;
}

interface How {
  /** It becomes what the answer says of it, unless it was changed meanwhile or refused. */
  form?: HTMLFormElement | null;
  isUnchanged?: () => boolean;
  /** Says where the page is now, as names become numbers on the way; before it is shown, for whoever hears of that. */
  enter?: (address: string) => void;
}

/** Makes the page say what that address answers; false if it could not, or if something else was asked meanwhile. */
export async function showAddress(
  address: string,
  { form = null, isUnchanged = () => true, enter }: How,
): Promise<boolean> {
  latest += 1;
  const asked = latest;
  const found = await requestPage(address);
  if (!found || asked !== latest) return false;
  const { answer, html } = found;
  if (leadsElsewhere(answer)) {
    location.assign(answer.url);
    return false;
  }
  const isTaken = answer.ok && isUnchanged();
  if (isTaken) form?.reset();
  enter?.(answer.url);
  morphPage(html, form && { form, isTaken, isRefused: !answer.ok });
  return true;
}
