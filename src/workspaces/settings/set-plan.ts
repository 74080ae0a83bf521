import type { Plan } from '../../kernel/access/access.ts';
import type { Databases } from '../../kernel/sql/database.ts';
import { findPlacement } from '../directory/directory.queries.ts';
import { findPlan, updatePlan } from './set-plan.queries.ts';

/** The plan takes effect with the next request. Returns the previous plan, or null for an unknown workspace. */
export async function setPlan(
  { directory, cells }: Databases,
  workspaceId: string,
  plan: Plan,
): Promise<Plan | null> {
  const [placement] = await directory.batch([findPlacement(workspaceId)]);
  const cell = placement && cells.get(placement.cell);
  if (!cell) return null;
  const [before] = await cell.batch([findPlan(workspaceId), updatePlan(workspaceId, plan)]);
  return before?.plan ?? null;
}
