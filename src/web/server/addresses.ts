import * as z from 'zod';
import { unwrap } from '../../kernel/errors/explain.ts';
import { withoutControls } from '../../kernel/text/storable-text.ts';
import type { AnyPage } from '../page-model/page.ts';

/** A page that an address names, and what the address says beside. */
export interface PageMatch {
  readonly page: AnyPage;
  readonly workspaceId: string;
  readonly params: Record<string, unknown>;
  /** What is wrong with the query, by name; the parameters are without it. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Of what an address says, in a sentence about it. */
const TEXT_SHOWN_MAX = 40;

const patterns = new WeakMap<AnyPage, RegExp>();

function patternOf(page: AnyPage): RegExp {
  let pattern = patterns.get(page);
  if (!pattern) {
    const path = page.path.replace(/:(\w+)/g, '(?<$1>[^/]+)');
    pattern = new RegExp(`^/app/(?<workspace>[^/]+)${path}$`);
    patterns.set(page, pattern);
  }
  return pattern;
}

/** Null where no page is, or where the path or the query does not fit its page. */
export function matchPage(pages: readonly AnyPage[], { pathname, searchParams }: URL): PageMatch | null {
  for (const page of pages) {
    const found = patternOf(page).exec(pathname)?.groups;
    if (!found) continue;
    const { workspace = '', ...path } = decoded(found);
    const raw = readNames(page.params, searchParams, path);
    const unfit = unfitFilters(page, raw);
    const parsed = page.params.safeParse(without(raw, unfit));
    if (!parsed.success) return null;
    const problems = { ...unfit, ...page.problems?.(parsed.data as never) };
    return { page, workspaceId: workspace, params: without(parsed.data, problems), problems };
  }
  return null;
}

/** What is wrong with the filters that do not say what their schema takes, by name. */
function unfitFilters({ params, filters = [] }: AnyPage, raw: Record<string, unknown>) {
  const issues = params.safeParse(raw).error?.issues ?? [];
  const names = issues.map(({ path: [name] }) => String(name)).filter((name) => filters.includes(name));
  return Object.fromEntries(
    names.map((name) => [name, `“${shortened(String(raw[name]))}” is not possible here.`]),
  );
}

function shortened(text: string): string {
  return text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}…` : text;
}

/** The parameters but those that have a problem. */
export function without<T>(params: Readonly<Record<string, T>>, problems: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !Object.hasOwn(problems, name)));
}

/** A path that is no well-formed text names nothing. */
function decoded(found: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return {};
  }
}

/** Names of the path win over those of the query; names that the page does not know are left out. */
export function readNames(
  schema: z.ZodObject,
  query: URLSearchParams,
  path: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const type = unwrap(field as z.ZodType);
    const texts = path[name] === undefined ? query.getAll(name) : [path[name]];
    const said = texts.filter((text) => text !== '');
    if (said.length === 0) continue;
    raw[name] =
      type instanceof z.ZodArray
        ? said.flatMap((text) => text.split(',')).map((text) => readText(text, type.element as z.ZodType))
        : readText(said.at(-1) ?? '', type);
  }
  return raw;
}

function readText(text: string, type: z.ZodType): unknown {
  return unwrap(type) instanceof z.ZodNumber && /^\d{1,15}$/.test(text)
    ? Number(text)
    : withoutControls(text);
}

/** Each form of the page repeats it, and each link to another state of the page. */
const BACK_CHARACTERS_MAX = 4_000;

/** Path and query of a page, with what the page knows of the query, was not refused, and nothing else. */
export function toPageAddress({ page, problems }: PageMatch, { pathname, searchParams }: URL): string {
  const known = [...searchParams].filter(
    ([name]) => Object.hasOwn(page.params.shape, name) && !Object.hasOwn(problems, name),
  );
  const query = new URLSearchParams(known).toString();
  return query === '' || query.length > BACK_CHARACTERS_MAX ? pathname : `${pathname}?${query}`;
}

/** The address of a page of this workspace that a form names, or the workspace's first page. */
export function toSafeReturnAddress(back: string | null, base: string, origin: string): string {
  const url = back === null || back.length > BACK_CHARACTERS_MAX ? null : URL.parse(back, origin);
  const isOurs = url?.origin === new URL(origin).origin && `${url.pathname}/`.startsWith(`${base}/`);
  return isOurs ? url.pathname + url.search : base;
}
