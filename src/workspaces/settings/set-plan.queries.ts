import { and, eq, ne } from 'drizzle-orm';
import type { Plan } from '../../kernel/access/access.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

export const findPlan = prepared.firstRow((workspaceId: Argument<string>) =>
  query.select(pickColumns(workspaces, 'plan')).from(workspaces).where(eq(workspaces.id, workspaceId)),
);

export const updatePlan = prepared.write((workspaceId: Argument<string>, plan: Argument<Plan>) =>
  query
    .update(workspaces)
    .set({ plan })
    .where(and(eq(workspaces.id, workspaceId), ne(workspaces.plan, plan))),
);
