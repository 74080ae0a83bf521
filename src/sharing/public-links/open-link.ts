import QuickLRU from 'quick-lru';
import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { HOUR_MS } from '../../kernel/dates/durations.ts';
import { AppError, internalError } from '../../kernel/errors/errors.ts';
import { BatchingDatabase } from '../../kernel/execute/batching-database.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { findTokenCell } from '../../kernel/secrets/derived-token.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { type TaskFilter, taskFilterInput } from '../../tasks/saved-filters/task-filter.ts';
import { createVisitor, limitVisits, linkNotFoundError } from '../model/visitor.ts';
import { findLinkByHash, type OpenLinkRow, recordLinkUse } from './open-link.queries.ts';
import { describeFilterProblem, describeProjectProblem } from './public-links.policy.ts';

const CACHED_LINKS_MAX = 1_000;
const ATTEMPTS_MAX = 3;
const USE_RECORDED_AFTER_MS = HOUR_MS;

/**
 * Each isolate remembers the links that it has read, so that a page needs a single round trip. Every batch reads the
 * link again, and its results are used only if the link hasn't changed.
 */
const knownLinks = new QuickLRU<string, OpenLinkRow>({ maxSize: CACHED_LINKS_MAX });

interface OpenLink {
  readonly link: OpenLinkRow;
  readonly filter: TaskFilter;
  readonly caller: Caller;
  readonly today: string;
}

export type VisitorRead<T> = (ctx: { caller: Caller; db: GuardedDatabase }) => Promise<T>;

/** Runs the reads in one batch. Throws 404 unless the link works. */
export async function readThroughLink<T>(
  request: RequestScope,
  secret: string,
  buildReads: (link: OpenLink) => readonly VisitorRead<T>[],
): Promise<OpenLink & { results: T[] }> {
  limitVisits(request);
  const cell = findTokenCell(request, secret);
  if (cell === null) throw linkNotFoundError();
  const hash = hashSecret(secret);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const link = knownLinks.get(hash) ?? (await request.cell(cell).batch([findLinkByHash(hash)]))[0];
    const open = link && openLink(request, link, createVisitor(link, cell, hash));
    if (!open) {
      // A link that this isolate remembers may have changed, and then works again.
      if (knownLinks.delete(hash)) continue;
      throw linkNotFoundError();
    }
    request.budget.enter(open.caller);
    const reads = buildReads(open);
    const db = new BatchingDatabase(request.cell(cell), null, reads.length + 1);
    const run = <R>(work: () => Promise<R>) => work().finally(() => db.removeReader());
    const [found, ...settled] = await Promise.allSettled([
      run(() => db.batch([findLinkByHash(hash)])),
      ...reads.map((read) => run(() => read({ caller: open.caller, db }))),
    ]);
    if (found.status === 'rejected') throw found.reason;
    const [current] = found.value;
    if (!current || !isSameLink(current, link)) {
      knownLinks.delete(hash);
      continue;
    }
    knownLinks.set(hash, current);
    recordUse(request, cell, current);
    return { ...open, results: settled.map((each) => takeResult(each as PromiseSettledResult<T>)) };
  }
  throw internalError();
}

function openLink(request: RequestScope, link: OpenLinkRow, caller: Caller): OpenLink | null {
  const today = toWallClock(request.now, link.timezone).date;
  if (link.expires_on !== null && link.expires_on < today) return null;
  const { project, project_status: status, is_shared } = link;
  const filter = project === null ? parsePublishedFilter(link.published_filter) : { project };
  if (filter === null) return null;
  const problem =
    status === null
      ? describeFilterProblem({ is_shared: is_shared ?? 0 }, filter)
      : describeProjectProblem({ status });
  return problem === null ? { link, filter, caller, today } : null;
}

/** Returns null if the filter is no longer valid, because no filter would match every task. */
function parsePublishedFilter(json: string | null): TaskFilter | null {
  return taskFilterInput.safeParse(JSON.parse(json ?? 'null')).data ?? null;
}

function isSameLink(one: OpenLinkRow, other: OpenLinkRow): boolean {
  const toText = (link: OpenLinkRow) => JSON.stringify({ ...link, last_used_at: null });
  return toText(one) === toText(other);
}

/** A filter can become invalid, for example if a person in it leaves. Visitors can do nothing about that. */
function takeResult<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'fulfilled') return settled.value;
  const { reason } = settled;
  throw reason instanceof AppError && reason.status === 400 ? linkNotFoundError() : reason;
}

function recordUse(request: RequestScope, no: number, link: OpenLinkRow) {
  if (link.last_used_at !== null && request.now - link.last_used_at < USE_RECORDED_AFTER_MS) return;
  const cell = request.cellAfterResponse(no);
  if (cell)
    request.afterResponse('public_link.record_use', () => cell.batch([recordLinkUse(link, request.now)]));
}
