import { DatabaseUnavailableError } from '../errors/database-unavailable.ts';
import type { AppError } from '../errors/errors.ts';
import type { CostMeter } from './cost.ts';
import { BATCH_DEADLINE_MS, withDeadline } from './deadline.ts';
import { compileSql, type SQL, sql } from './sql.ts';

export type { SQL } from './sql.ts';

type Row = Record<string, unknown>;

export interface Statement<T = unknown> {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly read: (rows: Row[]) => T;
  /** The workspace in which the statement logs an event. Passed to `onEvent` after the commit. */
  readonly changedWorkspace?: number;
  /** Set if the statement leaves work to do, either right after the batch or in a cron job. */
  readonly leavesWork?: true;
  readonly rejection?: AppError;
}

export type Results<S extends readonly Statement[]> = {
  [K in keyof S]: S[K] extends Statement<infer T> ? T : never;
};

/** Thrown if the cached membership or credential differs from the database. */
export class StaleCallerError extends Error {}

/** Thrown if another request has already claimed the idempotency key. */
export class KeyClaimedError extends Error {}

/** Thrown if a row has changed since it was read. `execute` then runs the operation again. */
export class WriteConflictError extends Error {}

export const rowReaders = {
  rows: <T>(found: Row[]) => found as T[],
  firstRow: <T>(found: Row[]) => (found[0] as T | undefined) ?? null,
  row: <T>([found]: Row[]) => {
    if (found === undefined) throw new Error('a required row was not found');
    return found as T;
  },
  number: (found: Row[]) => Number(Object.values(found[0] ?? {})[0] ?? 0),
  nothing: () => undefined,
};

/** Column names must be unique, because a batch returns each row as an object. */
export function readRows<T extends object>(query: SQL<T>): Statement<T[]> {
  return { ...compileSql(query), read: rowReaders.rows };
}

export function readFirstRow<T extends object>(query: SQL<T>): Statement<T | null> {
  return { ...compileSql(query), read: rowReaders.firstRow };
}

/** For rows that must exist, such as a count or a row from the same batch. Throws if the row is missing. */
export function readRow<T extends object>(query: SQL<T>): Statement<T> {
  return { ...compileSql(query), read: rowReaders.row };
}

export function readNumber(query: SQL): Statement<number> {
  return { ...compileSql(query), read: rowReaders.number };
}

/** Matches numbered parameters such as `?3`, which count from the start of the statement. */
const NUMBERED_PARAMETER = /\?(\d+)/g;

function shiftNumberedParameters(text: string, by: number): string {
  return text.replace(NUMBERED_PARAMETER, (_, no) => `?${Number(no) + by}`);
}

/** Common table expressions that take the place of stored tables. */
export interface ReplacementTables {
  readonly sources: SQL;
  /** Expressions that have the names of stored tables and read from `sources`. */
  readonly tables: SQL;
}

/** Runs a read on replacement tables instead of the stored ones. The statement must not name an index. */
export function readFromTables<T>(
  statement: Statement<T>,
  { sources, tables }: ReplacementTables,
): Statement<T> {
  const { sql: before, params } = compileSql(
    sql`WITH ${sources} SELECT * FROM (WITH ${tables} SELECT * FROM (`,
  );
  const after = shiftNumberedParameters(statement.sql, params.length);
  return { ...statement, sql: `${before}${after}))`, params: [...params, ...statement.params] };
}

export function readNumberIfUnchanged(query: SQL, condition: SQL): Statement<number> {
  return readNumber(buildAssertion(condition, CONFLICT, sql`(${query})`));
}

export function write(query: SQL): Statement<void> {
  return { ...compileSql(query), read: rowReaders.nothing };
}

const GUARD_FAILED = 'EW_GUARD_FAILED';
const CONFLICT = 'EW_CONFLICT';
const ALREADY_DONE = 'EW_ALREADY_DONE';
const REJECTED = 'EW_REJECTED';

const ASSERTION_START = 'SELECT CASE WHEN ';

/** If the condition is false, a malformed JSON path causes an error that aborts the whole batch (docs/adr/0002). */
function buildAssertion(condition: SQL, word: string, value = sql`1`): SQL {
  return sql`SELECT CASE WHEN ${condition} THEN ${value} ELSE json_extract('{}', ${sql.raw(`'${word}'`)}) END AS ok`;
}

function createAssertion(condition: SQL, word: string): Statement<void> {
  return write(buildAssertion(condition, word));
}

export function buildCallerAssertion(condition: SQL): SQL {
  return buildAssertion(condition, GUARD_FAILED);
}

export function buildUnchangedAssertion(condition: SQL): SQL {
  return buildAssertion(condition, CONFLICT);
}

