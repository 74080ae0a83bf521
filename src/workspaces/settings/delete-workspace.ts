import * as z from 'zod';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { copyMembershipsToDirectory } from '../directory/copy-memberships.ts';
import {
  clearWorkspaceData,
  closeWorkspace,
  countProjectDeletions,
  deleteEventSlice,
  hasClosedWorkspaces,
  listClosedWorkspaces,
  moveFeedStart,
  startProjectDeletions,
} from './delete-workspace.queries.ts';

/** The request copies this many memberships to the directory. `repairMemberships` copies the rest within a minute. */
const COPIED_MEMBERSHIPS_PER_REQUEST_MAX = 5;

export const deleteWorkspace = defineOperation(
  {
    name: 'deleteWorkspace',
    summary: 'Delete the workspace and everything in it',
    description:
      "Takes effect immediately for everyone and revokes every key in the workspace. It can't be undone.",
    access: 'session',
    capability: 'ownWorkspace',
    effect: 'write',
    input: z.strictObject({
      name: z.string().max(1_000).meta({ description: "The workspace's name, to confirm the deletion." }),
    }),
    output: successOutput,
    replay: successReplay,
    audits: ['workspace.deleted'],
  },
  async (ctx, { name }) => {
    const { caller, db, now, reach, request } = ctx;
    if (reach !== 'all') throw forbiddenError('Only the owner can delete the workspace. Ask the owner.');
    if (name !== caller.workspaceName) {
      throw invalidRequestError(
        `name must match the workspace's name exactly: ${caller.workspaceName}`,
        'name',
      );
    }
    await db.batch([
      recordAuditEntry(ctx, { type: 'workspace.deleted', subject: { name } }),
      ...closeWorkspace(caller.workspace, now),
    ]);
    try {
      await copyMembershipsToDirectory(request, caller.cell, now, COPIED_MEMBERSHIPS_PER_REQUEST_MAX);
    } catch (error) {
      log('error', 'membership.unsettled', { workspace: caller.workspaceId, cause: describeError(error) });
    }
    return { success: true as const };
  },
);

/** The number of statements in the largest step. */
const STEP_COST = 40;
const WORKSPACES_PER_RUN_MAX = 20;

/** Each step is a transaction that looks for remaining rows, so runs can overlap and stop after any step. */
export const deleteWorkspaces: CellJob = {
  name: 'workspaces.delete',
  cost: 1 + STEP_COST,
  isDue: hasClosedWorkspaces,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [closed] = await cell.batch([listClosedWorkspaces(WORKSPACES_PER_RUN_MAX)]);
    for (const { ws } of closed) {
      while (countAffordableUnits(allowance, STEP_COST, 1) > 0) {
        if (await runDeletionStep(cell, ws, scope.now)) break;
      }
      if (countAffordableUnits(allowance, STEP_COST, 1) === 0) return true;
    }
    return closed.length === WORKSPACES_PER_RUN_MAX;
  },
};

/**
 * Returns true if this run can't do more, because the workspace is deleted or because `deleteProjects` has to run
 * first.
 */
async function runDeletionStep(cell: Database, ws: number, now: number): Promise<boolean> {
  const [, deletions] = await cell.batch([startProjectDeletions(ws, now), countProjectDeletions(ws)]);
  if (deletions > 0) return true;
  const [events] = await cell.batch([deleteEventSlice(ws), moveFeedStart(ws)]);
  if (events.length > 0) return false;
  await cell.batch(clearWorkspaceData(ws));
  return true;
}
