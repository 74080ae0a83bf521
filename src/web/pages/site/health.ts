import type { HttpContext } from '../../../kernel/http/http.ts';
import { describeError, log } from '../../../kernel/operation/log.ts';

/** Only the log says which database or bucket failed. */
export async function checkHealth(c: HttpContext): Promise<Response> {
  const { id, env, config } = c.get('scope');
  try {
    const databases = [env.DIRECTORY, ...config.cells.values()];
    await Promise.all([
      ...databases.map((each) => each.prepare('SELECT 1 AS ok').first()),
      env.FILES.head('health'),
    ]);
    return c.json({ status: 'ok' });
  } catch (error) {
    log('error', 'health.unavailable', { id, cause: describeError(error) });
    return c.json({ status: 'unavailable' }, 503);
  }
}
