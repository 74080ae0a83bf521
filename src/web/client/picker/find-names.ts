export interface FoundName {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly avatar: Element | null;
}

export async function findNames(address: string, text: string): Promise<readonly FoundName[] | null> {
  const response = await fetch(`${address}?${new URLSearchParams({ q: text })}`, {
    headers: { Accept: 'text/html' },
  }).catch(() => null);
  if (!response?.ok || response.redirected) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return [...page.querySelectorAll<HTMLElement>('#found [data-found]')].map((item) => ({
    id: item.dataset.found ?? '',
    name: item.dataset.name ?? '',
    note: item.dataset.note ?? '',
    avatar: item.querySelector('.avatar'),
  }));
}
