import { isAutoSubmitted } from './edited-fields.ts';
import { waitUntilFiltered } from './filters.ts';
import { showFlashMessage } from './flash-message.ts';
import { morphPage } from './morph.ts';
import { findRegion, getRegionUrl, getScreen, isPanel, listRegions, type Region } from './regions.ts';
import { isRedirectedElsewhere, navigateTo, requestPage } from './request-page.ts';
import { enterScreenUrl, toScreenUrl } from './screen-url.ts';
import { showToast } from './toast.ts';

function canSubmitByScript(form: HTMLFormElement): boolean {
  return (
    form.method === 'post' &&
    form.enctype !== 'multipart/form-data' &&
    new URL(form.action).pathname.startsWith('/app/')
  );
}

export function enableForms() {
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !canSubmitByScript(form) || event.defaultPrevented) return;
    event.preventDefault();
    if (form.matches('.with-filter')) void submitAfterFiltering(form, submitter);
    else submitForm(form, submitter);
  });
  // Submits only filters, because src/web/client/auto-save.ts submits the forms that change stored values.
  document.addEventListener('change', ({ target }) => {
    const { form, type } = target as HTMLInputElement;
    if (form?.method === 'get' && isAutoSubmitted(form) && type !== 'date' && type !== 'checkbox')
      form.requestSubmit();
  });
}

interface Submission {
  readonly form: HTMLFormElement;
  readonly action: string;
  readonly submitter: HTMLElement | null;
  readonly values: string;
  readonly key: string;
  readonly texts: ReadonlyMap<HTMLTextAreaElement, string>;
  readonly region: Region;
  readonly address: string;
  /** If true, closing the page doesn't cancel the request. Browsers limit the size of such requests. */
  readonly isLeaving: boolean;
  isUnderWay: boolean;
  ended?: Promise<void>;
}

/** Keyed by the form's id, or by its action URL and hidden fields, because a refresh may replace the element. */
const submissions = new Map<string, Submission>();
let submissionCount = 0;

const volatileFields = ['csrf', 'once', 'shown', 'back'];

function readSubmission(form: HTMLFormElement, submitter: HTMLElement | null) {
  const action = submitter?.getAttribute('formaction') ?? form.action;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') body.append(name, value);
  const stable = new URLSearchParams(body);
  for (const name of volatileFields) stable.delete(name);
  return { action, body, values: `${action}?${stable}` };
}

/** Includes hidden fields, because several forms may share an action URL. */
function getSubmissionKey(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('[type="hidden"]')];
  return hidden
    .filter(({ name }) => !volatileFields.includes(name))
    .reduce((all, { name, value }) => `${all} ${name}=${value}`, form.action);
}

/** Waits for the latest filter, because the form repeats it in hidden fields. */
async function submitAfterFiltering(form: HTMLFormElement, submitter: HTMLElement | null) {
  if ((await waitUntilFiltered()) && form.isConnected) submitForm(form, submitter);
}

/** Submits a form's changes in order and displays only the last response. */
function submitForm(form: HTMLFormElement, submitter: HTMLElement | null) {
  const { action, body, values } = readSubmission(form, submitter);
  const name = form.id || getSubmissionKey(form);
  const before = submissions.get(name);
  if (before?.isUnderWay) {
    if (before.values === values) return;
    // The snapshot is outdated while an earlier submission is in progress, so the person's latest input wins.
    if (before.action === action) body.delete('shown');
  }
  submissionCount += 1;
  // A retry reuses the form key. Changing a field back to an earlier value is not a retry.
  const key = before?.values === values ? before.key : `${body.get('once')}.${submissionCount}`;
  body.set('once', key);
  form.setAttribute('aria-busy', 'true');
  togglePressedState(submitter);
  const texts = new Map([...form.querySelectorAll('textarea')].map((field) => [field, field.value]));
  const region = findRegion(form);
  const submission: Submission = {
    form,
    action,
    submitter,
    values,
    key,
    texts,
    region,
    address: getRegionUrl(region),
    isLeaving: form.dataset.leaving !== undefined,
    isUnderWay: true,
  };
  submissions.set(name, submission);
  submission.ended = (before?.ended ?? Promise.resolve()).then(() =>
    postForm(name, submission, action, body),
  );
}

function togglePressedState(button: HTMLElement | null) {
  if (button?.ariaPressed) button.ariaPressed = String(button.ariaPressed !== 'true');
}

async function postForm(name: string, submission: Submission, action: string, body: URLSearchParams) {
  const { form, region } = submission;
  const pageResponse = await requestPage(action, { method: 'POST', body, keepalive: submission.isLeaving });
  const isLast = submissions.get(name) === submission;
  submission.isUnderWay = false;
  try {
    if (!pageResponse) {
      togglePressedState(submission.submitter);
      if (isLast || !isAutoSubmitted(form)) dispatchPageEvent('unsent', form);
      return;
    }
    const { response, html } = pageResponse;
    if (isLast) submissions.delete(name);
    if (isRedirectedElsewhere(response, region)) followRedirect(submission, html, response);
    else if (isLast || (!response.ok && !isAutoSubmitted(form))) applyResponse(submission, html, response);
  } finally {
    const latest = submissions.get(name) ?? submission;
    // Pickers submit copies of a form, which share one entry in `submissions`.
    if (latest === submission || latest.form !== form) {
      form.removeAttribute('aria-busy');
      dispatchPageEvent('settled');
    }
  }
}

