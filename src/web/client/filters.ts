import { morphPage } from './morph.ts';
import { isRedirectedElsewhere, requestPage } from './request-page.ts';
import { showToast } from './toast.ts';

const TYPED_MS = 180;
const FILTERED = 'filtered';
/** Only the response to the latest request is displayed. */
let latest = 0;

export function enhanceLiveSearch() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    if (form?.dataset.live === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => void search(form), TYPED_MS);
  });
}

export function enhanceFilters() {
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || !isFilter(form) || event.defaultPrevented) return;
    event.preventDefault();
    filtering = applyFilter(form);
  });
  // Back returns to the previous filter. Fragment links have no state.
  window.addEventListener('popstate', ({ state }) => {
    const form = document.querySelector<HTMLFormElement>('form.filters');
    if (state === FILTERED) void showAddress(location.href, { form });
  });
}

function isFilter(form: HTMLFormElement): boolean {
  const isAuto = form.method === 'get' && form.dataset.auto !== undefined;
  return isAuto && new URL(form.action).pathname === location.pathname;
}

function askedBy(form: HTMLFormElement): string {
  const query = new URLSearchParams(new FormData(form) as unknown as URLSearchParams);
  return `${form.action.split('?')[0]}?${query}`;
}

async function search(form: HTMLFormElement) {
  await showAddress(askedBy(form), { enter: (address) => history.replaceState(history.state, '', address) });
}

let filtering = Promise.resolve(true);

/** Retries once. Returns false if the latest filter could not be applied. */
export async function waitUntilFiltered(): Promise<boolean> {
  if (!(await waitForLastFilter())) document.querySelector<HTMLFormElement>('form.filters')?.requestSubmit();
  return waitForLastFilter();
}

async function waitForLastFilter(): Promise<boolean> {
  for (;;) {
    const last = filtering;
    const isShown = await last;
    if (last === filtering) return isShown;
  }
}

async function applyFilter(form: HTMLFormElement): Promise<boolean> {
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
  /** Updated from the response, unless it has changed since or has errors. */
  form?: HTMLFormElement | null;
  isUnchanged?: () => boolean;
  /** Called with the final address before the page is displayed. */
  enter?: (address: string) => void;
}

/** Returns false if the request failed or a later one replaced it. */
export async function showAddress(
  address: string,
  { form = null, isUnchanged = () => true, enter }: How,
): Promise<boolean> {
  latest += 1;
  const asked = latest;
  const found = await requestPage(address);
  if (!found || asked !== latest) return false;
  const { answer, html } = found;
  if (isRedirectedElsewhere(answer)) {
    location.assign(answer.url);
    return false;
  }
  const isTaken = answer.ok && isUnchanged();
  if (isTaken) form?.reset();
  enter?.(answer.url);
  morphPage(html, form && { form, isTaken, isRefused: !answer.ok });
  return true;
}
