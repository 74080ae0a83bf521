import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { getMailPreferences, setMailPreferences } from './preferences.ts';

export const mailForms: readonly AnyOperation[] = [getMailPreferences, setMailPreferences];
