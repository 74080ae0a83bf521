import { readAsMember, runAsVisitor, type VisitingMember } from '../../accounts/browser-sessions/visitor.ts';
import { recordExport } from '../../audit/audit.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { execute } from '../../kernel/execute/execute.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import type { AnyCsvFile, CsvColumn } from '../page-model/csv-file.ts';
import { toCsvRow } from './csv.ts';
import { sendErrorPage } from './error-page.tsx';
import { collectParams } from './match-page.ts';
import { pageNotFoundError } from './show-page.ts';

const ROWS_PER_BATCH = 100;
/** This many rows take at most 200 of the 1,000 database round trips that the platform allows per request. */
const ROWS_MAX = 20_000;
/** Without this mark, spreadsheets misread UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

interface ListPage {
  readonly data: readonly never[];
  readonly meta: { readonly total?: number };
}

export async function sendCsv(c: HttpContext, file: AnyCsvFile): Promise<Response> {
  const url = new URL(c.req.url);
  const parsed = file.params.safeParse(collectParams(file.params, url.searchParams, {}));
  return runAsVisitor(c, c.req.param('workspace') ?? '', async (visitor) => {
    if (visitor.outcome === 'signed_out') {
      return c.redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`, 303);
    }
    const { browser } = visitor;
    if (visitor.outcome === 'not_a_member') return sendErrorPage(c, pageNotFoundError(), { browser });
    const { caller, answers } = await runReads(
      c,
      file,
      visitor,
      parsed.success ? file.inputs(parsed.data as never) : null,
    );
    if (!parsed.success) throw pageNotFoundError();
    return streamCsv(c, file, parsed.data as never, { visitor, caller, answers });
  });
}

interface CompletedReads {
  readonly caller: Caller;
  readonly answers: Record<string, unknown>;
}

/** Without inputs, only checks that the visitor is a member. */
async function runReads(
  c: HttpContext,
  file: AnyCsvFile,
  visitor: VisitingMember,
  inputs: Readonly<Record<string, unknown>> | null,
): Promise<CompletedReads> {
  const names = inputs ? Object.keys(file.reads) : [];
  const { caller, results } = await readAsMember(c, visitor, () =>
    Object.entries(inputs ? file.reads : {}).map(([name, operation]) => ({
      operation,
      input: inputs?.[name],
    })),
  );
  const answers: Record<string, unknown> = {};
  for (const [index, result] of results.entries()) {
    if (!result.ok) throw result.error;
    answers[names[index] ?? ''] = result.output;
  }
  return { caller, answers };
}

async function streamCsv(
  c: HttpContext,
  file: AnyCsvFile,
  params: never,
  { visitor, caller, answers }: CompletedReads & { visitor: VisitingMember },
): Promise<Response> {
  const columns = file.columns(params, answers as never, caller);
  const pages = generateListPages(c, file, params, { visitor, caller });
  const { value: first } = await pages.next();
  assertRowsFit(first?.meta.total ?? 0);
  const scope = c.get('scope');
  await execute(recordExport, {
    request: scope,
    authenticator: visitor.authenticator,
    input: () => ({ file: file.path.slice(1) }),
    cell: () => scope.cell(caller.cell),
  });
  return new Response(streamTexts(generateCsvRows(columns, first, pages)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.path.slice(1)}"`,
      'Cache-Control': 'no-store',
    },
  });
}

function assertRowsFit(total: number) {
  if (total <= ROWS_MAX) return;
  const [rowCount, limit] = [total, ROWS_MAX].map(formatNumber);
  throw invalidRequestError(
    `This list has ${rowCount} rows, but a CSV file can have only ${limit}. Filter the list and try again.`,
  );
}

async function* generateListPages(
  c: HttpContext,
  { list, input }: AnyCsvFile,
  params: never,
  { visitor, caller }: { visitor: VisitingMember; caller: Caller },
): AsyncGenerator<ListPage, undefined> {
  const scope = c.get('scope');
  const listInput = input(params, {
    me: caller.userId,
    today: toWallClock(scope.now, caller.timezone).date,
  });
  let cursor: string | null = null;
  let rowCount = 0;
  do {
    const page: Awaited<ReturnType<typeof execute>> = await execute(list, {
      request: scope,
      authenticator: visitor.authenticator,
      input: () => ({ ...listInput, limit: ROWS_PER_BATCH, ...(cursor !== null && { cursor }) }),
      cell: () => scope.cell(caller.cell),
    });
    const output = page.output as ListPage;
    rowCount += output.data.length;
    assertRowsFit(rowCount);
    yield output;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function* generateCsvRows(
  columns: readonly CsvColumn<never>[],
  first: ListPage | undefined,
  rest: AsyncGenerator<ListPage, undefined>,
): AsyncGenerator<string, undefined> {
  const formatPage = ({ data }: ListPage) =>
    data.map((item) => toCsvRow(columns.map(({ text }) => text(item)))).join('');
  yield BYTE_ORDER_MARK + toCsvRow(columns.map(({ label }) => label)) + (first ? formatPage(first) : '');
  for await (const page of rest) yield formatPage(page);
}

/** Errors abort the download so that a partial file isn't mistaken for a complete file. */
function streamTexts(texts: AsyncGenerator<string, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await texts.return(undefined);
    },
  });
}
