/** Returns the server's preview of the task in the form, or null if the form has changed in the meantime. */
export async function readPreview(
  findForm: () => HTMLFormElement | undefined,
): Promise<readonly Node[] | null> {
  const address = buildPreviewAddress(findForm());
  const answer = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  const html = answer?.ok && !answer.redirected ? await answer.text().catch(() => '') : '';
  if (buildPreviewAddress(findForm()) !== address) return null;
  const found = new DOMParser().parseFromString(html, 'text/html').getElementById('understood');
  return [...(found?.childNodes ?? [])];
}

function buildPreviewAddress(form: HTMLFormElement | undefined): string {
  if (!form) return '';
  const formData = new FormData(form);
  const query = ['name', 'projectId'].map((name) => [name, String(formData.get(name) ?? '')]);
  return `${form.action}?${new URLSearchParams(query)}`;
}
