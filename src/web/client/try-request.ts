// Sends requests to this origin, with the credential entered on the page and without cookies.

/** The credential is stored only if the person asks for it, and only for this tab. */
const CREDENTIAL_STORAGE_KEY = 'edgework.credential';

const credentialForm = document.querySelector<HTMLFormElement>('.try-credential');
const credentialField = document.querySelector<HTMLInputElement>('#try-credential');
const keepCheckbox = credentialForm?.querySelector<HTMLInputElement>('[name="keep"]');

if (credentialForm && credentialField && keepCheckbox) {
  credentialField.value = sessionStorage.getItem(CREDENTIAL_STORAGE_KEY) ?? '';
  keepCheckbox.checked = credentialField.value !== '';
  credentialForm.hidden = false;
  credentialForm.addEventListener('input', () => {
    if (keepCheckbox.checked) sessionStorage.setItem(CREDENTIAL_STORAGE_KEY, credentialField.value);
    else sessionStorage.removeItem(CREDENTIAL_STORAGE_KEY);
  });
  credentialForm.addEventListener('submit', (event) => event.preventDefault());
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try'))
    enableTryForm(form, credentialField);
}

function enableTryForm(form: HTMLFormElement, from: HTMLInputElement) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const [status, output] = [form.querySelector('[role="status"]'), form.querySelector('pre')];
    if (!status || !output) return;
    status.textContent = 'Sending…';
    output.hidden = true;
    try {
      const response = await fetch(...buildRequest(form, from.value.trim()));
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
      output.textContent = `${lines.join('\n')}\n\n${formatJson(await response.text())}`;
      output.hidden = false;
      status.textContent = `Response ${response.status} ${response.statusText}`;
    } catch (error) {
      // The request fails if a header contains invalid characters or the network is down.
      status.textContent = `Couldn't send the request: ${error instanceof Error ? error.message : error}`;
    }
  });
}

function buildRequest(form: HTMLFormElement, credential: string): [string, RequestInit] {
  const { method = 'GET', path = '' } = form.dataset;
  const listFields = (place: string) =>
    [...form.querySelectorAll<HTMLInputElement>(`[data-in="${place}"]`)].filter(({ value }) => value !== '');
  const address = listFields('path').reduce(
    (rest, { name, value }) => rest.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(listFields('query').map(({ name, value }) => [name, value])).toString();
  const [body] = listFields('body');
  const headers: Record<string, string> = Object.fromEntries(
    listFields('header').map(({ name, value }) => [name, value]),
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
