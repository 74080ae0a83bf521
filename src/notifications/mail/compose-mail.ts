import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { appendSeal } from '../../kernel/secrets/seal.ts';
import { buildDigestMail, buildGreeting, type Mail } from '../../mail/templates.ts';
import { ITEMS_READ_MAX, type UnreadItem } from '../inbox/unread-items.ts';

const ITEMS_SHOWN_MAX = ITEMS_READ_MAX - 1;
export const UNSUBSCRIBE_PURPOSE = 'unsubscribe';

/** The subject must not contain user-written text. */
export function composeMail(
  { origin, config }: Pick<RequestScope, 'origin' | 'config'>,
  { id, name }: { id: string; name: string },
  items: readonly UnreadItem[],
  mode: 'at_once' | 'daily',
): Mail {
  const shown = items.slice(0, ITEMS_SHOWN_MAX).map((item) => ({ ...item, link: origin + item.path }));
  const count = items.length > ITEMS_SHOWN_MAX ? `${ITEMS_SHOWN_MAX}+` : String(items.length);
  const noun = items.length === 1 ? 'notification' : 'notifications';
  const token = appendSeal(config.sessionSecret, UNSUBSCRIBE_PURPOSE, id);
  const unsubscribe = `${origin}/unsubscribe?token=${encodeURIComponent(token)}`;
  return buildDigestMail({
    subject: mode === 'daily' ? `Your day on Edgework: ${count} ${noun}` : `${count} new ${noun} on Edgework`,
    greeting: buildGreeting(name),
    items: shown,
    more: items.length > ITEMS_SHOWN_MAX ? `See more in your inbox: ${origin}/app` : null,
    unsubscribe,
  });
}
