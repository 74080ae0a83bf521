import { isEdited } from './edited-fields.ts';
import { morphPage } from './morph.ts';
import { getScreen } from './regions.ts';
import { isRedirectedElsewhere, requestPage } from './request-page.ts';
import {
  enterScreenAddress,
  getScreenAddress,
  hasScreenAddressChanged,
  toScreenAddress,
} from './screen-address.ts';
import { showToast } from './toast.ts';

const DEBOUNCE_MS = 180;
let latestRequest = 0;

export function enableLiveSearch() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    if (form?.dataset.live === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => void applySearch(form), DEBOUNCE_MS);
  });
}

export function enableFilters() {
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || !isFilterForm(form) || event.defaultPrevented) return;
    event.preventDefault();
    latestFilterResult = applyFilter(form);
  });
  window.addEventListener('popstate', () => {
    const form = document.querySelector<HTMLFormElement>('form.filters');
    if (hasScreenAddressChanged()) void showPageAt(getScreenAddress(), { form });
  });
}

function isFilterForm(form: HTMLFormElement): boolean {
  const isAuto = form.method === 'get' && form.dataset.auto !== undefined;
  return isAuto && new URL(form.action).pathname === location.pathname;
}

function buildFilterAddress(form: HTMLFormElement): string {
  const formData = new FormData(form);
  // Omits default values to keep the URL short.
  for (const { elements } of form.querySelectorAll<HTMLFieldSetElement>('fieldset[data-default]')) {
    const fields = [...elements] as HTMLInputElement[];
    if (!fields.some(isEdited)) for (const { name } of fields) formData.delete(name);
  }
  const set = [...formData].filter(([, value]) => value !== '');
  const query = new URLSearchParams(set as [string, string][]);
  return `${form.action.split('?')[0]}?${query}`;
}

async function applySearch(form: HTMLFormElement) {
  await showPageAt(buildFilterAddress(form), {
    enter: enterScreenAddress,
  });
}

let latestFilterResult = Promise.resolve(true);

/** Retries once. Returns false if the latest filter couldn't be applied. */
export async function waitUntilFiltered(): Promise<boolean> {
  if (!(await waitForLastFilter())) document.querySelector<HTMLFormElement>('form.filters')?.requestSubmit();
  return waitForLastFilter();
}

async function waitForLastFilter(): Promise<boolean> {
  for (;;) {
    const last = latestFilterResult;
    const isShown = await last;
    if (last === latestFilterResult) return isShown;
  }
}

async function applyFilter(form: HTMLFormElement): Promise<boolean> {
  const address = buildFilterAddress(form);
  const isShown = await showPageAt(address, {
    form,
    isUnchanged: () => buildFilterAddress(form) === address,
    enter: (shown) => {
      if (toScreenAddress(new URL(shown)) !== getScreenAddress())
        enterScreenAddress(shown, { isNewEntry: true });
    },
  });
  if (!isShown) return false;
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  const found = document.querySelector('main .pager .number, main .empty')?.textContent ?? '';
  showToast(`Filtered. ${found}`, { isShown: false });
  return true;
}

interface ShowPageOptions {
  /** The form takes its values from the response, unless the form has changed since the request or has errors. */
  form?: HTMLFormElement | null;
  isUnchanged?: () => boolean;
  enter?: (address: string) => void;
}

export async function showPageAt(
  address: string,
  { form = null, isUnchanged = () => true, enter }: ShowPageOptions,
): Promise<boolean> {
  latestRequest += 1;
  const asked = latestRequest;
  const found = await requestPage(address);
  if (!found || asked !== latestRequest) return false;
  const { answer, html } = found;
  if (isRedirectedElsewhere(answer, getScreen())) {
    location.assign(answer.url);
    return false;
  }
  const isAccepted = answer.ok && isUnchanged();
  if (isAccepted) form?.reset();
  enter?.(answer.url);
  morphPage(html, form && { form, isAccepted, isRejected: !answer.ok });
  return true;
}
