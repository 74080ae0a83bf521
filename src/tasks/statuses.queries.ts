import { sql } from '../kernel/sql/sql.ts';
import { COMPLETED_STATUS } from './fields.ts';

export const completedStatus = sql.raw(String(COMPLETED_STATUS));
