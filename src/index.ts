import { createApp } from './app.ts';
import { runScheduled } from './scheduled.ts';

export { RateWindow } from './rate-limit/rate-window.ts';
export { UploadSession } from './uploads/upload-session.ts';
export { WorkspaceHub } from './workspace-hub/workspace-hub.ts';

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: runScheduled,
} satisfies ExportedHandler<Env>;
