// The controls that save themselves: which there are, as the pages have them, and how a person works each.
import type { Locator, Page } from 'playwright-core';

/** `method page field` of every control in a form that saves itself, on every page that links lead to. */
export function findAutoSaved(page: Page, base: string): Promise<string[]> {
  return page.evaluate(async (start) => {
    const kindOf = (path: string) => path.slice(start.length).replace(/\b(usr_\w+|\d+)\b/g, ':id') || '/';
    const found = new Set<string>();
    const seen = new Set<string>();
    const waiting = [start];
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const answer = await fetch(address, { headers: { Accept: 'text/html' } });
      if (!answer.ok || !answer.headers.get('Content-Type')?.startsWith('text/html')) continue;
      const shown = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const path = new URL(answer.url).pathname;
      for (const form of shown.querySelectorAll<HTMLFormElement>('form[data-auto]'))
        for (const field of form.querySelectorAll(
          'select, textarea, input:not([type="hidden"], [type="checkbox"])',
        ))
          found.add(`${form.method} ${kindOf(path)} ${field.getAttribute('name')}`);
      for (const link of shown.querySelectorAll('a[href]')) {
        const { origin, pathname, searchParams, href } = new URL(link.getAttribute('href') ?? '', answer.url);
        // A page of each kind, and each kind of cell of a list as a field.
        const kind = `${kindOf(pathname)} ${searchParams.get('field')}`;
        if (origin !== location.origin || !`${pathname}/`.startsWith(`${start}/`) || seen.has(kind)) continue;
        seen.add(kind);
        waiting.push(href);
      }
    }
    return [...found].sort();
  }, new URL(base).pathname);
}

export type Kind = 'select' | 'date' | 'text';

/** Types a value by keyboard and keeps the focus in the field. */
export async function typeInto(field: Locator, kind: Kind, value: string): Promise<void> {
  const { keyboard } = field.page();
  await field.focus();
  if (kind === 'date') {
    // To the first of its segments.
    for (const _ of ['day', 'month', 'before']) await keyboard.press('ArrowLeft');
    const [year, month, day] = value.split('-');
    await keyboard.type(`${month}${day}${year}`);
  } else if (kind === 'text') {
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(value);
  } else {
    const label = await field.locator(`option[value="${value}"]`).textContent();
    await keyboard.type(label ?? '');
  }
}

/** What a test does to the forms that a page sends. */
export interface Line {
  /** The forms that were sent, as they were sent. */
  readonly posts: URLSearchParams[];
  /** From now on forms wait until the answer is called. */
  hold(): () => void;
  cut(): void;
  mend(): void;
}

/** Stands between a page and the server. */
export async function tapLine(page: Page): Promise<Line> {
  const posts: URLSearchParams[] = [];
  let isCut = false;
  let held: Promise<void> = Promise.resolve();
  await page.route('**/app/**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    posts.push(new URLSearchParams(route.request().postData() ?? ''));
    await held;
    return isCut ? route.abort('connectionfailed') : route.continue();
  });
  return {
    posts,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
  };
}

/** Waits until nothing is on its way. */
export function settled(page: Page): Promise<unknown> {
  return page.waitForFunction(() => !document.querySelector('form[aria-busy]'));
}
