import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openDatabases } from '../../scripts/operate/databases.ts';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { runWrangler } from '../../scripts/wrangler.ts';
import { allIds } from '../../src/upkeep/integrity/invariant.queries.ts';
import { buildKeyAgeInvariant } from '../../src/upkeep/integrity/invariants.queries.ts';
import { pollUntil } from '../support/timeout.ts';
import { getFirstCell } from './databases.ts';

const INSERT_EXPIRED_KEY = `INSERT INTO idempotency_keys (id, request, created_at) VALUES ('of an earlier run', 'hash', 1)`;

it('the server runs cron jobs that came due while the machine was off', async () => {
  const prepared = await prepareServer('serve-test');
  let server: RunningServer | undefined;
  try {
    const { state } = prepared;
    runWrangler([
      'd1',
      'execute',
      'CELL_0',
      '--local',
      `--persist-to=${state}`,
      `--command=${INSERT_EXPIRED_KEY}`,
    ]);
    assert.equal((await listOldKeys(prepared)).length, 1);
    server = await startServer(prepared);
    await pollUntil(async () => (await listOldKeys(prepared)).length === 0);
  } finally {
    await server?.kill();
    prepared.remove();
  }
});

/** Lists the expired idempotency keys, which only the cron job deletes. */
async function listOldKeys({ state }: PreparedServer) {
  const databases = await openDatabases({ persistTo: state });
  try {
    const [found] = await getFirstCell(databases).batch([buildKeyAgeInvariant(Date.now()).offenders(allIds)]);
    return found;
  } finally {
    await databases.close();
  }
}
