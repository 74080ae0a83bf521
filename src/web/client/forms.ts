import { whenFiltered } from './filters.ts';
import { morphPage } from './morph.ts';
import { leadsElsewhere, leaveFor, requestPage } from './request-page.ts';
import { showToast } from './toast.ts';

/** Forms that lead out of the page's own screens, or open a new one with a secret, are sent by the browser itself. */
function isOurs(form: HTMLFormElement): boolean {
  return (
    form.method === 'post' &&
    form.enctype !== 'multipart/form-data' &&
    new URL(form.action).pathname.startsWith('/app/')
  );
}

/**
 * Sends forms without leaving the page: the answer of the redirect is the page as it is now, and the page becomes it. A
 * refused form comes back the same way, with what is wrong beside its fields.
 */
export function enhanceForms() {
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !isOurs(form) || event.defaultPrevented) return;
    event.preventDefault();
    if (form.matches('.of-filter')) void sendFilter(form, submitter);
    else send(form, submitter);
  });
  // Filters. What is stored, and dates, are saved by src/web/client/auto-save.ts.
  document.addEventListener('change', ({ target }) => {
    const { form, type } = target as HTMLInputElement;
    if (form?.method === 'get' && isAuto(form) && type !== 'date' && type !== 'checkbox')
      form.requestSubmit();
  });
}

export function isAuto(form: HTMLFormElement): boolean {
  return form.dataset.auto !== undefined;
}

/** What a form sent last, until the server answers it. */
interface Sending {
  readonly form: HTMLFormElement;
  readonly submitter: HTMLElement | null;
  /** What the person said, without what changes from one sending to the next. */
  readonly said: string;
  readonly key: string;
  /** What its longer texts held. */
  readonly texts: ReadonlyMap<HTMLTextAreaElement, string>;
  /** The state of the page that held the form. */
  readonly page: string;
  isUnderWay: boolean;
  ended?: Promise<void>;
}

/** By address rather than by element, which a refresh may replace. */
const sendings = new Map<string, Sending>();
let count = 0;

/** Hidden fields that a refresh may change. */
const changing = ['csrf', 'once', 'shown', 'back'];

const shownPage = () => location.pathname + location.search;

function read(form: HTMLFormElement, submitter: HTMLElement | null) {
  const action = submitter?.getAttribute('formaction') ?? form.action;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') body.append(name, value);
  const words = new URLSearchParams(body);
  for (const name of changing) words.delete(name);
  return { action, body, said: `${action}?${words}` };
}

/** What tells a form from others with the same address. */
function nameOf(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('[type="hidden"]')];
  return hidden
    .filter(({ name }) => !changing.includes(name))
    .reduce((all, { name, value }) => `${all} ${name}=${value}`, form.action);
}

/** Its hidden fields say the filter that the page shows, which may not be the one chosen last yet. */
async function sendFilter(form: HTMLFormElement, submitter: HTMLElement | null) {
  if ((await whenFiltered()) && form.isConnected) send(form, submitter);
}

/** What one form sends arrives in order, and only the last answer is shown. */
function send(form: HTMLFormElement, submitter: HTMLElement | null) {
  const { action, body, said } = read(form, submitter);
  const name = form.id || nameOf(form);
  const before = sendings.get(name);
  if (before?.isUnderWay) {
    if (before.said === said) return;
    // What the page showed is outdated once an answer to this form is under way: the person goes by their own choice.
    body.delete('shown');
  }
  count += 1;
  // A retry counts once. Going back to an earlier value is no retry.
  const key = before?.said === said ? before.key : `${body.get('once')}.${count}`;
  body.set('once', key);
  form.setAttribute('aria-busy', 'true');
  const texts = new Map([...form.querySelectorAll('textarea')].map((field) => [field, field.value]));
  const sending: Sending = { form, submitter, said, key, texts, page: shownPage(), isUnderWay: true };
  sendings.set(name, sending);
  sending.ended = (before?.ended ?? Promise.resolve()).then(() => post(name, sending, action, body));
}

