import { createApp } from './app.ts';
import { runScheduled } from './scheduled.ts';

export { WorkspaceHub } from './events/hub/workspace-hub.ts';
export { UploadSession } from './files/uploads/upload-session.ts';
export { RateWindow } from './kernel/rate-limit/rate-window.ts';

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: runScheduled,
} satisfies ExportedHandler<Env>;
