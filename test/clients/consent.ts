// Acts like a person with a browser, over plain HTTP: signs in, reads the consent page, and allows access.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { demo } from '../browser/server.ts';
import { createProvider } from './oauth-provider.ts';

const STEPS_MAX = 8;
/** Shared by all tests of a file, because sign-ins are rate-limited by IP address. */
const cookies = new Map<string, string>();

interface Visit {
  readonly url: URL;
  readonly form?: URLSearchParams;
}

interface ConsentDecision {
  readonly email?: string;
  readonly unchecked?: readonly string[];
}

/** Gets a token as an application does, with discovery, registration and consent. */
export async function grantToken(origin: string): Promise<string> {
  const provider = createProvider({ name: 'a script' });
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
  await new Client({ name: 'a script', version: '1' }).connect(transport).catch(() => undefined);
  const back = await approveApp(provider.kept.authorizationUrl ?? '');
  await transport.finishAuth(back.searchParams);
  return provider.kept.tokens?.access_token ?? '';
}

/**
 * Follows an authorization URL as a browser would, and submits the forms that it leads to.
 * @param unchecked scopes to leave out on the consent page.
 * @returns the URL that the browser is sent back to.
 */
export async function approveApp(
  authorizationUrl: string | URL,
  { email = demo.owner, unchecked = [] }: ConsentDecision = {},
): Promise<URL> {
  let request: Visit = { url: new URL(authorizationUrl) };
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const response = await visitPage(request);
    const location = response.headers.get('Location');
    if (location) {
      const url = new URL(location, request.url);
      if (url.origin !== new URL(authorizationUrl).origin) return url;
      request = { url };
      continue;
    }
    const page = await response.text();
    if (response.status !== 200) throw new Error(`${request.url} returned ${response.status}: ${page}`);
    request = fillInForm(page, request.url, { email, unchecked });
  }
  throw new Error(`${authorizationUrl} led nowhere after ${STEPS_MAX} steps`);
}

export async function visitPage({ url, form }: Visit): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: {
      Accept: 'text/html',
      ...(cookies.size > 0 && { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      ...(form && { Origin: url.origin }),
    },
    ...(form && { method: 'POST', body: form }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
  return response;
}

/** Fills in the page's form with its preset values and the person's input. */
function fillInForm(page: string, url: URL, { email, unchecked }: Required<ConsentDecision>): Visit {
  const [, tag = '', inside] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page) ?? [];
  if (!inside) throw new Error(`There is no form on ${url}: ${page}`);
  const form = new URLSearchParams();
  for (const [input] of inside.matchAll(/<input[^>]*>/g)) {
    const name = readAttribute(input, 'name');
    const value = readAttribute(input, 'value') ?? '';
    const type = readAttribute(input, 'type');
    if (type === 'checkbox' && (!/\schecked\b/.test(input) || unchecked.includes(value))) continue;
    if (name) form.append(name, value);
  }
  for (const [select, name = ''] of inside.matchAll(/<select[^>]*name="([^"]*)"[^>]*>[\s\S]*?<\/select>/g)) {
    form.set(name, readAttribute(/<option[^>]*>/.exec(select)?.[0] ?? '', 'value') ?? '');
  }
  if (form.has('password')) {
    form.set('email', email);
    form.set('password', demo.password);
  } else {
    form.set('decision', 'approve');
  }
  return { url: new URL(readAttribute(tag, 'action') ?? url, url), form };
}

function readAttribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
