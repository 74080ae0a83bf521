import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import worker from '../../src/index.ts';
import { env } from './env.ts';

/** Runs the jobs of a cron expression at once. */
export const tick = (cron: string, variables: Partial<Env> = {}) =>
  worker.scheduled(createScheduledController({ cron }), { ...env, ...variables }, createExecutionContext());
