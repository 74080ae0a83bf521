import type { Plan } from '../../kernel/access/access.ts';
import { firstRow, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, names, sql } from '../../kernel/sql/sql.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const w = names(workspaces, 'w');

const planColumn = columns({ plan: w.plan });

export function findPlan(workspaceId: string): Statement<{ plan: Plan } | null> {
  return firstRow(sql`SELECT ${planColumn} FROM ${w} WHERE ${w.id} = ${workspaceId}`);
}

export function updatePlan(workspaceId: string, plan: Plan): Statement<void> {
  return write(
    sql`UPDATE ${workspaces} SET ${workspaces.plan} = ${plan} WHERE ${workspaces.id} = ${workspaceId} AND ${workspaces.plan} <> ${plan}`,
  );
}