/** Aborts the batch with `WriteConflictError` unless the condition is true. */
export function assertUnchanged(condition: SQL): Statement<void> {
  return createAssertion(condition, CONFLICT);
}

/** Aborts the batch with `rejection` unless the condition is true. Use at most one such statement per batch. */
export function rejectUnless(condition: SQL, rejection: AppError): Statement<void> {
  return { ...createAssertion(condition, REJECTED), rejection };
}

/** Combines statements that only assert, so that they count as one statement. None may use `changes()`. */
export function combineAssertions(assertions: readonly Statement<void>[]): Statement<void>[] {
  if (assertions.length < 2) return [...assertions];
  const params: unknown[] = [];
  const columns = assertions.map(({ sql: text, params: own }, index) => {
    if (!text.startsWith(ASSERTION_START)) throw new Error(`not an assertion: ${text}`);
    const shifted = shiftNumberedParameters(text, params.length);
    params.push(...own);
    return `(${shifted}) AS ok${index}`;
  });
  return [{ sql: `SELECT ${columns.join(', ')}`, params, read: rowReaders.nothing }];
}

export function assertKeyUnclaimed(condition: SQL): Statement<void> {
  return createAssertion(condition, ALREADY_DONE);
}

export function assertCallerCurrent(condition: SQL): Statement<void> {
  return createAssertion(condition, GUARD_FAILED);
}

const OVERLOADED_ERROR = /D1 DB is overloaded/;
/**
 * D1 errors after which an immediate retry can succeed. Overload isn't one of them, because retries would make it
 * worse.
 */
const TRANSIENT_ERROR =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/;

function canRetry(statements: readonly Statement[], message: string): boolean {
  return (
    TRANSIENT_ERROR.test(message) &&
    !statements.some(({ sql: text }) => /\b(INSERT|UPDATE|DELETE)\b/i.test(text))
  );
}

/** Binds the whole list as one parameter, because D1 limits the number of parameters. */
export function buildInList(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

export function selectIdsInOrder(ids: readonly number[]): SQL {
  return sql`SELECT j.value AS id FROM json_each(${JSON.stringify(ids)}) j`;
}

interface DatabaseOptions {
  onEvent?: (workspace: number) => void;
  deadlineMs?: number;
}

export class Database {
  readonly #d1: D1Database;
  readonly #meter: CostMeter;
  readonly #onEvent: (workspace: number) => void;
  readonly #deadlineMs: number;

  constructor(
    d1: D1Database,
    meter: CostMeter,
    { onEvent = () => undefined, deadlineMs = BATCH_DEADLINE_MS }: DatabaseOptions = {},
  ) {
    this.#d1 = d1;
    this.#meter = meter;
    this.#onEvent = onEvent;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Runs the statements in one transaction. Retries a read-only batch once after a temporary failure. Throws
   * `DatabaseUnavailableError` if the database is overloaded or doesn't respond in time.
   */
  async batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    let results: D1Result<Row>[];
    try {
      results = await this.#send(statements).catch((error: unknown) => {
        if (!canRetry(statements, getErrorMessage(error))) throw error;
        return this.#send(statements);
      });
    } catch (error) {
      this.#meter.addBatch(this.#d1, []);
      const message = getErrorMessage(error);
      if (message.includes(GUARD_FAILED)) throw new StaleCallerError(message, { cause: error });
      if (message.includes(ALREADY_DONE)) throw new KeyClaimedError(message, { cause: error });
      if (message.includes(CONFLICT)) throw new WriteConflictError(message, { cause: error });
      if (message.includes(REJECTED)) throw statements.find(({ rejection }) => rejection)?.rejection ?? error;
      if (OVERLOADED_ERROR.test(message)) throw new DatabaseUnavailableError(message, { cause: error });
      throw error;
    }
    this.#meter.addBatch(
      this.#d1,
      results.map(({ meta }) => meta),
    );
    const changed = new Set(statements.map(({ changedWorkspace }) => changedWorkspace));
    for (const workspace of changed) if (workspace !== undefined) this.#onEvent(workspace);
    return statements.map((each, index) => each.read(results[index]?.results ?? [])) as Results<S>;
  }

  #send(statements: readonly Statement[]): Promise<D1Result<Row>[]> {
    const prepared = statements.map((each) => this.#d1.prepare(each.sql).bind(...each.params));
    return this.#meter.measureTrip(statements.length, () =>
      withDeadline(this.#d1.batch<Row>(prepared), this.#deadlineMs),
    );
  }
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The interface that `Database` and `GuardedDatabase` share. */
export type BatchDatabase = Pick<Database, 'batch'>;

export interface Databases {
  readonly directory: Database;
  readonly cells: ReadonlyMap<number, Database>;
}
