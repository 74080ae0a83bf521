import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findNewestSeq } from '../log/newest-seq.queries.ts';

/** Pages read this together with their content, so that they can later detect missed events. */
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
