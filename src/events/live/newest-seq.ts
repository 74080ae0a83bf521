import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findNewestSeq } from '../log/newest-seq.queries.ts';

/**
 * Pages read the newest `seq` together with their contents, so that they can tell later whether they missed an event.
 */
export const getNewestSeq = defineOperation(
  {
    name: 'getNewestSeq',
    summary: "Get the newest event's seq",
    access: 'notifications:read',
    capability: 'followEvents',
    effect: 'read',
    input: z.strictObject({}),
    output: z.int(),
  },
  async ({ db, caller }) => {
    const [seq] = await db.batch([findNewestSeq(caller.workspace)]);
    return seq;
  },
);
