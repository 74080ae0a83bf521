// `npm run webhooks`: those that fail or were stopped, in every workspace. `npm run webhooks -- pause <workspace> <id>`: stops
// one that harms somebody, before its next message. On this machine `pause` wants the server stopped.
// -- --remote for production; -- --persist-to=<directory> for the databases of another local server.
import { listStuckWebhooks, pauseWebhook } from '../src/upkeep/incidents/stuck-webhooks.queries.ts';
import { findPlacement } from '../src/workspaces/directory/directory.queries.ts';
import { changeDatabases, lookAtDatabases, readCommand, refuse } from './operator.ts';

const SHOWN_MAX = 100;
const { words, ...where } = readCommand();
const [verb, workspaceId = '', id = ''] = words;
if (words.length === 0) {
  await lookAtDatabases(where, async ({ cells }) => {
    for (const [no, cell] of cells) {
      const [webhooks] = await cell.batch([listStuckWebhooks(SHOWN_MAX)]);
      for (const webhook of webhooks) {
        const { failing_since: since, failures, stop_reason: reason, last_error } = webhook;
        const failing =
          since === null
            ? ''
            : `  failing since ${new Date(since).toISOString()} (failed attempts: ${failures})`;
        const state = webhook.status + (reason ? `: ${reason}` : '');
        console.log(
          `${webhook.workspace} ${webhook.id}  ${webhook.url}  ${state}${failing}  ${webhook.behind} events behind  ${last_error ?? ''}`,
        );
      }
      console.log(`Cell ${no}: ${webhooks.length === SHOWN_MAX ? `${SHOWN_MAX} or more` : webhooks.length}`);
    }
  });
} else {
  if (verb !== 'pause' || words.length !== 3 || !/^\d{1,15}$/.test(id))
    refuse(
      'Say npm run webhooks [--remote], or npm run webhooks -- pause ws_… <id of the webhook> [--remote]',
    );
  await changeDatabases(where, async ({ directory, cells }) => {
    const [placement] = await directory.batch([findPlacement(workspaceId)]);
    const cell = placement && cells.get(placement.cell);
    const [paused] = cell ? await cell.batch([pauseWebhook(workspaceId, Number(id))]) : [[]];
    if (paused.length > 0)
      console.log(`Webhook ${id} of ${workspaceId} is paused. Whoever made it can start it again.`);
    else {
      console.error(
        `${workspaceId} has no webhook ${id} that is at work. npm run webhooks shows which fail.`,
      );
      process.exitCode = 1;
    }
  });
}
