import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listTaskRows, reportTime } from './team-time.ts';

export const teamTimeForms: readonly AnyOperation[] = [listTaskRows, reportTime];
