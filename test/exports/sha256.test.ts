import { describe, expect, it } from 'vitest';
import {
  emptySha256,
  finishSha256,
  type Sha256State,
  updateSha256,
} from '../../src/exports/archive/sha256.ts';
import { createRandom } from '../support/random.ts';

const hash = async (data: Uint8Array<ArrayBuffer>) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', data)).toString('hex');

describe('the stored SHA-256', () => {
  it("matches the platform's for every length up to three blocks", async () => {
    for (let length = 0; length <= 192; length += 1) {
      const data = crypto.getRandomValues(new Uint8Array(length));
      expect(finishSha256(updateSha256(emptySha256, data)), String(length)).toBe(await hash(data));
    }
  });

  it('is the same however the data is split, and wherever the state is stored in between', async () => {
    const random = createRandom(7);
    for (let round = 0; round < 200; round += 1) {
      const data = crypto.getRandomValues(new Uint8Array(random.integer(0, 2_000)));
      let state: Sha256State = emptySha256;
      for (let at = 0; at < data.length; ) {
        const length = random.integer(0, 150);
        state = JSON.parse(JSON.stringify(updateSha256(state, data.subarray(at, at + length))));
        at += length;
      }
      expect(finishSha256(state)).toBe(await hash(data));
    }
  });
});
