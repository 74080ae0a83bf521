import { env as bound } from 'cloudflare:workers';
import type { D1Migration } from '@cloudflare/vitest-plugin';

export interface TestEnv extends Env {
  CELL_1: D1Database;
  TEST_MIGRATIONS_DIRECTORY: D1Migration[];
  TEST_MIGRATIONS_CELL: D1Migration[];
}

/** The bindings as vitest.config.ts sets them. */
export const env = bound as unknown as TestEnv;

export function cellOf(no: number): D1Database {
  return no === 0 ? env.CELL_0 : env.CELL_1;
}
