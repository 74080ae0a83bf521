import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listTaskFeed } from './feed.ts';

export const feedWebOperations: readonly AnyOperation[] = [listTaskFeed];
