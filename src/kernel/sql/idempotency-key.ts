import { AppError } from '../errors/errors.ts';
import type { SQL, Statement } from './database.ts';

export interface StoredResult {
  request: string;
  /** The id of the created item: a number in a cell, text in the directory. */
  entity: number | string | null;
  /** Null until the response is stored, which happens after it is sent. */
  status: number | null;
  answer: string | null;
  version: number | null;
}

export type StoredOutcome = Pick<StoredResult, 'answer' | 'version'> & { status: number };

export interface IdempotencyKey {
  readonly request: string;
  readonly find: Statement<StoredResult | null>;
  /** Statements for the batch that writes. They abort it if the work is already done. */
  claim(entity: SQL | string | null): Statement<void>[];
  /** Releases the key in the batch that undoes the work. */
  readonly release: Statement<void>;
  /** Stores the response after it is sent. A null `answer` records only that the work is done. */
  keep(outcome: StoredOutcome): void;
}

/** Thrown instead of a result if the work was already done. */
export class KeyUsedBeforeError extends Error {
  readonly stored: StoredResult;

  constructor(stored: StoredResult) {
    super('already done under the same idempotency key');
    this.stored = stored;
  }
}

/** The work is done, but its response contained a secret, which is returned only once. */
export class SecretShownBeforeError extends AppError {
  constructor() {
    super(
      'invalid_request',
      'This request was already completed, and its response contained a secret that is shown only once. Send it again with a new Idempotency-Key.',
    );
  }
}
