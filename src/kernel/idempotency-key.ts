import type { SQL, Statement } from './database.ts';

/** What an earlier request did under the same idempotency key. */
export interface StoredResult {
  /** Hash of that request. */
  request: string;
  /** Id of what it created. */
  entity: number | null;
  /** Null until the answer was kept, which happens after it was given. */
  status: number | null;
  answer: string | null;
}

/** Lets a request be carried out once, however often it is sent. */
export interface IdempotencyKey {
  /** Hash of this request. */
  readonly request: string;
  /** Goes with every batch. */
  readonly find: Statement<StoredResult | null>;
  /** Goes with the batch that writes; undoes it where the work is done already. */
  claim(entity: SQL | null): Statement<void>[];
  /** Keeps the answer, after it was given; null keeps only that the work is done. */
  keep(status: number, answer: string | null): void;
}

/** Thrown in place of a result where the work was done before. */
export class KeyUsedBefore extends Error {
  readonly stored: StoredResult;

  constructor(stored: StoredResult) {
    super('already done under the same idempotency key');
    this.stored = stored;
  }
}
