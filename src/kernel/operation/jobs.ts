import type { Allowance } from '../sql/budget.ts';
import type { SQL } from '../sql/database.ts';
import type { RequestScope } from './request-scope.ts';

/**
 * `run` must stay within its allowance, and be safe to repeat and to run in parallel. It returns whether there may be
 * more work.
 */
export interface DirectoryJob {
  readonly name: string;
  /** The number of statements and calls that one unit of work needs, such as deleting 1,000 rows. */
  readonly cost: number;
  run(scope: RequestScope, allowance: Allowance): Promise<boolean>;
}

export interface CellJob extends Omit<DirectoryJob, 'run'> {
  /**
   * An SQL condition that is true whenever the job has work. It may read at most two rows. If null, the job always
   * runs.
   */
  readonly isDue: ((moment: Pick<RequestScope, 'now'>) => SQL) | null;
  run(scope: RequestScope, cell: number, allowance: Allowance): Promise<boolean>;
}
