import { env as bound } from 'cloudflare:workers';
import type { D1Migration } from '@cloudflare/vitest-plugin';

export interface TestEnv extends Env {
  CELL_1: D1Database;
  TEST_MIGRATIONS_DIRECTORY: D1Migration[];
  TEST_MIGRATIONS_CELL: D1Migration[];
}

/** The bindings of vitest.config.ts, including the queues. */
export const queuedEnv = bound as unknown as TestEnv;

/** The bindings without queues, so that a test decides when and how emails and push notifications are sent. */
export const env: TestEnv = withoutQueues(queuedEnv);

function withoutQueues(all: TestEnv): TestEnv {
  const { TRANSACTIONAL_MAIL: _, NOTIFICATION_MAIL: __, ...others } = all;
  return others;
}

export function getCell(no: number): D1Database {
  return no === 0 ? env.CELL_0 : env.CELL_1;
}
