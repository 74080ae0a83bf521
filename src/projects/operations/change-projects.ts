import type { FieldChange } from '../../events/log/event-types.ts';
import { recordEvent } from '../../events/log/record.queries.ts';
import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import {
  assertProjectMembershipUnchanged,
  assertProjectsMax,
  assertProjectVersion,
  findMemberCandidates,
  findProjectState,
  insertProject,
  insertProjectMembers,
  newestProjectId,
  type ProjectState,
  updateProject as updateProjectRow,
} from './project-changes.queries.ts';
import {
  projectCreated,
  projectCreateInput,
  projectIdInput,
  projectPersonInput,
  projectSettings,
  projectUpdateInput,
} from './project-changes.schema.ts';
import {
  mayChangeProject,
  personNotInWorkspaceError,
  requireEditableProject,
  requirePermissionToCreateProjects,
} from './projects.policy.ts';
import { findNewestProject } from './projects.queries.ts';

/**
 * Some pages read the counters of every project. The limit keeps them from slowing down the cell's other workspaces.
 */
export const PROJECTS_MAX = 2_000;

export const createProject = defineOperation(
  {
    name: 'createProject',
    summary: 'Create a project with you as its lead',
    access: 'session',
    capability: 'createProjects',
    effect: 'write',
    input: projectCreateInput,
    output: projectCreated,
    replay: { entity: newestProjectId, rebuild: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, input) => {
    requirePermissionToCreateProjects(ctx);
    const { caller, db, now } = ctx;
    const { name, status } = input;
    const [created] = await db.writeThenRead(
      [
        ...insertProject(caller, input, now),
        assertProjectsMax(caller, PROJECTS_MAX),
        recordEvent(ctx, {
          type: 'project.created',
          project: newestProjectId,

          changes: {
            name: { from: null, to: name },
            status: { from: null, to: status },
            owner: { from: null, to: caller.userId },
          },
        }),
      ],
      [findNewestProject(caller)],
    );
    return created;
  },
);

export const getProjectSettings = defineOperation(
  {
    name: 'getProjectSettings',
    summary: "Get a project's settings",
    access: 'session',
    capability: 'changeProjects',
    effect: 'read',
    input: projectIdInput,
    output: projectSettings,
  },
  async (ctx, { id }) => {
    const [project] = await ctx.db.batch([findProjectState(ctx.caller, id)]);
    if (!project) throw projectNotFoundError(id);
    return {
      ...project,
      ownerId: project.owner_id,
      mayChange: mayChangeProject(ctx, project.owner),
    };
  },
);

export const updateProject = defineOperation(
  {
    name: 'updateProject',
    summary: "Update a project's name, description or status",
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: projectUpdateInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, ...wanted }) => {
    const project = await readEditableProject(ctx, id);
    requireCurrentSnapshot(ctx.snapshot, wanted, { ...project }, { type: 'project.updated', id });
    const fields = ['name', 'description', 'status'] as const;
    const changed = fields.filter((field) => wanted[field] !== undefined && wanted[field] !== project[field]);
    if (changed.length === 0) return { success: true as const };
    const changes = Object.fromEntries(changed.map((field) => [field, wanted[field]]));
    const changedFields = changed.map((field) => [
      field,
      field === 'description' ? null : { from: project[field], to: wanted[field] as string },
    ]);
    await ctx.db.batch([
      assertProjectVersion(ctx.caller, project),
      recordProjectUpdate(ctx, id, Object.fromEntries(changedFields)),
      updateProjectRow(ctx.caller, id, changes),
    ]);
    return { success: true as const };
  },
);

export const handOverProject = defineOperation(
  {
    name: 'handOverProject',
    summary: 'Transfer a project to a new lead; the previous lead stays a member',
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: projectPersonInput,
    output: successOutput,
    replay: successReplay,
    audits: ['project.transferred'],
  },
  async (ctx, { id, userId }) => {
    const { caller, db } = ctx;
    const [project, [person]] = await db.batch([
      findProjectState(caller, id),
      findMemberCandidates(caller, id, [userId]),
    ]);
    const state = requireEditableProject(ctx, id, project);
    if (!person) throw personNotInWorkspaceError([userId]);
    if (isBotId(userId)) throw invalidRequestError("A bot can't lead a project. Choose a person.");
    if (person.role === 'client') {
      throw invalidRequestError(
        "A client can't lead a project. Give them another role first, or choose someone else.",
      );
    }
    if (person.no === state.owner) return { success: true as const };
    await db.batch([
      assertProjectVersion(caller, state),
      assertProjectMembershipUnchanged(caller, id, [person.no], person.is_in === 1),
      recordProjectUpdate(ctx, id, { owner: { from: state.owner_id, to: userId } }),
      recordAuditEntry(ctx, {
        type: 'project.transferred',
        member: person.no,
        subject: { id, name: state.name },
      }),
      updateProjectRow(caller, id, { owner: person.no }),
      insertProjectMembers(id, [person.no]),
    ]);
    return { success: true as const };
  },
);

async function readEditableProject(ctx: Context, id: number): Promise<ProjectState> {
  const [project] = await ctx.db.batch([findProjectState(ctx.caller, id)]);
  return requireEditableProject(ctx, id, project);
}

function recordProjectUpdate(ctx: Context, id: number, changes: Record<string, FieldChange>) {
  return recordEvent(ctx, { type: 'project.updated', project: id, changes });
}
