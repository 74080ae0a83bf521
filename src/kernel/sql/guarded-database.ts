import { AppError } from '../errors/errors.ts';
import {
  type Database,
  KeyClaimedError,
  type Results,
  type SQL,
  type Statement,
  WriteConflictError,
} from './database.ts';
import { type IdempotencyKey, KeyUsedBeforeError, type StoredResult } from './idempotency-key.ts';

function isWriteStatement({ sql: text }: Statement): boolean {
  return /^\s*(INSERT|UPDATE|DELETE)\b/i.test(text);
}

function skipResults<S extends readonly Statement[]>(results: readonly unknown[], start: number): Results<S> {
  return results.slice(start) as unknown as Results<S>;
}

/**
 * The database that an operation uses. Every batch checks in its transaction that the caller, if there is one, still
 * has access.
 */
export class GuardedDatabase {
  readonly #database: Database;
  readonly #guards: readonly Statement<void>[];
  #idempotencyKey: { memory: IdempotencyKey; entity: SQL | string | null } | null = null;
  #claimed: IdempotencyKey | null = null;
  #expected: Statement<void>[] = [];
  hasRunBatch = false;

  constructor(database: Database, guard: Statement<void> | null) {
    this.#database = database;
    this.#guards = guard ? [guard] : [];
  }

  /**
   * Makes the next batch that writes claim the key. Until then, every batch throws if an earlier request has used the
   * key.
   */
  claimIdempotencyKey(memory: IdempotencyKey, entity: SQL | null) {
    this.#idempotencyKey = { memory, entity };
  }

  /** Claims the key before work in another database starts, so that a retry can complete that work. */
  async claimKeyFor(made: string): Promise<void> {
    const key = this.#idempotencyKey;
    if (key) await this.#batchWithKey([], [], key.memory, key.memory.claim(made));
  }

  setKeyEntity(entity: string) {
    const key = this.#idempotencyKey;
    if (key) key.entity = entity;
  }

  /**
   * True if the next batch that writes claims a key. Check for errors before that batch, so that a rejected request
   * leaves the key unused.
   */
  get willClaimKey(): boolean {
    return this.#idempotencyKey !== null;
  }

  addAssertion(statement: Statement<void>) {
    this.#expected.push(statement);
  }

  /** Runs statements that revert earlier writes, and releases the key so that the client can retry the request. */
  async undoWrites(statements: readonly Statement[]): Promise<void> {
    const release = this.#claimed ? [this.#claimed.release] : [];
    await this.withoutIdempotencyKey().batch([...statements, ...release]);
    this.#claimed = null;
  }

  withoutIdempotencyKey(): GuardedDatabase {
    return new GuardedDatabase(this.#database, this.#guards[0] ?? null);
  }

  async batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    const expected = statements.some(isWriteStatement) ? this.#expected : [];
    if (this.#idempotencyKey) {
      const { memory, entity } = this.#idempotencyKey;
      const claims = statements.some(isWriteStatement) ? memory.claim(entity) : [];
      return this.#batchWithKey(statements, expected, memory, claims);
    }
    const before = [...this.#guards, ...expected];
    if (before.length + statements.length === 0) return skipResults<S>([], 0);
    const results = await this.#database.batch([...before, ...statements]);
    this.hasRunBatch = true;
    return skipResults<S>(results, before.length);
  }

  async #batchWithKey<const S extends readonly Statement[]>(
    statements: S,
    expected: readonly Statement<void>[],
    memory: IdempotencyKey,
    claims: readonly Statement<void>[],
  ): Promise<Results<S>> {
    try {
      const [stored, ...results] = await this.#batchWithLookup(memory, [
        ...expected,
        ...statements,
        ...claims,
      ]);
      if (stored) throw new KeyUsedBeforeError(stored);
      if (claims.length > 0) {
        this.#claimed = memory;
        this.#idempotencyKey = null;
      }
      return skipResults<S>(results.slice(0, expected.length + statements.length), expected.length);
    } catch (error) {
      // An earlier request with the same key may have caused the conflict.
      const isClaimed = error instanceof KeyClaimedError;
      if (!(isClaimed || error instanceof WriteConflictError || error instanceof AppError)) throw error;
      const [stored] = await this.#batchWithLookup(memory, []);
      if (stored) throw new KeyUsedBeforeError(stored);
      throw isClaimed
        ? new WriteConflictError('an expired idempotency key was deleted during the request', {
            cause: error,
          })
        : error;
    }
  }

  async #batchWithLookup<const S extends readonly Statement[]>(memory: IdempotencyKey, statements: S) {
    const results = await this.#database.batch([...this.#guards, memory.find, ...statements]);
    this.hasRunBatch = true;
    return skipResults<[Statement<StoredResult | null>, ...S]>(results, this.#guards.length);
  }

  async writeThenRead<const R extends readonly Statement[]>(
    writes: readonly Statement<void>[],
    reads: R,
  ): Promise<Results<R>> {
    const results = await this.batch([...writes, ...reads]);
    return skipResults<R>(results, writes.length);
  }
}
