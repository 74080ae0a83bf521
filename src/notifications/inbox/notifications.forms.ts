import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { restoreNotification } from './notifications.ts';

export const notificationForms: readonly AnyOperation[] = [restoreNotification];
