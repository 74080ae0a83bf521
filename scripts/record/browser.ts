// A person before a browser: keeps cookies, and sends the forms of pages with what they hold.

import { attribute } from '../html.ts';
import type { Actor, Recorder, Reply } from './recorder.ts';

const FORM = 'application/x-www-form-urlencoded';

export class Browser {
  readonly #actor: Actor;
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(recorder: Recorder, name: string) {
    this.#actor = recorder.as(name);
    this.#origin = recorder.origin;
  }

  open(path: string): Promise<Reply> {
    return this.#visit('GET', path);
  }

  /** Sends the form of a page: its hidden fields, ticks and first choices, and `filled` in place of what it names. */
  submit(page: Reply, filled: Readonly<Record<string, string>>): Promise<Reply> {
    const [, tag = '', inside = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page.text) ?? [];
    const form = new URLSearchParams();
    for (const [input] of inside.matchAll(/<input[^>]*>/g)) {
      const name = attribute(input, 'name');
      const isLeftOut = attribute(input, 'type') === 'checkbox' && !/\schecked\b/.test(input);
      if (name && !isLeftOut) form.append(name, attribute(input, 'value') ?? '');
    }
    for (const [select, name = ''] of inside.matchAll(
      /<select[^>]*name="([^"]*)"[^>]*>[\s\S]*?<\/select>/g,
    )) {
      form.set(name, attribute(/<option[^>]*>/.exec(select)?.[0] ?? '', 'value') ?? '');
    }
    for (const [name, value] of Object.entries(filled)) form.set(name, value);
    return this.post(attribute(tag, 'action') ?? '/', form.toString());
  }

  post(path: string, form: string): Promise<Reply> {
    return this.#visit('POST', path, form);
  }

  async #visit(method: string, path: string, form?: string): Promise<Reply> {
    const reply = await this.#actor.call(method, path, undefined, {
      headers: {
        Accept: 'text/html',
        ...(this.#cookies.size > 0 && { Cookie: this.#cookieHeader() }),
        ...(form !== undefined && { 'Content-Type': FORM, Origin: this.#origin }),
      },
      ...(form !== undefined && { raw: form }),
    });
    for (const cookie of reply.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
    }
    return reply;
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
