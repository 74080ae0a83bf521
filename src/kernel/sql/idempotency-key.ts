import { AppError } from '../errors/errors.ts';
import type { SQL, Statement } from './database.ts';

/** What an earlier request did under the same idempotency key. */
export interface StoredResult {
  /** Hash of that request. */
  request: string;
  /** Id of what it created; a text where it is none of a cell. */
  entity: number | string | null;
  /** Null until the answer is stored, which happens after it was sent. */
  status: number | null;
  answer: string | null;
  /** Of the resource that is the answer, where it has versions. */
  version: number | null;
}

/** What is remembered of an answer. */
export type KeptOutcome = Pick<StoredResult, 'answer' | 'version'> & { status: number };

/** Carries a request out once, however often it is sent. */
export interface IdempotencyKey {
  /** Hash of this request. */
  readonly request: string;
  /** Goes with every batch. */
  readonly find: Statement<StoredResult | null>;
  /** Goes with the writing batch; undoes it if the work is already done. */
  claim(entity: SQL | string | null): Statement<void>[];
  /** Frees the key in the batch that undoes the work. */
  readonly release: Statement<void>;
  /** Stores the answer after it was sent; null stores only that the work is done. */
  keep(outcome: KeptOutcome): void;
}

/** Thrown instead of a result if the work was done before. */
export class KeyUsedBefore extends Error {
  readonly stored: StoredResult;

  constructor(stored: StoredResult) {
    super('already done under the same idempotency key');
    this.stored = stored;
  }
}

/** The work is done, and its answer held a secret, which is shown only once. */
export class SecretShownBefore extends AppError {
  constructor() {
    super(
      'invalid_request',
      'This request was already completed, and its response contained a secret that is shown only once. Send it again with a new Idempotency-Key.',
    );
  }
}
