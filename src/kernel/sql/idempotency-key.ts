import { AppError } from '../errors/errors.ts';
import type { SQL, Statement } from './database.ts';

export interface StoredResult {
  request: string;
  /** The created item's id: a number in a cell, text in the directory. */
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
  /** Builds statements that claim the key, and abort the batch if the key is already claimed. */
  claim(entity: SQL | string | null): Statement<void>[];
  readonly release: Statement<void>;
  /** Stores the response after it is sent. If `outcome.answer` is null, stores only the status and the version. */
  keep(outcome: StoredOutcome): void;
}

/** Thrown if an earlier request with the same idempotency key has succeeded. `stored` is its result. */
export class KeyUsedBeforeError extends Error {
  readonly stored: StoredResult;

  constructor(stored: StoredResult) {
    super('already done under the same idempotency key');
    this.stored = stored;
  }
}

export class SecretAlreadyShownError extends AppError {
  constructor() {
    super(
      'invalid_request',
      'This request was already completed, and its response contained a secret that is shown only once. Send it again with a new Idempotency-Key.',
    );
  }
}
