import * as z from 'zod';
import { addDays, toInstant, toWallClock } from '../dates/civil-date.ts';
import { civilDate, instantInput, toTimestamp } from '../operation/schema.ts';
import type { ToolContext } from './tool.ts';

const LOCAL_TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d))?$/;

/** Tools accept not only timestamps but also dates and local times, because a model often knows only the date. */
export const toolTimeInput = z
  .string()
  .max(40)
  .refine((text) => isLocalTime(text) || instantInput.safeParse(text).success, {
    message:
      'must be a date such as 2026-03-02, a local time such as 2026-03-02T09:30, or a timestamp such as 2026-03-02T09:30:00Z',
  });

function isLocalTime(text: string): boolean {
  const [, date] = LOCAL_TIME_PATTERN.exec(text) ?? [];
  return civilDate.safeParse(date).success;
}

/** Reads a date as the start of the day. Dates and local times are in the workspace's time zone. */
export function toToolTimestamp(text: string, timezone: string): string {
  const [, date, hour = '00', minute = '00'] = LOCAL_TIME_PATTERN.exec(text) ?? [];
  return date === undefined ? text : toTimestamp(toInstant(date, `${hour}:${minute}`, timezone));
}

export function getYesterday({ now, caller }: Pick<ToolContext, 'now' | 'caller'>): string {
  return addDays(toWallClock(now, caller.timezone).date, -1);
}
