import { shorten } from '../../kernel/text/shorten.ts';
import { toPublicId } from '../inbox/public-id.ts';
import { ITEMS_READ_MAX, type UnreadItem } from '../inbox/unread-items.ts';

/** The data that the service worker shows (src/web/client/service-worker/push.ts). */
export interface PushPayload {
  readonly title: string;
  readonly body: string;
  /** The page that a click opens, without the origin. */
  readonly path: string;
  /** A notification replaces a displayed one with the same tag, for example if it arrives twice. */
  readonly tag: string;
  /** The notification that a click marks as read. */
  readonly id?: number;
}

export interface PushMessage {
  readonly urgency: 'normal' | 'high';
  readonly payload: PushPayload;
}

/** If more notifications arrive at once, for example after a bulk change, a single message sums them up. */
const SEPARATE_MESSAGES_MAX = 3;
/** With these limits, a payload always fits into a message of 4 KB. */
const TITLE_CHARACTERS_MAX = 120;
const BODY_CHARACTERS_MAX = 240;

/**
 * Returns the oldest message first, so that the newest is displayed on top.
 * @param items the newest first.
 */
export function composePush(cell: number, items: readonly UnreadItem[]): PushMessage[] {
  const [newest] = items;
  if (!newest) return [];
  if (items.length <= SEPARATE_MESSAGES_MAX) return items.toReversed().map((item) => toMessage(cell, item));
  const count = items.length === ITEMS_READ_MAX ? `${ITEMS_READ_MAX - 1}+` : String(items.length);
  return [
    {
      urgency: 'normal',
      payload: {
        title: `${count} new notifications`,
        body: shorten(newest.line, BODY_CHARACTERS_MAX),
        path: `/app/${newest.workspaceId}/inbox`,
        tag: `s${cell}-${newest.id}`,
      },
    },
  ];
}

function toMessage(cell: number, { id, type, line, quote, path }: UnreadItem): PushMessage {
  return {
    urgency: type === 'reminder' ? 'high' : 'normal',
    payload: {
      title: shorten(line, TITLE_CHARACTERS_MAX),
      body: shorten(quote ?? '', BODY_CHARACTERS_MAX),
      path,
      tag: `n${cell}-${id}`,
      id: toPublicId(id, cell),
    },
  };
}
