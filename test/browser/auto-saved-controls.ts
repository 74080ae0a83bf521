import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { interceptRequests } from './intercept.ts';
import type { Colleague } from './team.ts';

interface CrawlOptions {
  /** Pages that are opened instead of others of their kind. */
  readonly first: readonly string[];
  /** The types of custom fields, by field id. */
  readonly types: Readonly<Record<string, string>>;
}

/** Follows links to one page of each kind. Returns auto-saved controls except checkboxes, as `method page field`. */
export function findAutoSaved(page: Page, base: string, options: CrawlOptions): Promise<string[]> {
  const crawl = async ({ start, first, types }: CrawlOptions & { start: string }) => {
    const toPathPattern = (path: string) =>
      path.slice(start.length).replace(/\b(usr_\w+|\d+)\b/g, ':id') || '/';
    const found = new Set<string>();
    const seen = new Set(first.map((address) => `${toPathPattern(address)} null`));
    const waiting = [start, ...first];
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const answer = await fetch(address, { headers: { Accept: 'text/html' } });
      if (!answer.ok || !answer.headers.get('Content-Type')?.startsWith('text/html')) continue;
      const shown = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const path = new URL(answer.url).pathname;
      for (const form of shown.querySelectorAll<HTMLFormElement>('form[data-auto]'))
        for (const field of form.querySelectorAll(
          'select, textarea, input:not([type="hidden"], [type="checkbox"])',
        ))
          found.add(`${form.method} ${toPathPattern(path)} ${types[field.id] ?? field.getAttribute('name')}`);
      for (const link of shown.querySelectorAll('a[href]')) {
        const { origin, pathname, searchParams, href } = new URL(link.getAttribute('href') ?? '', answer.url);
        // Each editable column of the task list counts as its own kind of page.
        const kind = `${toPathPattern(pathname)} ${searchParams.get('field')}`;
        if (origin !== location.origin || !`${pathname}/`.startsWith(`${start}/`) || seen.has(kind)) continue;
        seen.add(kind);
        waiting.push(href);
      }
    }
    return [...found].sort();
  };
  return page.evaluate(crawl, { start: new URL(base).pathname, ...options });
}

/** Creates a project with a custom field of each auto-saved type. Returns the fields' ids by type. */
export async function createProjectWithFields({ page, ask }: Colleague, base: string) {
  const name = `Fields ${Date.now().toString(36)}`;
  await page.goto(base);
  const project = Number(
    (await submitForm(page, `${base}/projects/new`, '/projects', { name })).split('/').at(-1),
  );
  for (const type of ['text', 'number', 'date', 'select', 'person', 'url', 'checkbox'])
    await submitForm(page, `${base}/fields`, '/fields', {
      name: type,
      type,
      newOptions: type === 'select' ? 'Small\nMedium\nLarge' : '',
      projectId: String(project),
    });
  const { data } = await ask<{ data: { id: string; type: string; projectIds: number[] }[] }>(
    '/custom-fields',
  );
  const own = data.filter(({ projectIds }) => projectIds.includes(project));
  return { project, fieldIds: Object.fromEntries(own.map(({ id, type }) => [type, id])) };
}

/** Submits a form of another page, with these values. Returns the URL to which the server redirects. */
function submitForm(page: Page, address: string, action: string, values: Record<string, string>) {
  const submit = async (of: Record<'address' | 'action', string> & { values: Record<string, string> }) => {
    const shown = new DOMParser().parseFromString(await (await fetch(of.address)).text(), 'text/html');
    const form = shown.querySelector<HTMLFormElement>(`form[action$="${of.action}"]`) as HTMLFormElement;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) body.append(name, String(value));
    for (const [name, value] of Object.entries(of.values)) body.set(name, value);
    return (await fetch(form.getAttribute('action') ?? '', { method: 'POST', body })).url;
  };
  return page.evaluate(submit, { address, action, values });
}

export type FieldKind = 'select' | 'date' | 'text';

/** Types a value by keyboard, and leaves the focus in the field. */
export async function typeInto(field: Locator, kind: FieldKind, value: string): Promise<void> {
  const { keyboard } = field.page();
  await field.focus();
  if (kind === 'date') {
    // Moves to the first part of the date.
    for (const _ of ['day', 'month', 'before']) await keyboard.press('ArrowLeft');
    const [year, month, day] = value.split('-');
    await keyboard.type(`${month}${day}${year}`);
  } else if (kind === 'text') {
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(value);
  } else {
    // Types only the first word, because a space that arrives late on a busy machine opens the picker.
    const label = await field.locator(`option[value="${value}"]`).textContent();
    await keyboard.type(label?.trim().split(' ')[0] ?? '');
    assert.equal(await field.inputValue(), value);
  }
}

export interface FormInterception {
  readonly posts: URLSearchParams[];
  /** Delays all further submissions until the returned function is called. */
  hold(): () => void;
  disconnect(): void;
  reconnect(): void;
}

export async function interceptForms(page: Page): Promise<FormInterception> {
  const posts: URLSearchParams[] = [];
  let isDisconnected = false;
  let held: Promise<void> = Promise.resolve();
  await interceptRequests(page, '**/app/**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    posts.push(new URLSearchParams(route.request().postData() ?? ''));
    await held;
    return isDisconnected ? route.abort('connectionfailed') : route.continue();
  });
  return {
    posts,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    disconnect: () => {
      isDisconnected = true;
    },
    reconnect: () => {
      isDisconnected = false;
    },
  };
}

export function waitUntilSettled(page: Page): Promise<unknown> {
  return page.waitForFunction(() => !document.querySelector('form[aria-busy]'));
}
