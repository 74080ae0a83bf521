import { AppError } from '../errors/errors.ts';
import {
  ClaimTakenError,
  type Database,
  type Results,
  type SQL,
  type Statement,
  WriteConflictError,
} from './database.ts';
import { type IdempotencyKey, KeyUsedBeforeError, type StoredResult } from './idempotency-key.ts';

function isWrite({ sql: text }: Statement): boolean {
  return /^\s*(INSERT|UPDATE|DELETE)\b/i.test(text);
}

function skipResults<S extends readonly Statement[]>(results: readonly unknown[], start: number): Results<S> {
  return results.slice(start) as unknown as Results<S>;
}

/** Re-checks the caller in the transaction of every batch. Operations can't get another database. */
export class GuardedDatabase {
  readonly #database: Database;
  readonly #guards: readonly Statement<void>[];
  #idempotencyKey: { memory: IdempotencyKey; entity: SQL | string | null } | null = null;
  /** The key claimed by this work, until it is undone. */
  #claimed: IdempotencyKey | null = null;
  #expected: Statement<void>[] = [];
  /** True once a batch with the guard has succeeded. */
  guardHeld = false;

  /** @param guard aborts the batch if the caller has lost access; null without a caller. */
  constructor(database: Database, guard: Statement<void> | null) {
    this.#database = database;
    this.#guards = guard ? [guard] : [];
  }

  /** The next writing batch will claim the key, and stop the work if it is taken. */
  claimIdempotencyKey(memory: IdempotencyKey, entity: SQL | null) {
    this.#idempotencyKey = { memory, entity };
  }

  /** Claims the key before work starts in another database, so that a repeated request completes that work. */
  async claimFor(made: string): Promise<void> {
    const key = this.#idempotencyKey;
    if (key) await this.#batchWithKey([], [], key.memory, key.memory.claim(made));
  }

  /** The writing batch stores this with the key, to build the response to a repeat. */
  recordWithKey(record: string) {
    const key = this.#idempotencyKey;
    if (key) key.entity = record;
  }

  /** Whether the next writing batch claims a key. Operations check for errors first, so that the key stays free. */
  get claimsKey(): boolean {
    return this.#idempotencyKey !== null;
  }

  /** The next writing batch is aborted if this statement raises. */
  expect(statement: Statement<void>) {
    this.#expected.push(statement);
  }

  /** Undoes what was written and frees its key, so that the request can be sent again. */
  async undo(statements: readonly Statement[]): Promise<void> {
    const release = this.#claimed ? [this.#claimed.release] : [];
    await this.withoutIdempotencyKey().batch([...statements, ...release]);
    this.#claimed = null;
  }

  withoutIdempotencyKey(): GuardedDatabase {
    return new GuardedDatabase(this.#database, this.#guards[0] ?? null);
  }

  async batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    const expected = statements.some(isWrite) ? this.#expected : [];
    if (this.#idempotencyKey) {
      const { memory, entity } = this.#idempotencyKey;
      const claims = statements.some(isWrite) ? memory.claim(entity) : [];
      return this.#batchWithKey(statements, expected, memory, claims);
    }
    const before = [...this.#guards, ...expected];
    if (before.length + statements.length === 0) return skipResults<S>([], 0);
    const results = await this.#database.batch([...before, ...statements]);
    this.guardHeld = true;
    return skipResults<S>(results, before.length);
  }

  async #batchWithKey<const S extends readonly Statement[]>(
    statements: S,
    expected: readonly Statement<void>[],
    memory: IdempotencyKey,
    claims: readonly Statement<void>[],
  ): Promise<Results<S>> {
    try {
      const [stored, ...results] = await this.#find(memory, [...expected, ...statements, ...claims]);
      if (stored) throw new KeyUsedBeforeError(stored);
      if (claims.length > 0) {
        this.#claimed = memory;
        this.#idempotencyKey = null;
      }
      return skipResults<S>(results.slice(0, expected.length + statements.length), expected.length);
    } catch (error) {
      // The conflict may come from an earlier request with the same key.
      const isClaimed = error instanceof ClaimTakenError;
      if (!(isClaimed || error instanceof WriteConflictError || error instanceof AppError)) throw error;
      const [stored] = await this.#find(memory, []);
      if (stored) throw new KeyUsedBeforeError(stored);
      throw isClaimed
        ? new WriteConflictError('an expired idempotency key was deleted in between', { cause: error })
        : error;
    }
  }

  async #find<const S extends readonly Statement[]>(memory: IdempotencyKey, statements: S) {
    const results = await this.#database.batch([...this.#guards, memory.find, ...statements]);
    this.guardHeld = true;
    return skipResults<[Statement<StoredResult | null>, ...S]>(results, this.#guards.length);
  }

  /** Writes, then reads the result, in one transaction. Returns the reads. */
  async writeThenRead<const R extends readonly Statement[]>(
    writes: readonly Statement<void>[],
    reads: R,
  ): Promise<Results<R>> {
    const results = await this.batch([...writes, ...reads]);
    return skipResults<R>(results, writes.length);
  }
}
