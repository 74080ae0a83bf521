import { sql } from '../kernel/sql/sql.ts';
import { COMPLETED } from './fields.ts';

/** The number that the database stores for the status, as a literal. */
export const completedStatus = sql.raw(String(COMPLETED));
