import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';
import type { ProjectKey } from '../../tasks/counters/repair.queries.ts';
import { projectName } from '../../tasks/summaries/summaries.schema.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import { assertProjectVersion, findProjectState } from '../operations/project-changes.queries.ts';
import { hideProjectInParts, startHidingProject } from './hide-project.ts';
import { countDeletions, listDeletionProgress } from './progress.queries.ts';

/**
 * Hiding this many parts of a project takes one or two seconds and covers up to 12,500 tasks. The `deleteProjects` cron
 * job hides the rest.
 */
const PARTS_PER_REQUEST_MAX = 25;

/** Logs errors instead of throwing them, because the deletion has already begun and `deleteProjects` continues it. */
async function hideMoreParts(db: BatchDatabase, project: ProjectKey, now: number) {
  try {
    await hideProjectInParts(db, project, now, PARTS_PER_REQUEST_MAX);
  } catch (error) {
    log('error', 'projects.hide', { project: project.id, cause: describeError(error) });
  }
}

export const deleteProject = defineOperation(
  {
    name: 'deleteProject',
    summary: 'Delete a project and everything in it',
    description:
      "This can't be undone. If the project has more than 10,000 tasks, some may disappear a few minutes later.",
    access: 'session',
    capability: 'deleteProjects',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      name: z.string().max(1_000).meta({ description: "The project's name, to confirm the deletion." }),
    }),
    output: successOutput,
    replay: successReplay,
    audits: ['project.deleted'],
  },
  async (ctx, { id, name }) => {
    const { caller, db, now, reach } = ctx;
    const [project, isBegun] = await db.batch([findProjectState(caller, id), countDeletions(caller, id)]);
    if (!project) throw projectNotFoundError(id);
    if (reach !== 'all') {
      throw forbiddenError(
        `Only owners and admins of the workspace can delete project ${id}. Ask one of them.`,
      );
    }
    if (name !== project.name) {
      throw invalidRequestError(`name must match the project's name exactly: ${project.name}`, 'name');
    }
    const key = { ws: caller.workspace, id };
    const deletedEvent = recordEvent(ctx, {
      type: 'project.deleted',
      project: id,
      changes: { name: { from: name, to: null } },
    });
    const entry = recordAuditEntry(ctx, { type: 'project.deleted', subject: { id, name } });
    const first = [assertProjectVersion(caller, project), deletedEvent, entry];
    const isGone = isBegun === 0 && (await startHidingProject(db, key, first, now));
    if (!isGone) await hideMoreParts(db, key, now);
    return { success: true as const };
  },
);

export const listProjectDeletions = defineOperation(
  {
    name: 'listProjectDeletions',
    summary: 'List deleted projects whose tasks are still being removed',
    access: 'session',
    capability: 'deleteProjects',
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({
      deletions: z.array(z.object({ id: integerId, name: projectName, tasks: z.int(), tasksLeft: z.int() })),
    }),
  },
  async ({ caller, db, reach }) => {
    if (reach !== 'all') return { deletions: [] };
    const [found] = await db.batch([listDeletionProgress(caller)]);
    return {
      deletions: found.map(({ tasks_left, ...row }) => ({ ...row, tasksLeft: Math.max(0, tasks_left) })),
    };
  },
);
