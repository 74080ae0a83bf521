import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import worker from '../../src/index.ts';
import { cellOf, env } from '../support/env.ts';

/** Runs the jobs of a cron expression now. */
export const tick = (cron: string, variables: Partial<Env> = {}) =>
  worker.scheduled(createScheduledController({ cron }), { ...env, ...variables }, createExecutionContext());

/** The same, when the time of everything has come that is to be deleted. */
export async function deleteDue(variables: Partial<Env> = {}): Promise<void> {
  for (const no of [0, 1]) await cellOf(no).prepare('UPDATE objects_to_delete SET delete_at = 1').run();
  await tick('* * * * *', variables);
}
