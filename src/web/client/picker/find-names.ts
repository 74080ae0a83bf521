export interface FoundName {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly avatar: Element | null;
}

/** Returns null if the server can't be reached. */
export async function findNames(address: string, text: string): Promise<readonly FoundName[] | null> {
  const answer = await fetch(`${address}?${new URLSearchParams({ q: text })}`, {
    headers: { Accept: 'text/html' },
  }).catch(() => null);
  if (!answer?.ok || answer.redirected) return null;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return [...page.querySelectorAll<HTMLElement>('#found [data-found]')].map((item) => ({
    id: item.dataset.found ?? '',
    name: item.dataset.name ?? '',
    note: item.dataset.note ?? '',
    avatar: item.querySelector('.avatar'),
  }));
}
