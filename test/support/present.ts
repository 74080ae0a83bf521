import { afterAll } from 'vitest';
import { env } from './env.ts';

/**
 * Tasks are created in the order of their ids, even if clocks differ. A test that runs jobs in the future would therefore
 * move the tasks of all later tests to the future, so it needs an emptied cell (see vitest.config.ts).
 */
afterAll(async () => {
  for (const cell of [env.CELL_0, env.CELL_1]) {
    const newest = await cell
      .prepare('SELECT created_at FROM tasks ORDER BY id DESC LIMIT 1')
      .first<number>('created_at');
    if (newest !== null && newest > Date.now()) throw new Error('this file creates tasks in the future');
  }
});
