import type { AnyOperation } from '../kernel/operation.ts';
import { listTaskRows } from './tracked-time.ts';

export const dashboardForms: readonly AnyOperation[] = [listTaskRows];
