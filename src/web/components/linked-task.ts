import type { Visit } from '../page-model/page.ts';

/** Returns the id of the task that the URL opens on this site and in this workspace: on its own page, or in a panel. */
function parseTaskUrl(href: string, { origin, base }: Pick<Visit, 'origin' | 'base'>): number | null {
  const url = URL.parse(href, origin);
  if (url?.origin !== origin || !url.pathname.startsWith(`${base}/`)) return null;
  const [, id] = /^\/tasks\/([1-9]\d{0,14})$/.exec(url.pathname.slice(base.length)) ?? [];
  const opened = id ?? url.searchParams.get('task') ?? '';
  return /^[1-9]\d{0,14}$/.test(opened) ? Number(opened) : null;
}

export interface LinkedTask {
  readonly id: number;
  readonly name: string;
}

/** Only links to tasks that the reader can see have a name. */
export function findLinkedTask(href: string, visit: Visit | null): LinkedTask | null {
  const id = visit && parseTaskUrl(href, visit);
  const name = id === null ? undefined : visit?.references.tasks.get(id);
  return id === null || name === undefined ? null : { id, name };
}
