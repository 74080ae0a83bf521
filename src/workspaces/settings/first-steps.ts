import * as z from 'zod';
import { DEFAULT_TIME_ZONE } from '../../kernel/dates/time-zone.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findCompletedSteps } from './first-steps.queries.ts';

export const stepsTaken = z.object({
  project: z.boolean(),
  people: z.boolean(),
  timezone: z.boolean(),
  agent: z.boolean(),
  key: z.boolean(),
});

export const getStepsTaken = defineOperation(
  {
    name: 'getStepsTaken',
    summary: 'Get the completed onboarding steps',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({}),
    output: stepsTaken,
  },
  async ({ db, caller }) => {
    const [taken] = await db.batch([findCompletedSteps(caller)]);
    return {
      project: taken.project === 1,
      people: taken.colleague === 1 || taken.invitation === 1,
      timezone: caller.timezone !== DEFAULT_TIME_ZONE,
      agent: taken.agent === 1,
      key: taken.key === 1,
    };
  },
);
