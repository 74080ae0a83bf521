import { getHueClass } from '../../components/hue-class.ts';
import { getWorkspaceBase } from '../screen-url.ts';
import { buildMark, type PaletteItem } from './palette-item.ts';

export async function searchServer(text: string): Promise<readonly PaletteItem[] | null> {
  const query = new URLSearchParams({ q: text });
  const response = await fetch(`${getWorkspaceBase()}/search?${query}`, {
    headers: { Accept: 'text/html' },
    cache: 'no-store',
  }).catch(() => null);
  const html = response?.ok && !response.redirected ? await response.text().catch(() => null) : null;
  if (html === null) return null;
  const page = new DOMParser().parseFromString(html, 'text/html');
  const links = [...page.querySelectorAll<HTMLAnchorElement>('#found a.row-name')];
  return links.map(toResultItem).filter((item) => item !== null);
}

/** Returns null for a command, because the palette finds commands without a request. */
function toResultItem(link: HTMLAnchorElement): PaletteItem | null {
  const label = link.textContent.trim();
  const address = link.getAttribute('href') ?? '';
  const row = link.closest('li');
  if (link.id.startsWith('task-')) {
    const status = row?.querySelector<HTMLElement>('.complete')?.className.replace('complete ', '');
    const project = row?.querySelector('.row-project')?.textContent ?? '';
    const number = `#${link.id.replace('task-', '')}`;
    return { group: 'Tasks', label, note: `${project} ${number}`, mark: buildMark(status ?? ''), address };
  }
  const [, project] = /\/projects\/(\d+)$/.exec(address) ?? [];
  if (project) {
    const mark = buildMark(`tile ${getHueClass(project)}`, label.charAt(0).toUpperCase());
    return { group: 'Projects', label, note: `#${project}`, mark, address };
  }
  const name = link.querySelector('bdi')?.textContent;
  if (!name) return null;
  return { group: 'People', label: name, mark: link.querySelector('.avatar'), address };
}
