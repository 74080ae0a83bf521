/**
 * Returns the server's preview of the task in the form. Returns null if the form has changed in the meantime, and an
 * empty list if the request fails.
 */
export async function readPreview(
  findForm: () => HTMLFormElement | undefined,
): Promise<readonly Node[] | null> {
  const address = buildPreviewUrl(findForm());
  const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  const html = response?.ok && !response.redirected ? await response.text().catch(() => '') : '';
  if (buildPreviewUrl(findForm()) !== address) return null;
  const preview = new DOMParser().parseFromString(html, 'text/html').getElementById('understood');
  return [...(preview?.childNodes ?? [])];
}

function buildPreviewUrl(form: HTMLFormElement | undefined): string {
  if (!form) return '';
  const formData = new FormData(form);
  const query = ['name', 'projectId'].map((name) => [name, String(formData.get(name) ?? '')]);
  // The lines of boards and subtasks send their tasks to `/tasks`, but have the same preview.
  return `${form.action.replace(/\/add$/, '')}/add?${new URLSearchParams(query)}`;
}
