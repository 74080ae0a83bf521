import {
  readAsMember,
  runAsVisitor,
  type VisitingMember,
  type Visitor,
} from '../../accounts/browser-sessions/visitor.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { ReadResult } from '../../kernel/execute/execute-reads.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { AnyPage, RejectedForm, Visit } from '../page-model/page.ts';
import { sendErrorPage } from './error-page.tsx';
import { takeFlashMessage } from './flash-message.ts';
import { listFrameReads, type NamedRead, selectFrameAnswers } from './frame-reads.ts';
import { matchPage, omitInvalidParams, type PageMatch, toPageUrl } from './match-page.ts';
import type { PageStatus } from './page-response.ts';
import { hasTypedNames, resolveNames } from './resolve-names.ts';
import { sendPageView } from './send-page-view.tsx';
import { buildVisit, getToday } from './visit.ts';
import { sendWorkspaceErrorPage } from './workspace-error.tsx';

interface ShowPageOptions {
  address?: string;
  rejected?: RejectedForm;
  secret?: string;
  status?: PageStatus;
}

export function showPage(
  c: HttpContext,
  pages: readonly AnyPage[],
  options: ShowPageOptions = {},
): Promise<Response> {
  const workspaceId = matchPage(pages, getPageUrl(c, options))?.workspaceId ?? c.req.param('workspace') ?? '';
  return runAsVisitor(c, workspaceId, (visitor) => showPageAsVisitor(c, visitor, pages, options));
}

export async function showPageAsVisitor(
  c: HttpContext,
  visitor: Visitor,
  pages: readonly AnyPage[],
  options: ShowPageOptions = {},
): Promise<Response> {
  const url = getPageUrl(c, options);
  const address = url.pathname + url.search;
  const pageMatch = matchPage(pages, url);
  if (pageMatch && c.req.method === 'GET') c.set('route', `GET /app/:workspace${pageMatch.page.path}`);
  if (visitor.outcome === 'signed_out') {
    return c.redirect(`/sign-in?next=${encodeURIComponent(address)}`, 303);
  }
  const { browser } = visitor;
  const typed = options.rejected?.values;
  if (visitor.outcome === 'not_a_member') return sendErrorPage(c, pageNotFoundError(), { browser, typed });
  const redirectUrl = pageMatch?.page.redirectTo ? await findRedirectUrl(c, visitor, pageMatch) : null;
  if (redirectUrl !== null) return c.redirect(redirectUrl, 302);
  const { match, caller, results } = await readMatchedPage(c, visitor, pageMatch);
  const frame = selectFrameAnswers(c, results);
  const visitDetails = { browser, caller, address, timer: frame.timer };
  if (!match)
    return sendWorkspaceErrorPage(c, pageNotFoundError(), {
      visit: buildVisit(c, visitDetails),
      frame,
      typed,
    });
  const filters = c.req.method === 'GET' ? await resolveNamedFilters(c, visitor, url, match) : {};
  if (filters.redirectUrl !== undefined) return c.redirect(filters.redirectUrl, 303);
  const { page } = match;
  const pageVisit = buildVisit(c, { ...visitDetails, address: toPageUrl(match, url) });
  const answers: Record<string, unknown> = {};
  for (const [index, { name, isOptional }] of listPageReads(c, match, caller).entries()) {
    const result = results[index] as ReadResult;
    if (!result.ok && !isOptional)
      return sendWorkspaceErrorPage(c, result.error, { visit: pageVisit, frame, page, typed });
    answers[name] = result.ok ? result.output : null;
  }
  for (const name of Object.keys(page.optionalReads ?? {})) answers[name] ??= null;
  const { base } = pageVisit;
  if (page.redirectTo) return c.redirect(page.redirectTo(answers as never, base), 302);
  const visit = {
    ...pageVisit,
    rejected: options.rejected ?? filters.rejected ?? null,
    secret: options.secret ?? null,
    flash: c.req.method === 'GET' ? takeFlashMessage(c) : null,
    names: collectNamesById(match, caller, answers),
    references: collectReferences(match, base, answers) ?? pageVisit.references,
  };
  return sendPageView(c, match, visit, answers, options.status ?? 200);
}

/** Doesn't read the frame, because a page can contain many images. If a read fails, the error page needs the frame. */
async function findRedirectUrl(
  c: HttpContext,
  visitor: VisitingMember,
  match: PageMatch,
): Promise<string | null> {
  let names: string[] = [];
  const { caller, results } = await readAsMember(c, visitor, (member) => {
    const reads = listOwnReads(c, match, member);
    names = reads.map(({ name }) => name);
    return reads;
  });
  if (!results.every(({ ok }) => ok)) return null;
  const answers = results.map((result, index) => [names[index], result.ok ? result.output : null]);
  return match.page.redirectTo?.(Object.fromEntries(answers) as never, `/app/${caller.workspaceId}`) ?? null;
}