async function post(name: string, sending: Sending, action: string, body: URLSearchParams) {
  const { form } = sending;
  const asked = await requestPage(action, { method: 'POST', body });
  const isLast = sendings.get(name) === sending;
  sending.isUnderWay = false;
  try {
    if (!asked) {
      if (isLast || !isAuto(form)) tell('unsent', form);
      return;
    }
    const { answer, html } = asked;
    if (isLast) sendings.delete(name);
    if (leadsElsewhere(answer)) leaveFor(answer.url);
    else if (isLast || (!answer.ok && !isAuto(form))) take(sending, html, answer);
  } finally {
    // Nothing else was sent by it.
    if ((sendings.get(name) ?? sending) === sending) {
      form.removeAttribute('aria-busy');
      tell('settled');
    }
  }
}

function take({ form, submitter, said, texts, page }: Sending, html: string, answer: Response) {
  const hasTypedOn = isAuto(form)
    ? read(form, submitter).said !== said
    : [...texts].some(([field, text]) => field.isConnected && field.value !== text);
  const isMoved = new URL(answer.url).search !== location.search;
  // The person has gone to another state of the page, or types in a field that the answer does not have.
  if (page !== shownPage() || (answer.ok && hasTypedOn && isMoved)) tell('stale');
  else {
    show(form, html, answer, answer.ok && !hasTypedOn);
    if (answer.ok && !isAuto(form)) for (const [field, text] of texts) leaveRest(field, text);
  }
  if (!answer.ok && isAuto(form)) tell('refused', { form, html });
}

/** A field that adds something is left with what was typed after it was sent. */
function leaveRest(field: HTMLTextAreaElement, text: string) {
  if (!field.isConnected || field.defaultValue !== '' || text === '' || !field.value.startsWith(text)) return;
  field.setRangeText('', 0, text.length, 'preserve');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function tell(event: string, detail?: unknown) {
  document.dispatchEvent(new CustomEvent(`edgework:${event}`, { detail }));
}

/** Where the focus goes on if its form, or what it had the focus in, is not there any more. */
function keepFocus(form: HTMLFormElement, around: readonly Element[]) {
  const { activeElement: at } = document;
  if (at !== document.body && at?.checkVisibility()) return;
  const near = around.find(({ isConnected }) => isConnected);
  const fields = form.isConnected ? [...form.elements] : [];
  const next = [...fields, ...(near?.querySelectorAll<HTMLElement>('summary, button, a[href]') ?? [])];
  // Older browsers take a list with the focus for an open one, and the page would not be refreshed.
  const canHaveIt = (each: Element): each is HTMLElement =>
    each.checkVisibility() && each.tagName !== 'SELECT';
  next.find(canHaveIt)?.focus({ preventScroll: true });
}

function show(form: HTMLFormElement, html: string, answer: Response, isTaken: boolean) {
  const { activeElement: at } = document;
  const around: Element[] = [];
  for (let each = form.parentElement; each; each = each.parentElement) around.push(each);
  form.closest('dialog')?.close();
  if (isTaken) {
    for (const details of form.querySelectorAll('details[open]')) details.removeAttribute('open');
    form.closest('details.edit:not([data-stays])')?.removeAttribute('open');
    form.reset();
  }
  const { search } = new URL(answer.url);
  if (answer.ok && answer.redirected && search !== location.search)
    history.replaceState(null, '', answer.url);
  morphPage(html, { form, isTaken, isRefused: !answer.ok });
  if (answer.ok) {
    document.querySelector<HTMLElement>('main .secret')?.focus();
    // Nobody waits for what saves itself: a person without a field has left it.
    if (!isAuto(form) || at !== document.body) keepFocus(form, around);
    return;
  }
  const alert = document.querySelector('main [role="alert"]');
  if (alert?.textContent) showToast(alert.textContent);
  if (!isAuto(form)) document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
}
