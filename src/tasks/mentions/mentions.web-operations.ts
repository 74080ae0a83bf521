import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listMentionable, namePeople } from './mentionable.ts';

export const mentionWebOperations: readonly AnyOperation[] = [listMentionable, namePeople];
