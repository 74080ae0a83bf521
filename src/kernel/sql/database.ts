import type { AppError } from '../errors/errors.ts';
import type { CostMeter } from './cost.ts';
import { compile, type SQL, sql } from './sql.ts';

/** A piece of SQL with its parameters; code that only passes it on speaks no SQL. */
export type { SQL } from './sql.ts';

type Row = Record<string, unknown>;

/** One SQL statement and how to read its rows. Nothing runs until a `Database` gets it in a batch. */
export interface Statement<T = unknown> {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly read: (rows: Row[]) => T;
  /** The workspace for which it logs an event; once it is committed, `onEvent` of the database hears of it. */
  readonly changedWorkspace?: number;
  /** It leaves work behind that a cron would do, and that may be done at once. */
  readonly leavesWork?: true;
  /** What the batch answers where this statement undoes it. */
  readonly refusal?: AppError;
}

/** What a batch of these statements answers. */
export type Results<S extends readonly Statement[]> = {
  [K in keyof S]: S[K] extends Statement<infer T> ? T : never;
};

/** The cached membership or credential of the request differs from the database. */
export class StaleCaller extends Error {}

/** Another request holds the idempotency key. */
export class ClaimTaken extends Error {}

/** A row changed between a read and the write that was computed from it; the operation runs again. */
export class WriteConflict extends Error {}

/** How a statement reads its rows. */
export const readers = {
  rows: <T>(found: Row[]) => found as T[],
  firstRow: <T>(found: Row[]) => (found[0] as T | undefined) ?? null,
  row: <T>([found]: Row[]) => {
    if (found === undefined) throw new Error('a row that is always there was not found');
    return found as T;
  },
  number: (found: Row[]) => Number(Object.values(found[0] ?? {})[0] ?? 0),
  nothing: () => undefined,
};

/**
 * Takes a statement that knows the type of its rows, because `columns` list what it selects. Columns must be named
 * uniquely: a batch returns objects, in which a repeated name is lost.
 */
export function rows<T extends object>(query: SQL<T>): Statement<T[]> {
  return { ...compile(query), read: readers.rows };
}

/** The first row, or null where there is none. */
export function firstRow<T extends object>(query: SQL<T>): Statement<T | null> {
  return { ...compile(query), read: readers.firstRow };
}

/** A row that is always there, such as a count, or one that the same batch inserted: a missing one is a bug. */
export function row<T extends object>(query: SQL<T>): Statement<T> {
  return { ...compile(query), read: readers.row };
}

/** The single number of a `SELECT count(*) AS n` and its kind. */
export function number(query: SQL): Statement<number> {
  return { ...compile(query), read: readers.number };
}

export function write(query: SQL): Statement<void> {
  return { ...compile(query), read: readers.nothing };
}

const GUARD_FAILED = 'EW_GUARD_FAILED';
const CONFLICT = 'EW_CONFLICT';
const DONE = 'EW_ALREADY_DONE';
const REFUSED = 'EW_REFUSED';

/** A malformed JSON path raises at run time, and a raise undoes the whole batch (docs/adr/0002). */
function raisingUnless(condition: SQL, word: string): SQL {
  return sql`SELECT CASE WHEN ${condition} THEN 1 ELSE json_extract('{}', ${sql.raw(`'${word}'`)}) END AS ok`;
}

function raiseUnless(condition: SQL, word: string): Statement<void> {
  return write(raisingUnless(condition, word));
}

export function staleUnless(condition: SQL): SQL {
  return raisingUnless(condition, GUARD_FAILED);
}

export function conflictUnless(condition: SQL): SQL {
  return raisingUnless(condition, CONFLICT);
}

/** Undoes the batch with `WriteConflict` unless the condition holds. */
export function assertUnchanged(condition: SQL): Statement<void> {
  return raiseUnless(condition, CONFLICT);
}

/** Undoes the batch with this refusal unless the condition holds: a limit is reached. Only one of a batch may be such. */
export function refuseUnless(condition: SQL, refusal: AppError): Statement<void> {
  return { ...raiseUnless(condition, REFUSED), refusal };
}

/** Undoes the batch if the work was already done under the same idempotency key. */
export function assertNotDone(condition: SQL): Statement<void> {
  return raiseUnless(condition, DONE);
}

/** Undoes the batch with `StaleCaller` unless the condition holds. */
export function guardStatement(condition: SQL): Statement<void> {
  return raiseUnless(condition, GUARD_FAILED);
}

/** Messages of D1 after which another attempt may succeed at once; an overload is not one of them. */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/;

/** Whether to try again: the batch only reads, and the failure is temporary. */
function mayRepeat(statements: readonly Statement[], message: string): boolean {
  return (
    TRANSIENT.test(message) && !statements.some(({ sql: text }) => /\b(INSERT|UPDATE|DELETE)\b/i.test(text))
  );
}

/** `IN (…)` for any number of values with one bound parameter. */
export function inList(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Selects the column `id` of these rows, in this order. */
export function idsInOrder(ids: readonly number[]): SQL {
  return sql`SELECT j.value AS id FROM json_each(${JSON.stringify(ids)}) j`;
}

/** One D1 database. It offers only batches, so every use is one trip and one transaction, and is metered. */
export class Database {
  readonly #d1: D1Database;
  readonly #meter: CostMeter;
  readonly #onEvent: (workspace: number) => void;

  /** @param onEvent hears of each workspace for which a batch logged an event, after the commit. */
  constructor(d1: D1Database, meter: CostMeter, onEvent: (workspace: number) => void = () => undefined) {
    this.#d1 = d1;
    this.#meter = meter;
    this.#onEvent = onEvent;
  }

  /** Runs the statements in one transaction. A batch that only reads is retried once after a temporary failure. */
  async batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    let results: D1Result<Row>[];
    try {
      results = await this.#send(statements).catch((error: unknown) => {
        if (!mayRepeat(statements, messageOf(error))) throw error;
        return this.#send(statements);
      });
    } catch (error) {
      const message = messageOf(error);
      if (message.includes(GUARD_FAILED)) throw new StaleCaller(message, { cause: error });
      if (message.includes(DONE)) throw new ClaimTaken(message, { cause: error });
      if (message.includes(CONFLICT)) throw new WriteConflict(message, { cause: error });
      if (message.includes(REFUSED)) throw statements.find(({ refusal }) => refusal)?.refusal ?? error;
      throw error;
    }
    for (const result of results) this.#meter.addRows(result.meta);
    const changed = new Set(statements.map(({ changedWorkspace }) => changedWorkspace));
    for (const workspace of changed) if (workspace !== undefined) this.#onEvent(workspace);
    return statements.map((each, index) => each.read(results[index]?.results ?? [])) as Results<S>;
  }

  #send(statements: readonly Statement[]): Promise<D1Result<Row>[]> {
    const prepared = statements.map((each) => this.#d1.prepare(each.sql).bind(...each.params));
    return this.#meter.trip(statements.length, () => this.#d1.batch<Row>(prepared));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** All databases of a deployment, for what its operator does. */
export interface Databases {
  readonly directory: Database;
  readonly cells: ReadonlyMap<number, Database>;
}
