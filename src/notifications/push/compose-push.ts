import { shorten } from '../../kernel/text/shorten.ts';
import { ITEMS_READ_MAX, type UnreadItem } from '../inbox/unread-items.ts';
import type { NewMessage } from './messages.queries.ts';

/** What the service worker shows (src/web/client/service-worker.ts). */
export interface PushPayload {
  readonly title: string;
  readonly body: string;
  /** The page that a click opens, without the origin. */
  readonly path: string;
  /** A message replaces a displayed one with the same tag, so a message that arrives twice is displayed once. */
  readonly tag: string;
}

export interface PlainMessage extends Pick<NewMessage, 'topic' | 'urgency'> {
  readonly payload: PushPayload;
}

/** If more notifications arrive at once, for example after a bulk change, one message sums them up. */
const SEPARATE_MESSAGES_MAX = 3;
/** With these limits, a payload always fits into a message of 4 KB. */
const TITLE_CHARACTERS_MAX = 120;
const BODY_CHARACTERS_MAX = 240;

/** Sorts the messages by age, so that the newest is displayed on top. */
export function composePush(cell: number, items: readonly UnreadItem[]): PlainMessage[] {
  const [newest] = items;
  if (!newest) return [];
  if (items.length <= SEPARATE_MESSAGES_MAX) return items.toReversed().map((item) => toMessage(cell, item));
  const count = items.length === ITEMS_READ_MAX ? `${ITEMS_READ_MAX - 1}+` : String(items.length);
  const payload = {
    title: `${count} new notifications`,
    body: shorten(newest.line, BODY_CHARACTERS_MAX),
    path: `/app/${newest.workspaceId}/inbox`,
  };
  return [createMessage(`s${cell}-${newest.id}`, 'normal', payload)];
}

function toMessage(cell: number, { id, type, line, quote, path }: UnreadItem): PlainMessage {
  return createMessage(`n${cell}-${id}`, type === 'reminder' ? 'high' : 'normal', {
    title: shorten(line, TITLE_CHARACTERS_MAX),
    body: shorten(quote ?? '', BODY_CHARACTERS_MAX),
    path,
  });
}

/** The topic identifies the message in the queue, and its notification on the screen. */
export function createMessage(
  topic: string,
  urgency: PlainMessage['urgency'],
  payload: Omit<PushPayload, 'tag'>,
): PlainMessage {
  return { topic, urgency, payload: { ...payload, tag: topic } };
}
