import { applyD1Migrations } from 'cloudflare:test';
import { beforeAll } from 'vitest';
import { env } from './env.ts';

beforeAll(async () => {
  await applyD1Migrations(env.DIRECTORY, env.TEST_MIGRATIONS_DIRECTORY);
  await applyD1Migrations(env.CELL_0, env.TEST_MIGRATIONS_CELL);
  await applyD1Migrations(env.CELL_1, env.TEST_MIGRATIONS_CELL);
});
