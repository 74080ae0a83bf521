import { sweepObjects } from './attachments/sweep.ts';
import { cleanBrowserSessions } from './auth/browser-session.ts';
import { cleanVerifications } from './auth/verify-email.ts';
import { cleanOutbox, deliverOutbox } from './email/deliver.ts';
import { parseEnv } from './env.ts';
import { cleanIdempotencyKeys } from './idempotency/idempotency.ts';
import { repairMemberships } from './integrity/repair.ts';
import { describeError, log } from './kernel/log.ts';
import { createScope, type Scope } from './kernel/request-scope.ts';
import { generateOccurrences } from './meetings/occurrences.ts';
import { cleanOauth } from './oauth/clean.ts';
import { moveBorders } from './tasks/borders.ts';
import { repairCounters } from './tasks/repair.ts';
import { expireUploads } from './uploads/expire.ts';

type Job = readonly [name: string, run: (scope: Scope) => Promise<void>];

/** By the cron expressions of wrangler.toml. */
const jobs: Record<string, readonly Job[]> = {
  '* * * * *': [
    ['outbox.deliver', deliverOutbox],
    ['deadlines.sum', moveBorders],
    ['idempotency.clean', cleanIdempotencyKeys],
    ['outbox.clean', cleanOutbox],
    ['verifications.clean', cleanVerifications],
    ['sessions.clean', cleanBrowserSessions],
    ['oauth.clean', cleanOauth],
    ['meetings.generate', generateOccurrences],
    ['uploads.expire', expireUploads],
  ],
  '17 3 * * *': [
    ['counters.repair', repairCounters],
    ['memberships.repair', repairMemberships],
    ['objects.sweep', sweepObjects],
  ],
};

/** Runs the jobs of one cron tick. Each is safe to repeat, and none stops another. */
export async function runScheduled(
  controller: ScheduledController,
  env: Env,
  ctx: ExecutionContext,
): Promise<void> {
  const config = parseEnv(env);
  const scope = createScope({
    env,
    config,
    origin: 'http://localhost',
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const due = jobs[controller.cron];
  if (!due) log('error', 'cron.unknown', { cron: controller.cron });
  for (const [name, run] of due ?? []) {
    try {
      await run(scope);
    } catch (error) {
      log('error', 'cron.failed', { job: name, id: scope.id, cause: describeError(error) });
    }
  }
}
