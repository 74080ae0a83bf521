// Sends requests to this origin only, with only the typed credential.

/** The credential is stored on request, and for this tab only. */
const KEPT = 'edgework.credential';

const holder = document.querySelector<HTMLFormElement>('.try-credential');
const credential = document.querySelector<HTMLInputElement>('#try-credential');
const keep = holder?.querySelector<HTMLInputElement>('[name="keep"]');

if (holder && credential && keep) {
  credential.value = sessionStorage.getItem(KEPT) ?? '';
  keep.checked = credential.value !== '';
  holder.hidden = false;
  holder.addEventListener('input', () => {
    if (keep.checked) sessionStorage.setItem(KEPT, credential.value);
    else sessionStorage.removeItem(KEPT);
  });
  holder.addEventListener('submit', (event) => event.preventDefault());
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) enable(form, credential);
}

function enable(form: HTMLFormElement, from: HTMLInputElement) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const [status, shown] = [form.querySelector('[role="status"]'), form.querySelector('pre')];
    if (!status || !shown) return;
    status.textContent = 'Sending…';
    shown.hidden = true;
    try {
      const answer = await fetch(...requestOf(form, from.value.trim()));
      const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
      shown.textContent = `${lines.join('\n')}\n\n${formatJson(await answer.text())}`;
      shown.hidden = false;
      status.textContent = `Response ${answer.status} ${answer.statusText}`;
    } catch (error) {
      // The header isn't ASCII, or there is no network.
      status.textContent = `Couldn't send the request: ${error instanceof Error ? error.message : error}`;
    }
  });
}

function requestOf(form: HTMLFormElement, credential: string): [string, RequestInit] {
  const { method = 'GET', path = '' } = form.dataset;
  const fields = (place: string) =>
    [...form.querySelectorAll<HTMLInputElement>(`[data-in="${place}"]`)].filter(({ value }) => value !== '');
  const address = fields('path').reduce(
    (rest, { name, value }) => rest.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(fields('query').map(({ name, value }) => [name, value])).toString();
  const [body] = fields('body');
  const headers: Record<string, string> = Object.fromEntries(
    fields('header').map(({ name, value }) => [name, value]),
  );
  if (body) headers['Content-Type'] = 'application/json';
  if (credential !== '' && form.dataset.public === undefined) headers.Authorization = `Bearer ${credential}`;
  return [
    query === '' ? address : `${address}?${query}`,
    { method, headers, credentials: 'omit', cache: 'no-store', ...(body && { body: body.value }) },
  ];
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
