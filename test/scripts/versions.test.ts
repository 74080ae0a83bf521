import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { isLong } from '../browser/tier.ts';

it('no write is lost or applied twice while two versions of the worker share one schema', {
  skip: !isLong,
}, async () => {
  const soak = spawn(process.execPath, ['bench/soak/run.ts', '--versions', '--minutes=2', '--callers=6'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [soak.stdout, soak.stderr]) {
    stream.on('data', (part) => {
      output += part;
    });
  }
  const [status] = await once(soak, 'close');
  assert.equal(status, 0, output);
  assert.match(output, /starts of the previous version +[1-9]/);
});
