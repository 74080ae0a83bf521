import { createApp } from './app.ts';
import { parseEnv } from './env.ts';
import { reportErrors } from './kernel/operation/report-errors.ts';
import { createRequestScope } from './kernel/operation/request-scope.ts';
import { consumeMailBatch } from './mail/mail-queues.ts';
import { consumePushBatch, isPushBatch } from './notifications/push/push-queue.ts';
import { runScheduled } from './scheduled.ts';

export { WorkspaceHub } from './events/hub/workspace-hub.ts';
export { UploadSession } from './files/uploads/upload-session.ts';
export { RateWindow } from './kernel/rate-limit/rate-window.ts';
export { ErrorLog } from './kernel/telemetry/error-log.ts';
export { DatabaseKeeper } from './upkeep/keeper/database-keeper.ts';

const app = createApp();

export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) =>
    runAndReportErrors(env, ctx, async () => app.fetch(request, env, ctx)),
  scheduled: (controller, env, ctx) => runAndReportErrors(env, ctx, () => runScheduled(controller, env)),
  queue: (batch, env, ctx) => runAndReportErrors(env, ctx, () => consumeBatch(batch, env, ctx)),
} satisfies ExportedHandler<Env>;

function consumeBatch(batch: MessageBatch<unknown>, env: Env, ctx: ExecutionContext): Promise<void> {
  const config = parseEnv(env);
  if (!isPushBatch(batch)) return consumeMailBatch(batch, { env, config });
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  return consumePushBatch(batch, createRequestScope({ env, config, origin: 'http://localhost', waitUntil }));
}

async function runAndReportErrors<T>(env: Env, ctx: ExecutionContext, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } finally {
    reportErrors(env, (work) => ctx.waitUntil(work));
  }
}
