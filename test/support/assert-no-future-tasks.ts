import { afterAll } from 'vitest';
import { env } from './env.ts';

/**
 * A new task is never dated before an existing one. After a test that creates tasks dated in the future, the tasks of
 * all later tests would also be dated in the future. Such a test needs an emptied cell (see vitest.config.ts).
 */
afterAll(async () => {
  for (const cell of [env.CELL_0, env.CELL_1]) {
    const newest = await cell
      .prepare('SELECT created_at FROM tasks ORDER BY id DESC LIMIT 1')
      .first<number>('created_at');
    if (newest !== null && newest > Date.now()) throw new Error('this file creates tasks in the future');
  }
});
