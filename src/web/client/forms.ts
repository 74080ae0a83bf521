import { isAutoSubmitted } from './edited-fields.ts';
import { waitUntilFiltered } from './filters.ts';
import { showFlashMessage } from './flash-message.ts';
import { morphPage } from './morph.ts';
import { findRegion, getRegionAddress, getScreen, isPanel, listRegions, type Region } from './regions.ts';
import { isRedirectedElsewhere, navigateTo, requestPage } from './request-page.ts';
import { enterScreenAddress, toScreenAddress } from './screen-address.ts';
import { showToast } from './toast.ts';

function isSubmittedByScript(form: HTMLFormElement): boolean {
  return (
    form.method === 'post' &&
    form.enctype !== 'multipart/form-data' &&
    new URL(form.action).pathname.startsWith('/app/')
  );
}

export function enableForms() {
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !isSubmittedByScript(form) || event.defaultPrevented) return;
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
  readonly submitter: HTMLElement | null;
  readonly values: string;
  readonly key: string;
  readonly texts: ReadonlyMap<HTMLTextAreaElement, string>;
  readonly region: Region;
  readonly address: string;
  isUnderWay: boolean;
  ended?: Promise<void>;
}

/** Keyed by the form's id or action URL, because a refresh may replace the element. */
const submissions = new Map<string, Submission>();
let submissionCount = 0;

const volatileFields = ['csrf', 'once', 'shown', 'back'];

function collectSubmission(form: HTMLFormElement, submitter: HTMLElement | null) {
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
  const { action, body, values } = collectSubmission(form, submitter);
  const name = form.id || getSubmissionKey(form);
  const before = submissions.get(name);
  if (before?.isUnderWay) {
    if (before.values === values) return;
    // The snapshot is outdated while an earlier submission is in progress, so the person's latest input wins.
    body.delete('shown');
  }
  submissionCount += 1;
  // A retry reuses the form key. Changing a field back to an earlier value is not a retry.
  const key = before?.values === values ? before.key : `${body.get('once')}.${submissionCount}`;
  body.set('once', key);
  form.setAttribute('aria-busy', 'true');
  togglePressed(submitter);
  const texts = new Map([...form.querySelectorAll('textarea')].map((field) => [field, field.value]));
  const region = findRegion(form);
  const sending: Submission = {
    form,
    submitter,
    values,
    key,
    texts,
    region,
    address: getRegionAddress(region),
    isUnderWay: true,
  };
  submissions.set(name, sending);
  sending.ended = (before?.ended ?? Promise.resolve()).then(() => postForm(name, sending, action, body));
}

function togglePressed(button: HTMLElement | null) {
  if (button?.ariaPressed) button.ariaPressed = String(button.ariaPressed !== 'true');
}

async function postForm(name: string, sending: Submission, action: string, body: URLSearchParams) {
  const { form, region } = sending;
  const asked = await requestPage(action, { method: 'POST', body });
  const isLast = submissions.get(name) === sending;
  sending.isUnderWay = false;
  try {
    if (!asked) {
      togglePressed(sending.submitter);
      if (isLast || !isAutoSubmitted(form)) dispatchPageEvent('unsent', form);
      return;
    }
    const { answer, html } = asked;
    if (isLast) submissions.delete(name);
    if (isRedirectedElsewhere(answer, region)) followRedirect(sending, html, answer);
    else if (isLast || (!answer.ok && !isAutoSubmitted(form))) applyResponse(sending, html, answer);
  } finally {
    const latest = submissions.get(name) ?? sending;
    // Copies of a form, such as those that pickers submit, share its name.
    if (latest === sending || latest.form !== form) {
      form.removeAttribute('aria-busy');
      dispatchPageEvent('settled');
    }
  }
}

function followRedirect({ form, region, submitter }: Submission, html: string, answer: Response) {
  if (isPanel(region) && !isRedirectedElsewhere(answer, getScreen())) {
    // The redirect goes to the screen's page, for example if the task has been deleted.
    dispatchPageEvent('task-gone');
    showResponse(form, html, answer, { isAccepted: true, region: getScreen() });
    return;
  }
  // The task panel may show the page instead.
  const detail = { address: answer.url, opener: submitter };
  const event = new CustomEvent('edgework:redirected', { detail, cancelable: true });
  if (document.dispatchEvent(event)) navigateTo(answer.url);
}

function applyResponse(sent: Submission, html: string, answer: Response) {
  const { form, submitter, values, texts, region, address } = sent;
  const hasNewerInput = isAutoSubmitted(form)
    ? collectSubmission(form, submitter).values !== values
    : [...texts].some(([field, text]) => field.isConnected && field.value !== text);
  const isMoved = hasOtherQuery(answer, region);
  const isGone = !region.isConnected || address !== getRegionAddress(region);
  // Either the person has opened another page, or the response lacks the field that they are typing in.
  if (isGone || (answer.ok && hasNewerInput && isMoved)) {
    if (isGone && !answer.ok && !isAutoSubmitted(form)) dispatchPageEvent('form-gone', { form, html });
    dispatchPageEvent('stale');
  } else {
    showResponse(form, html, answer, { isAccepted: answer.ok && !hasNewerInput, region });
    if (answer.ok && listRegions().length > 1) dispatchPageEvent('stale');
    if (answer.ok && !isAutoSubmitted(form))
      for (const [field, text] of texts) removeSubmittedText(field, text);
  }
  if (!answer.ok && isAutoSubmitted(form)) dispatchPageEvent('rejected', { form, html });
}

function hasOtherQuery({ url }: Response, region: Region): boolean {
  return url.split('?')[1] !== getRegionAddress(region).split('?')[1];
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
  // Skips selects. Older browsers can't tell whether a focused select is open, so refreshes would have to wait.
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
  answer: Response,
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
  if (answer.ok && answer.redirected && hasOtherQuery(answer, region)) {
    if (isPanel(region)) region.dataset.address = toScreenAddress(new URL(answer.url));
    else enterScreenAddress(answer.url);
  }
  if (answer.ok && wouldUndoMove(form)) showOnlyFlashMessage(html, isAccepted);
  else morphPage(html, { form, isAccepted, isRejected: !answer.ok }, region);
  if (answer.ok) {
    region.querySelector<HTMLElement>('.secret')?.focus();
    // After an auto-save, the person may have left the field intentionally.
    if (!isAutoSubmitted(form) || at !== document.body) restoreFocus(form, around);
    return;
  }
  const alert = region.querySelector('[role="alert"]');
  if (alert?.textContent) showToast(alert.textContent);
  if (!isAutoSubmitted(form)) region.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
