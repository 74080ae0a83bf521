import { isEdited } from './edited-fields.ts';
import { morphPage } from './morph.ts';
import { getScreen } from './regions.ts';
import { isRedirectedElsewhere, requestPage } from './request-page.ts';
import { enterScreenUrl, getScreenUrl, hasScreenUrlChanged, toScreenUrl } from './screen-url.ts';
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
    if (hasScreenUrlChanged()) void showPageAt(getScreenUrl(), { form });
  });
}

function isFilterForm(form: HTMLFormElement): boolean {
  const isAuto = form.method === 'get' && form.dataset.auto !== undefined;
  return isAuto && new URL(form.action).pathname === location.pathname;
}

function buildFilterUrl(form: HTMLFormElement): string {
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
  await showPageAt(buildFilterUrl(form), {
    enter: enterScreenUrl,
  });
}

let latestFilterResult = Promise.resolve(true);

/** If the latest filter couldn't be applied, tries again once. Returns false if the second attempt also fails. */
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
  const address = buildFilterUrl(form);
  const isShown = await showPageAt(address, {
    form,
    isUnchanged: () => buildFilterUrl(form) === address,
    enter: (shownUrl) => {
      if (toScreenUrl(new URL(shownUrl)) !== getScreenUrl()) enterScreenUrl(shownUrl, { isNewEntry: true });
    },
  });
  if (!isShown) return false;
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  const resultText = document.querySelector('main .pager .number, main .empty')?.textContent ?? '';
  showToast(`Filtered. ${resultText}`, { isShown: false });
  return true;
}

interface ShowPageAtOptions {
  /** The form takes its values from the response, unless the form has changed since the request or has errors. */
  form?: HTMLFormElement | null;
  isUnchanged?: () => boolean;
  enter?: (address: string) => void;
}

export async function showPageAt(
  address: string,
  { form = null, isUnchanged = () => true, enter }: ShowPageAtOptions,
): Promise<boolean> {
  latestRequest += 1;
  const request = latestRequest;
  const pageResponse = await requestPage(address);
  if (!pageResponse || request !== latestRequest) return false;
  const { response, html } = pageResponse;
  if (isRedirectedElsewhere(response, getScreen())) {
    location.assign(response.url);
    return false;
  }
  const isAccepted = response.ok && isUnchanged();
  if (isAccepted) form?.reset();
  enter?.(response.url);
  morphPage(html, form && { form, isAccepted, isRejected: !response.ok });
  return true;
}
