import * as z from 'zod';
import { unwrap } from '../kernel/explain.ts';
import type { AnyPage } from './page-model/page.ts';

/** A page that an address names, and what the address says beside. */
export interface Place {
  readonly page: AnyPage;
  readonly workspaceId: string;
  readonly params: Record<string, unknown>;
  /** What is wrong with the query, by name; the parameters are without it. */
  readonly problems: Readonly<Record<string, string>>;
}

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
export function findPlace(pages: readonly AnyPage[], { pathname, searchParams }: URL): Place | null {
  for (const page of pages) {
    const found = patternOf(page).exec(pathname)?.groups;
    if (!found) continue;
    const { workspace = '', ...path } = decoded(found);
    const raw = readNames(page.params, searchParams, path);
    const parsed = page.params.safeParse(raw);
    if (!parsed.success) return null;
    const problems = page.problems?.(parsed.data as never) ?? {};
    const params = Object.fromEntries(Object.entries(parsed.data).filter(([name]) => !(name in problems)));
    return { page, workspaceId: workspace, params, problems };
  }
  return null;
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
  return unwrap(type) instanceof z.ZodNumber && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Each form of the page repeats it, and each link to another state of the page. */
const BACK_CHARACTERS_MAX = 4_000;

/** Path and query of a page, with what the page knows of the query and nothing else. */
export function ownAddress({ page }: Place, { pathname, searchParams }: URL): string {
  const known = [...searchParams].filter(([name]) => Object.hasOwn(page.params.shape, name));
  const query = new URLSearchParams(known).toString();
  return query === '' || query.length > BACK_CHARACTERS_MAX ? pathname : `${pathname}?${query}`;
}

/** The address of a page of this workspace that a form names, or the workspace's first page. */
export function safeBack(back: string | null, base: string, origin: string): string {
  const url = back === null || back.length > BACK_CHARACTERS_MAX ? null : URL.parse(back, origin);
  const isOurs = url?.origin === new URL(origin).origin && `${url.pathname}/`.startsWith(`${base}/`);
  return isOurs ? url.pathname + url.search : base;
}
