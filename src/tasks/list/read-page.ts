import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { skipToOffset } from '../../kernel/lists/deep-offset.ts';
import { toRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { type Results, type SQL, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { buildFirstParts } from '../../search/index/search.queries.ts';
import { hasMoreParts, readSearchPage, sumTotals } from '../../search/index/search.ts';
import { listKnownAssignees, OTHER_ASSIGNEES_MAX } from '../counters/assignees.queries.ts';
import { type FieldDefinition, listDefinitions } from '../custom-fields/custom-fields.queries.ts';
import {
  listPeopleInFilters,
  requireFieldFilters,
  tooManyTasksWithValuesError,
} from '../custom-fields/field-filter.policy.ts';
import { compareSortKeys } from '../model/sort-keys.ts';
import { getSortKey, type PageSort } from '../model/task-orders.queries.ts';
import { unknownAssigneeError } from '../model/tasks.policy.ts';
import { listTasks as selectTasks } from '../model/tasks.queries.ts';
import type { TaskListInput } from '../model/tasks.schema.ts';
import { selectManualOrderPage } from './manual-order-pages.queries.ts';
import type { PageFilter } from './page-filter.queries.ts';
import { toPageFilter } from './page-filter.ts';
import { canCountFromCounters, countTasks, selectTaskPage } from './pages.queries.ts';
import {
  countScannedTasks,
  getScannedTasksMax,
  needsScan,
  selectScannedPage,
} from './scanned-pages.queries.ts';
import {
  countMatches,
  countMatchesUpTo,
  listFirstMatchesInPart,
  selectSearchPage,
} from './search-pages.queries.ts';

function tooManyTasksToScanError(filter: PageFilter) {
  const { created, tags, blocked, fields } = filter;
  const max = getScannedTasksMax(filter);
  if (blocked) {
    return invalidRequestError(
      ({ field }) =>
        `More than ${max} tasks are blocked, which is too many to search. Also filter by ${field('projectId')}.`,
      ({ field }) => field('isBlocked'),
    );
  }
  if (fields) return tooManyTasksWithValuesError(fields, max);
  if (created) {
    return invalidRequestError(
      ({ field }) =>
        `More than ${max} tasks were created in this period, which is too many to search. Choose fewer days, or also filter by ${field('projectId')} or ${field('status')}.`,
      created.since === undefined ? 'createdTo' : 'createdFrom',
    );
  }
  return invalidRequestError(
    ({ field, takes }) =>
      `More than ${max} tasks have tags, which is too many to search. Also filter by ${field('projectId')}${takes('createdFrom') ? `, ${field('createdFrom')} or ${field('createdTo')}` : ''}.`,
    ({ field }) => field(tags?.any ? 'tags' : 'tagsAll'),
  );
}

function tooManySharedTasksError() {
  return invalidRequestError(
    `The people in the filter share more than ${OTHER_ASSIGNEES_MAX} tasks with other assignees, which is too many to search. Filter by one person at a time.`,
    ({ field }) => field('assigneeId'),
  );
}

/** Skipping this many rows in a batch takes about 20 ms. */
const ROWS_SKIPPED_PER_BATCH = 50_000;

interface ReadPageOptions<R, E> {
  list: (pageIds: SQL, sort: PageSort) => Statement<R[]>;
  /** Returns at most one statement. `readTaskPage` returns its rows as `extra`. */
  readAlongside?: (ids: SQL, tasks: number) => readonly Statement<E[]>[];
  /** If set, counts search matches only up to this number plus one, and leaves out other slow totals. */
  countUpTo?: number | undefined;
  /** If true, also returns the workspace's custom fields as `definitions`. */
  hasFields?: boolean;
  /** If true, a search also covers checklists, tags and text fields. */
  searchesDetails?: boolean;
}

export async function readTaskPage<R extends { id: number; due: string; updated_at?: number }, E>(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  input: Omit<TaskListInput, 'sort'> & { sort: PageSort },
  { list, readAlongside = () => [], countUpTo, hasFields = false, searchesDetails }: ReadPageOptions<R, E>,
) {
  const sort = input.sort === 'hand' ? 'created' : input.sort;
  const filter = toPageFilter(caller, input);
  const readsFields = hasFields || filter.fields !== undefined;
  let definitions: readonly FieldDefinition[] | undefined;
  const isByHand = input.sort === 'hand' && !input.search && !filter.named;
  const range = toRange(input, sort === 'created' ? 1 : 2);
  const isCounted = countUpTo === undefined || needsScan(filter) || canCountFromCounters(filter);
  const [total, rows, extra] = await (input.search && !filter.named
    ? searchPage(input.search)
    : needsScan(filter)
      ? readScannedPage()
      : isCounted
        ? readCountedPage()
        : readUncountedPage());
  return { range, total, rows, extra, definitions, isCounted, key: (row: R) => getSortKey(row, sort) };

  async function readBatch<const S extends readonly Statement[]>(statements: S) {
    const named = filter.assignees?.userIds ?? [];
    const people = [...named, ...listPeopleInFilters(filter.fields)];
    const found = await batchByName(db, {
      people: people.length > 0 ? listKnownAssignees(caller, people) : null,
      definitions: readsFields ? listDefinitions(caller) : null,
      page: statements,
    });
    const knownPeople = found.people ?? [];
    const known = knownPeople.map(({ id }) => id);
    const unknown = named.find((userId) => !known.includes(userId));
    if (unknown !== undefined) throw unknownAssigneeError(unknown);
    const shared = knownPeople.reduce((sum, { id, shared }) => sum + (named.includes(id) ? shared : 0), 0);
    if (named.length > 1 && shared > OTHER_ASSIGNEES_MAX) throw tooManySharedTasksError();
    if (found.definitions) {
      definitions = found.definitions;
      requireFieldFilters(definitions, filter.fields ?? [], known);
    }
    return found.page as Results<S>;
  }

  async function readScannedPage() {
    const [{ total, scanned }, ...found] = await readBatch([
      countScannedTasks(caller, filter),
      ...buildPageStatements(selectScannedPage(caller, filter, sort, range)),
    ]);
    if (scanned > getScannedTasksMax(filter)) throw tooManyTasksToScanError(filter);
    return [total, ...found] as const;
  }

  async function readCountedPage() {
    if (filter.blocked && filter.named === undefined) return readUnblockedPage();
    return readBatch([countTasks(caller, filter), ...buildPageStatements(await selectPageIds())]);
  }

  /** No counter covers unblocked tasks. Their number is the total minus the number of blocked tasks. */
  async function readUnblockedPage() {
    const blocked = { ...filter, blocked: filter.blocked && { ...filter.blocked, is: true } };
    const [{ total, scanned }, all, ...found] = await readBatch([
      countScannedTasks(caller, blocked),
      countTasks(caller, { ...filter, blocked: undefined }),
      ...buildPageStatements(await selectPageIds()),
    ]);
    if (scanned > getScannedTasksMax(filter)) throw tooManyTasksToScanError(blocked);
    return [all - total, ...found] as const;
  }

  async function readUncountedPage() {
    const [rows, extra] = await readBatch(buildPageStatements(await selectPageIds()));
    // A page after the last one is empty, so the total can't be derived from its rows.
    return rows.length === 0 && range.offset > 0
      ? readCountedPage()
      : ([range.skipped + rows.length, rows, extra] as const);
  }

  async function selectPageIds() {
    return isByHand
      ? selectManualOrderPage(caller, filter, range)
      : selectTaskPage(caller, filter, sort, await skipToPage());
  }

  function skipToPage() {
    return skipToOffset(range, {
      step: ROWS_SKIPPED_PER_BATCH,
      count: async () => (await db.batch([countTasks(caller, filter)]))[0],
      find: async (part) => {
        const [[row]] = await db.batch([selectTasks(selectTaskPage(caller, filter, sort, part), sort)]);
        return row ? getSortKey(row, sort) : null;
      },
    });
  }

  function buildPageStatements(ids: SQL) {
    return [list(ids, isByHand ? 'hand' : sort), ...readAlongside(ids, range.limit + 1)] as const;
  }

  async function searchPage(
    text: string,
    upTo = countUpTo ?? Number.POSITIVE_INFINITY,
  ): Promise<readonly [total: number, rows: R[], extra?: E[] | undefined, ...unknown[]]> {
    const parts = buildFirstParts(caller, text, {
      isArchived: input.isArchived ?? false,
      // The search index can be limited only to a single project.
      projectId: filter.projectIds?.length === 1 ? filter.projectIds[0] : undefined,
      hasDetails: searchesDetails,
    });
    const [tallies, rows, extra] = await readBatch([
      Number.isFinite(upTo)
        ? countMatchesUpTo(upTo, caller, parts, filter)
        : countMatches(caller, parts, filter),
      ...buildPageStatements(selectSearchPage(caller, parts, filter, sort, range)),
    ]);
    const counted = sumTotals(tallies);
    if (counted > upTo) {
      // If the page isn't full, only the exact total shows whether it is the last page.
      return rows.length > range.limit ? [upTo + 1, rows, extra] : searchPage(text, Number.POSITIVE_INFINITY);
    }
    if (!hasMoreParts(parts, tallies)) return [counted, rows, extra];
    const { total, ids } = await readSearchPage(db, {
      parts,
      range,
      tally: (part) => countMatches(caller, [part], filter),
      rows: (part, upTo) => listFirstMatchesInPart(caller, part, filter, sort, upTo),
      compare: (one, other) =>
        compareSortKeys(getSortKey(one, sort), getSortKey(other, sort), sort !== 'due'),
    });
    return [total, ...(await db.batch(buildPageStatements(selectIdsInOrder(ids))))];
  }
}
