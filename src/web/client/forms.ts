import { ask, leadsElsewhere, leaveFor } from './ask.ts';
import { morphPage } from './morph.ts';
import { say } from './say.ts';

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
    send(form, submitter);
  });
  document.addEventListener('change', ({ target }) => {
    const field = target as HTMLInputElement;
    if (field.form?.dataset.auto !== undefined && !field.closest('[data-waits]')) field.form.requestSubmit();
  });
}

/** The last thing that each form sent: they arrive in order, and only the last answer is shown. */
const underWay = new WeakMap<HTMLFormElement, Promise<void>>();

function send(form: HTMLFormElement, submitter: HTMLElement | null) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') body.append(name, value);
  // What the page showed is outdated once an answer to this form is under way: the person goes by their own choice.
  if (form.ariaBusy === 'true') body.delete('shown');
  const action = submitter?.getAttribute('formaction') ?? form.action;
  form.setAttribute('aria-busy', 'true');
  const sent: Promise<void> = (underWay.get(form) ?? Promise.resolve()).then(() =>
    post(form, action, body, () => underWay.get(form) === sent),
  );
  underWay.set(form, sent);
}

async function post(form: HTMLFormElement, action: string, body: URLSearchParams, isLast: () => boolean) {
  try {
    const asked = await ask(action, { method: 'POST', body });
    if (asked === null) document.dispatchEvent(new CustomEvent('edgework:unsent', { detail: form }));
    else if (leadsElsewhere(asked.answer)) leaveFor(asked.answer.url);
    else if (isLast() || !asked.answer.ok) show(form, asked.html, asked.answer);
  } finally {
    if (isLast()) {
      form.removeAttribute('aria-busy');
      document.dispatchEvent(new CustomEvent('edgework:settled'));
    }
  }
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

function show(form: HTMLFormElement, html: string, answer: Response) {
  const around: Element[] = [];
  for (let each = form.parentElement; each; each = each.parentElement) around.push(each);
  form.closest('dialog')?.close();
  if (answer.ok) {
    for (const details of form.querySelectorAll('details[open]')) details.removeAttribute('open');
    form.closest('details.edit:not([data-stays])')?.removeAttribute('open');
    form.reset();
    const { search } = new URL(answer.url);
    if (answer.redirected && search !== location.search) history.replaceState(null, '', answer.url);
  }
  morphPage(html, { form, isTaken: answer.ok });
  if (answer.ok) {
    document.querySelector<HTMLElement>('main .secret')?.focus();
    keepFocus(form, around);
    return;
  }
  const alert = document.querySelector('main [role="alert"]');
  if (alert?.textContent) say(alert.textContent);
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
}
