import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listTaskRows, reportTime } from './team-time.ts';

export const teamTimeWebOperations: readonly AnyOperation[] = [listTaskRows, reportTime];
