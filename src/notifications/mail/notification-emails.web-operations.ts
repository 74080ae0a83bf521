import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { getMailPreferences, setMailPreferences } from './preferences.ts';

export const emailWebOperations: readonly AnyOperation[] = [getMailPreferences, setMailPreferences];
