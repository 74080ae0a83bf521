import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';

/** Makes every scheduled deletion due, and runs the jobs of every minute. */
export async function runObjectDeletion(variables: Partial<Env> = {}): Promise<void> {
  for (const no of [0, 1]) await getCell(no).prepare('UPDATE objects_to_delete SET delete_at = 1').run();
  await runCron('* * * * *', variables);
}

/** A bucket that lists `limit` objects at a time, as if they were three days old. Real objects can't be backdated. */
export function createAgedBucket(limit: number): R2Bucket {
  return new Proxy(env.FILES, {
    get(target, name) {
      if (name === 'list') {
        return async (options: R2ListOptions) => {
          const listed = await target.list({ ...options, limit });
          const uploaded = new Date(Date.now() - 3 * 86_400_000);
          return { ...listed, objects: listed.objects.map(({ key }) => ({ key, uploaded })) };
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