/** If a filter's value doesn't exist, reads the page again without that filter. */
async function readMatchedPage(
  c: HttpContext,
  visitor: VisitingMember,
  match: PageMatch | null,
): Promise<{ match: PageMatch | null; caller: Caller; results: readonly ReadResult[] }> {
  const reading = await readAsMember(c, visitor, (caller) => listPageReads(c, match, caller));
  if (!match) return { match, ...reading };
  const firstReads = listPageReads(c, match, reading.caller);
  const unknown = findUnknownFilters(match, firstReads, reading.results);
  if (Object.keys(unknown).length === 0) return { match, ...reading };
  const rest = {
    ...match,
    params: omitInvalidParams(match.params, unknown),
    problems: { ...match.problems, ...unknown },
  };
  // Reads that don't depend on the filter aren't repeated, because a request can send only 50 statements.
  const known = new Map<string, ReadResult>();
  for (const [index, read] of firstReads.entries()) {
    const result = reading.results[index];
    if (result?.ok) known.set(toReadKey(read), result);
  }
  const { caller, results } = await readAsMember(c, visitor, (member) =>
    listPageReads(c, rest, member).filter((read) => !known.has(toReadKey(read))),
  );
  const next = results.values();
  const merged = listPageReads(c, rest, caller).map(
    (read) => known.get(toReadKey(read)) ?? (next.next().value as ReadResult),
  );
  return { match: rest, caller, results: merged };
}

function toReadKey({ name, input }: NamedRead): string {
  return JSON.stringify([name, input]);
}

function findUnknownFilters(
  { page: { unknown = {} }, params }: PageMatch,
  reads: readonly NamedRead[],
  results: readonly ReadResult[],
): Record<string, string> {
  const invalidFilters = reads.flatMap(({ name }, index) => {
    const result = results[index];
    if (!result) return [];
    return [unknown[name] ?? []].flat().filter(({ filter, isIn }) => {
      if (params[filter] === undefined) return false;
      return !result.ok || isIn?.(result.output as never, String(params[filter])) === false;
    });
  });
  return Object.fromEntries(invalidFilters.map(({ filter, message }) => [filter, message]));
}

async function resolveNamedFilters(
  c: HttpContext,
  visitor: VisitingMember,
  { pathname, searchParams }: URL,
  match: PageMatch,
): Promise<{ redirectUrl?: string; rejected?: RejectedForm }> {
  const isNamed = hasTypedNames(searchParams);
  const resolved = isNamed ? await resolveNames(c, visitor, searchParams) : null;
  const nameProblems = resolved?.problems ?? {};
  if (resolved && Object.keys(nameProblems).length === 0)
    return { redirectUrl: `${pathname}?${resolved.fields}` };
  const fields = { ...match.problems, ...nameProblems };
  if (Object.keys(fields).length === 0) return {};
  return { rejected: { action: pathname, values: searchParams, message: null, fields } };
}

function collectNamesById(
  { page }: PageMatch,
  caller: Caller,
  answers: Readonly<Record<string, unknown>>,
): Visit['names'] {
  const mentioned = page.mentioned?.(answers as never) ?? [];
  return new Map([...mentioned.map(({ id, name }) => [id, name] as const), [caller.userId, caller.name]]);
}

function collectReferences(
  { page }: PageMatch,
  base: string,
  answers: Readonly<Record<string, unknown>>,
): Visit['references'] | null {
  const found = page.references?.(answers as never);
  if (!found) return null;
  return {
    tasks: new Map(found.tasks.map(({ id, name }) => [id, name])),
    images: new Set(found.images),
    filesUrl: `${base}/tasks/${found.task}/files`,
  };
}

function getPageUrl(c: HttpContext, { address }: ShowPageOptions): URL {
  return new URL(address ?? c.req.url, c.get('scope').origin);
}

export function pageNotFoundError(): AppError {
  return new AppError('not_found', 'There is no page at this address.');
}

function listPageReads(c: HttpContext, match: PageMatch | null, caller: Caller): readonly NamedRead[] {
  return [...listFrameReads(c), ...(match ? listOwnReads(c, match, caller) : [])];
}

function listOwnReads(c: HttpContext, { page, params }: PageMatch, caller: Caller): readonly NamedRead[] {
  const inputs = page.inputs(params as never, { me: caller.userId, today: getToday(c, caller) });
  return [
    ...Object.entries(page.reads).map(([name, operation]) => ({
      name,
      operation,
      input: inputs[name],
      isOptional: false,
    })),
    ...Object.entries(page.optionalReads ?? {})
      .filter(([name]) => inputs[name] !== null && inputs[name] !== undefined)
      .map(([name, operation]) => ({ name, operation, input: inputs[name], isOptional: true })),
  ];
}
