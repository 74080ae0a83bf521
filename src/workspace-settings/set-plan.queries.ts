import { sql } from 'drizzle-orm';
import type { Plan } from '../kernel/access.ts';
import { firstRow, type Statement, write } from '../kernel/database.ts';

export function findPlan(workspaceId: string): Statement<{ plan: Plan } | null> {
  return firstRow<{ plan: Plan }>(sql`SELECT w.plan AS plan FROM workspaces w WHERE w.id = ${workspaceId}`);
}

export function updatePlan(workspaceId: string, plan: Plan): Statement<void> {
  return write(sql`UPDATE workspaces SET plan = ${plan} WHERE id = ${workspaceId} AND plan <> ${plan}`);
}
