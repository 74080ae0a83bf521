import type { AnyOperation } from '../kernel/operation/operation.ts';
import { recordExport } from './audit.ts';

export const auditWebOperations: readonly AnyOperation[] = [recordExport];
