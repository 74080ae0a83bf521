import { HOUR_MS } from '../../kernel/dates/durations.ts';

/** A browser to notify of a range of notifications. Contains no text, because the text is written when it is sent. */
export interface PushTask {
  readonly sessionHash: string;
  readonly cell: number;
  /** The id of the last notification before the range. */
  readonly after: number;
  /** The id of the last notification in the range. */
  readonly upto: number;
}

/** Older notifications, for example after an outage, appear only in the inbox. */
export const NOTIFICATION_AGE_MS_MAX = HOUR_MS;
