import { getCookie, setCookie } from 'hono/cookie';
import { readUncheckedBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { toSafeReturnPath } from '../../accounts/browser-sessions/return-path.ts';
import { forbiddenError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { SIDEBAR_ITEMS_MAX } from '../../search/lookup/sidebar.ts';
import { readPageForm } from './page-form.ts';

/* The theme and the width of the sidebar belong to the browser, not the person, so they are kept in cookies. */

const appearanceValues = { theme: ['system', 'light', 'dark'], sidebar: ['wide', 'narrow'] } as const;
const YEAR_SECONDS = 365 * 86_400;
/** Matches the cookie that src/web/client/sidebar.ts sets on project pages. */
const RECENT_PROJECTS_PATTERN = /^\d{1,15}(\.\d{1,15})*$/;

type Appearance = { readonly [K in keyof typeof appearanceValues]: (typeof appearanceValues)[K][number] };

export function readAppearance(c: HttpContext): Appearance {
  const { theme, sidebar } = appearanceValues;
  return {
    theme: theme.find((each) => each === getCookie(c, 'theme')) ?? 'system',
    sidebar: sidebar.find((each) => each === getCookie(c, 'sidebar')) ?? 'wide',
  };
}

const HTML_START_TAG = '<html lang="en">';

/** Adds the theme and sidebar classes to the rendered HTML, so that pages don't have to pass them on. */
export function applyAppearance(c: HttpContext, html: string): string {
  const { theme, sidebar } = readAppearance(c);
  const classes = [theme === 'system' ? '' : theme, sidebar === 'narrow' ? sidebar : ''].filter(Boolean);
  return classes.length === 0
    ? html
    : html.replace(HTML_START_TAG, `<html lang="en" class="${classes.join(' ')}">`);
}

export async function handleAppearanceForm(c: HttpContext): Promise<Response> {
  const browser = readUncheckedBrowser(c);
  if (!browser) throw forbiddenError('This form has expired. Go back, reload the page and try again.');
  const form = await readPageForm(c, browser);
  for (const [name, allowed] of Object.entries(appearanceValues)) {
    const value = allowed.find((each) => each === form.get(name));
    if (value === undefined) continue;
    const secure = c.get('scope').origin.startsWith('https:');
    setCookie(c, name, value, { path: '/', maxAge: YEAR_SECONDS, sameSite: 'Lax', secure });
  }
  return c.redirect(toSafeReturnPath(form.get('back') ?? undefined, c.get('scope').origin), 303);
}

/** Checks the format, because another tab or an older version may have stored anything in the cookie. */
export function readRecentProjects(c: HttpContext): number[] {
  const text = getCookie(c, 'recent') ?? '';
  if (!RECENT_PROJECTS_PATTERN.test(text)) return [];
  const ids = text.split('.').map(Number);
  return [...new Set(ids)].filter((id) => id > 0).slice(0, SIDEBAR_ITEMS_MAX);
}
