import * as z from 'zod';
import { unwrapSchema } from '../../kernel/errors/describe-parse-error.ts';
import { removeControlCharacters } from '../../kernel/text/storable-text.ts';
import type { AnyPage } from '../page-model/page.ts';

export interface PageMatch {
  readonly page: AnyPage;
  readonly workspaceId: string;
  readonly params: Record<string, unknown>;
  readonly problems: Readonly<Record<string, string>>;
}

const QUOTED_CHARACTERS_MAX = 40;

const pathPatterns = new WeakMap<AnyPage, RegExp>();

function getPathPattern(page: AnyPage): RegExp {
  let pattern = pathPatterns.get(page);
  if (!pattern) {
    const path = page.path.replace(/:(\w+)/g, '(?<$1>[^/]+)');
    pattern = new RegExp(`^/app/(?<workspace>[^/]+)${path}$`);
    pathPatterns.set(page, pattern);
  }
  return pattern;
}

/** Returns null if no page has this path, or if a parameter other than a filter is invalid. */
export function matchPage(pages: readonly AnyPage[], { pathname, searchParams }: URL): PageMatch | null {
  for (const page of pages) {
    const groups = getPathPattern(page).exec(pathname)?.groups;
    if (!groups) continue;
    const { workspace = '', ...path } = decodePathParams(groups);
    const raw = collectParams(page.params, searchParams, path);
    const invalid = findInvalidFilters(page, raw);
    const parsed = page.params.safeParse(omitInvalidParams(raw, invalid));
    if (!parsed.success) return null;
    const problems = { ...invalid, ...page.problems?.(parsed.data as never) };
    return { page, workspaceId: workspace, params: omitInvalidParams(parsed.data, problems), problems };
  }
  return null;
}

function findInvalidFilters({ params, filters = [] }: AnyPage, raw: Record<string, unknown>) {
  const issues = params.safeParse(raw).error?.issues ?? [];
  const names = issues.map(({ path: [name] }) => String(name)).filter((name) => filters.includes(name));
  return Object.fromEntries(
    names.map((name) => [name, `“${shortenInvalidValue(String(raw[name]))}” isn't a valid value.`]),
  );
}

function shortenInvalidValue(text: string): string {
  return text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}…` : text;
}

export function omitInvalidParams<T>(
  params: Readonly<Record<string, T>>,
  problems: Readonly<Record<string, string>>,
) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !Object.hasOwn(problems, name)));
}

function decodePathParams(groups: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return {};
  }
}

/** Path parameters override the query. Unknown names are omitted. */
export function collectParams(
  schema: z.ZodObject,
  query: URLSearchParams,
  path: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const type = unwrapSchema(field as z.ZodType);
    const texts = path[name] === undefined ? query.getAll(name) : [path[name]];
    const nonEmpty = texts.filter((text) => text !== '');
    if (nonEmpty.length === 0) continue;
    raw[name] =
      type instanceof z.ZodArray
        ? nonEmpty
            .flatMap((text) => text.split(','))
            .map((text) => parseParam(text, type.element as z.ZodType))
        : parseParam(nonEmpty.at(-1) ?? '', type);
  }
  return raw;
}

function parseParam(text: string, type: z.ZodType): unknown {
  return unwrapSchema(type) instanceof z.ZodNumber && /^\d{1,15}$/.test(text)
    ? Number(text)
    : removeControlCharacters(text);
}

/** Every form on the page contains this URL, so its length is limited. */
const RETURN_URL_CHARACTERS_MAX = 4_000;

export function toPageUrl({ page, problems }: PageMatch, { pathname, searchParams }: URL): string {
  const knownParams = [...searchParams].filter(
    ([name]) => Object.hasOwn(page.params.shape, name) && !Object.hasOwn(problems, name),
  );
  const query = new URLSearchParams(knownParams).toString();
  return query === '' || query.length > RETURN_URL_CHARACTERS_MAX ? pathname : `${pathname}?${query}`;
}

/** Falls back to the workspace's first page if the return URL is missing, too long or outside this workspace. */
export function toSafeReturnUrl(back: string | null, base: string, origin: string): string {
  const url = back === null || back.length > RETURN_URL_CHARACTERS_MAX ? null : URL.parse(back, origin);
  const isOurs = url?.origin === new URL(origin).origin && `${url.pathname}/`.startsWith(`${base}/`);
  return isOurs ? url.pathname + url.search : base;
}
