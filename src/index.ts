import { createApp } from './app.ts';
import { parseEnv } from './env.ts';
import { consumeMails } from './mail/queues.ts';
import { runScheduled } from './scheduled.ts';

export { WorkspaceHub } from './events/hub/workspace-hub.ts';
export { UploadSession } from './files/uploads/upload-session.ts';
export { RateWindow } from './kernel/rate-limit/rate-window.ts';

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: runScheduled,
  queue: (batch, env) => consumeMails(batch, { env, config: parseEnv(env) }),
} satisfies ExportedHandler<Env>;
