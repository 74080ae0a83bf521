import { env as bound } from 'cloudflare:workers';
import type { D1Migration } from '@cloudflare/vitest-plugin';

export interface TestEnv extends Env {
  CELL_1: D1Database;
  TEST_MIGRATIONS_DIRECTORY: D1Migration[];
  TEST_MIGRATIONS_CELL: D1Migration[];
}

/** The bindings as vitest.config.ts sets them, with the queues. */
export const queuedEnv = bound as unknown as TestEnv;

/** Without the queues: mail is sent by whatever the test runs, with the mail service that the test passes. */
export const env: TestEnv = withoutQueues(queuedEnv);

function withoutQueues({ TRANSACTIONAL_MAIL: _, NOTIFICATION_MAIL: __, ...others }: TestEnv): TestEnv {
  return others;
}

export function cellOf(no: number): D1Database {
  return no === 0 ? env.CELL_0 : env.CELL_1;
}
