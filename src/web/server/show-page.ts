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
import { matchPage, omitKeys, type PageMatch, toPageAddress } from './addresses.ts';
import { sendErrorPage } from './error-page.tsx';
import { takeFlashMessage } from './flash-message.ts';
import { listFrameReads, type NamedRead, selectFrameAnswers } from './frame-reads.ts';
import type { PageStatus } from './page-response.ts';
import { hasTypedNames, resolveNames } from './resolve-names.ts';
import { sendPageView } from './view-response.tsx';
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
  shown: ShowPageOptions = {},
): Promise<Response> {
  const workspaceId = matchPage(pages, toUrl(c, shown))?.workspaceId ?? c.req.param('workspace') ?? '';
  return runAsVisitor(c, workspaceId, (visitor) => showPageAs(c, visitor, pages, shown));
}

export async function showPageAs(
  c: HttpContext,
  visitor: Visitor,
  pages: readonly AnyPage[],
  shown: ShowPageOptions = {},
): Promise<Response> {
  const url = toUrl(c, shown);
  const address = url.pathname + url.search;
  const addressed = matchPage(pages, url);
  if (addressed && c.req.method === 'GET') c.set('route', `GET /app/:workspace${addressed.page.path}`);
  if (visitor.outcome === 'signed_out') {
    return c.redirect(`/sign-in?next=${encodeURIComponent(address)}`, 303);
  }
  const { browser } = visitor;
  const typed = shown.rejected?.values;
  if (visitor.outcome === 'not_a_member') return sendErrorPage(c, pageNotFoundError(), { browser, typed });
  const { place, caller, results } = await readMatchedPage(c, visitor, addressed);
  const frame = selectFrameAnswers(c, results);
  const visiting = { browser, caller, address, timer: frame.timer };
  if (!place)
    return sendWorkspaceErrorPage(c, pageNotFoundError(), { visit: buildVisit(c, visiting), frame, typed });
  const named = c.req.method === 'GET' ? await resolveNamedFilters(c, visitor, url, place) : {};
  if (named.leadsTo !== undefined) return c.redirect(named.leadsTo, 303);
  const { page } = place;
  const visited = buildVisit(c, { ...visiting, address: toPageAddress(place, url) });
  const answers: Record<string, unknown> = {};
  for (const [index, { name, isOptional }] of listPageReads(c, place, caller).entries()) {
    const result = results[index] as ReadResult;
    if (!result.ok && !isOptional)
      return sendWorkspaceErrorPage(c, result.error, { visit: visited, frame, page, typed });
    answers[name] = result.ok ? result.output : null;
  }
  for (const name of Object.keys(page.optionalReads ?? {})) answers[name] ??= null;
  const { base } = visited;
  if (page.leadsTo) return c.redirect(page.leadsTo(answers as never, base), 302);
  const visit = {
    ...visited,
    rejected: shown.rejected ?? named.rejected ?? null,
    secret: shown.secret ?? null,
    flash: c.req.method === 'GET' ? takeFlashMessage(c) : null,
    names: collectNamesById(place, caller, answers),
  };
  return sendPageView(c, place, visit, answers, shown.status ?? 200);
}

/** If a filter's value doesn't exist, reads the page again without that filter. */
async function readMatchedPage(
  c: HttpContext,
  visitor: VisitingMember,
  place: PageMatch | null,
): Promise<{ place: PageMatch | null; caller: Caller; results: readonly ReadResult[] }> {
  const reading = await readAsMember(c, visitor, (caller) => listPageReads(c, place, caller));
  if (!place) return { place, ...reading };
  const unknown = findUnknownFilters(place, listPageReads(c, place, reading.caller), reading.results);
  if (Object.keys(unknown).length === 0) return { place, ...reading };
  const rest = {
    ...place,
    params: omitKeys(place.params, unknown),
    problems: { ...place.problems, ...unknown },
  };
  return { place: rest, ...(await readAsMember(c, visitor, (caller) => listPageReads(c, rest, caller))) };
}

function findUnknownFilters(
  { page: { unknown = {} }, params }: PageMatch,
  reads: readonly NamedRead[],
  results: readonly ReadResult[],
): Record<string, string> {
  const found = reads.flatMap(({ name }, index) => {
    const result = results[index];
    if (!result) return [];
    return [unknown[name] ?? []].flat().filter(({ filter, isIn }) => {
      if (params[filter] === undefined) return false;
      return !result.ok || isIn?.(result.output as never, String(params[filter])) === false;
    });
  });
  return Object.fromEntries(found.map(({ filter, message }) => [filter, message]));
}

async function resolveNamedFilters(
  c: HttpContext,
  visitor: VisitingMember,
  { pathname, searchParams }: URL,
  place: PageMatch,
): Promise<{ leadsTo?: string; rejected?: RejectedForm }> {
  const isNamed = hasTypedNames(searchParams);
  const found = isNamed ? await resolveNames(c, visitor, searchParams) : null;
  const nameProblems = found?.problems ?? {};
  if (found && Object.keys(nameProblems).length === 0) return { leadsTo: `${pathname}?${found.fields}` };
  const fields = { ...place.problems, ...nameProblems };
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

function toUrl(c: HttpContext, { address }: ShowPageOptions): URL {
  return new URL(address ?? c.req.url, c.get('scope').origin);
}

export function pageNotFoundError(): AppError {
  return new AppError('not_found', 'There is no page at this address.');
}

function listPageReads(c: HttpContext, place: PageMatch | null, caller: Caller): readonly NamedRead[] {
  if (!place) return listFrameReads(c);
  const { page, params } = place;
  const inputs = page.inputs(params as never, { me: caller.userId, today: getToday(c, caller) });
  return [
    ...listFrameReads(c),
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
