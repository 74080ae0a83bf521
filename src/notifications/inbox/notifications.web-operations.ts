import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listMentionedInInbox } from './mentioned-in-inbox.ts';
import { countUnreadInInbox, listInbox, restoreNotification } from './notifications.ts';

export const notificationWebOperations: readonly AnyOperation[] = [
  restoreNotification,
  listInbox,
  listMentionedInInbox,
  countUnreadInInbox,
];
