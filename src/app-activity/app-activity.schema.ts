import * as z from 'zod';
import { integerId } from '../kernel/operation/schema.ts';

export const rangeInput = {
  app: integerId,
  from: integerId.default(0),
  until: integerId.default(Number.MAX_SAFE_INTEGER),
  /** In the workspace's time zone, for example `2026-11-27T14:30`. */
  since: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'must be a date and time')
    .optional(),
  /** Limits the range to changes before this `seq`. A long session is undone page by page, newest first. */
  before: integerId.default(Number.MAX_SAFE_INTEGER),
};

const appSession = z.object({
  from: z.int(),
  until: z.int(),
  startedAt: z.string(),
  endedAt: z.string(),
  changes: z.int(),
});
export type AppSession = z.output<typeof appSession>;

export const appSessions = z.object({
  app: z.object({ id: integerId, name: z.string() }),
  data: z.array(appSession),
  before: z.int().nullable(),
});

export const undoOutcomes = ['undo', 'later', 'done', 'kept', 'impossible'] as const;

export const undoStep = z.object({
  task: integerId.nullable(),
  name: z.string().nullable(),
  label: z.string(),
  outcome: z.enum(undoOutcomes),
  reason: z.string().nullable(),
});
export type UndoStep = z.output<typeof undoStep>;

export const undoPlanOutput = z.object({
  app: z.object({ id: integerId, name: z.string() }),
  from: z.int(),
  until: z.int(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  steps: z.array(undoStep),
  hidden: z.int(),
  next: z.int().nullable(),
});
export type UndoPlanOutput = z.output<typeof undoPlanOutput>;

export const undoResult = z.object({
  undone: z.int(),
  kept: z.int(),
  impossible: z.int(),
  hasMore: z.boolean(),
  next: z.int().nullable(),
});
