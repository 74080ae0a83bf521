import type { HttpContext } from '../kernel/http.ts';
import { describeError, log } from '../kernel/log.ts';

/** Whether every database answers. Which one does not stands in the log alone. */
export async function health(c: HttpContext): Promise<Response> {
  const { id, env, config } = c.get('scope');
  try {
    await Promise.all(
      [env.DIRECTORY, ...config.cells.values()].map((each) => each.prepare('SELECT 1 AS ok').first()),
    );
    return c.json({ status: 'ok' });
  } catch (error) {
    log('error', 'health.unavailable', { id, cause: describeError(error) });
    return c.json({ status: 'unavailable' }, 503);
  }
}
