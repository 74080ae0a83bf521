import { getHueClass } from '../../components/hue.ts';
import { getWorkspaceBase } from '../screen-address.ts';
import { buildMark, type Item } from './item.ts';

/** Returns null if the search page can't be loaded. */
export async function findOnServer(text: string): Promise<readonly Item[] | null> {
  const query = new URLSearchParams({ q: text });
  const answer = await fetch(`${getWorkspaceBase()}/search?${query}`, {
    headers: { Accept: 'text/html' },
    cache: 'no-store',
  }).catch(() => null);
  const html = answer?.ok && !answer.redirected ? await answer.text().catch(() => null) : null;
  if (html === null) return null;
  const page = new DOMParser().parseFromString(html, 'text/html');
  const links = [...page.querySelectorAll<HTMLAnchorElement>('#found a.row-name')];
  return links.map(toItem).filter((item) => item !== null);
}

/** Skips the commands that the page also lists, because they are found without a request. */
function toItem(link: HTMLAnchorElement): Item | null {
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