function followRedirect({ form, region, submitter }: Submission, html: string, response: Response) {
  if (isPanel(region) && !isRedirectedElsewhere(response, getScreen())) {
    // The redirect leads to the page next to the panel, for example because the task has been deleted.
    dispatchPageEvent('task-gone');
    showResponse(form, html, response, { isAccepted: true, region: getScreen() });
    return;
  }
  // If the task panel can show the page, it cancels this event.
  const detail = { address: response.url, opener: submitter };
  const event = new CustomEvent('edgework:redirected', { detail, cancelable: true });
  if (document.dispatchEvent(event)) navigateTo(response.url);
}

function applyResponse(sent: Submission, html: string, response: Response) {
  const { form, submitter, values, texts, region, address } = sent;
  const hasNewerInput = isAutoSubmitted(form)
    ? readSubmission(form, submitter).values !== values
    : [...texts].some(([field, text]) => field.isConnected && field.value !== text);
  const isMoved = hasDifferentQuery(response, region);
  const isGone = !region.isConnected || address !== getRegionUrl(region);
  // Either the person has opened another page, or the response may lack the field that they are typing in.
  if (isGone || (response.ok && hasNewerInput && isMoved)) {
    if (isGone && !response.ok && !isAutoSubmitted(form)) dispatchPageEvent('form-gone', { form, html });
    dispatchPageEvent('stale');
  } else {
    showResponse(form, html, response, { isAccepted: response.ok && !hasNewerInput, region });
    if (response.ok && listRegions().length > 1) dispatchPageEvent('stale');
    if (response.ok && !isAutoSubmitted(form))
      for (const [field, text] of texts) removeSubmittedText(field, text);
  }
  if (!response.ok && isAutoSubmitted(form)) dispatchPageEvent('rejected', { form, html });
}

function hasDifferentQuery({ url }: Response, region: Region): boolean {
  return url.split('?')[1] !== getRegionUrl(region).split('?')[1];
}

function removeSubmittedText(field: HTMLTextAreaElement, text: string) {
  if (!field.isConnected || field.defaultValue !== '' || text === '' || !field.value.startsWith(text)) return;
  field.setRangeText('', 0, text.length, 'preserve');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function dispatchPageEvent(event: string, detail?: unknown) {
  document.dispatchEvent(new CustomEvent(`edgework:${event}`, { detail }));
}

function restoreFocus(form: HTMLFormElement, around: readonly Element[]) {
  const { activeElement: at } = document;
  if (at !== document.body && at?.checkVisibility()) return;
  const fields = form.isConnected ? [...form.elements] : [];
  const nearby = around
    .filter(({ isConnected }) => isConnected)
    .flatMap((each) => [...each.querySelectorAll<HTMLElement>('summary, button, a[href]')]);
  const next = [...fields, ...nearby];
  // Skips selects. A focused select holds back refreshes in older browsers, where we can't detect if it is open.
  const canTakeFocus = (each: Element): each is HTMLElement =>
    each.checkVisibility() && each.tagName !== 'SELECT';
  next.find(canTakeFocus)?.focus({ preventScroll: true });
}

/** A card that is being moved would jump back if the board showed a response from before the move. */
function wouldUndoMove(form: HTMLFormElement): boolean {
  return form.id !== 'move' && document.querySelector('.cards > li.moving') !== null;
}

function showOnlyFlashMessage(html: string, isAccepted: boolean) {
  if (isAccepted) showFlashMessage(new DOMParser().parseFromString(html, 'text/html'));
  dispatchPageEvent('stale');
}

interface ShowResponseOptions {
  readonly isAccepted: boolean;
  readonly region: Region;
}

function showResponse(
  form: HTMLFormElement,
  html: string,
  response: Response,
  { isAccepted, region }: ShowResponseOptions,
) {
  const { activeElement: at } = document;
  const around: Element[] = [];
  for (let each = form.parentElement; each; each = each.parentElement) around.push(each);
  form.closest('dialog')?.close();
  if (isAccepted) {
    for (const details of form.querySelectorAll('details[open]')) details.removeAttribute('open');
    form.closest('details.edit:not([data-stays-open])')?.removeAttribute('open');
    form.reset();
  }
  if (response.ok && response.redirected && hasDifferentQuery(response, region)) {
    if (isPanel(region)) region.dataset.address = toScreenUrl(new URL(response.url));
    else enterScreenUrl(response.url);
  }
  if (response.ok && wouldUndoMove(form)) showOnlyFlashMessage(html, isAccepted);
  else morphPage(html, { form, isAccepted, isRejected: !response.ok }, region);
  if (response.ok) {
    region.querySelector<HTMLElement>('.secret')?.focus();
    // After an auto-save, the person may have left the field intentionally.
    if (!isAutoSubmitted(form) || at !== document.body) restoreFocus(form, around);
    return;
  }
  const alert = region.querySelector('[role="alert"]');
  if (alert?.textContent) showToast(alert.textContent);
  if (!isAutoSubmitted(form)) region.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
