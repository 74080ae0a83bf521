import { recordEvent } from '../../events/log/record.queries.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { unfollowProject } from '../../tasks/counters/unfollow.queries.ts';
import {
  assertProjectMembershipUnchanged,
  assertProjectVersion,
  deleteProjectMember,
  findMemberCandidates,
  findProjectState,
  insertProjectMembers,
  type ProjectState,
} from './project-changes.queries.ts';
import { projectPeopleInput, projectPersonInput } from './project-changes.schema.ts';
import {
  personNotInProjectError,
  personNotInWorkspaceError,
  requireEditableProject,
} from './projects.policy.ts';

export const addProjectMembers = defineOperation(
  {
    name: 'addProjectMembers',
    summary: 'Add people to a project',
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: projectPeopleInput,
    output: successOutput,
    replay: successReplay,
    audits: ['project.member_added'],
  },
  async (ctx, { id, userIds }) => {
    const { caller, db } = ctx;
    const [project, found] = await db.batch([
      findProjectState(caller, id),
      findMemberCandidates(caller, id, userIds),
    ]);
    const state = requireEditableProject(ctx, id, project);
    const missing = userIds.filter((userId) => !found.some((each) => each.user_id === userId));
    if (missing.length > 0) throw personNotInWorkspaceError(missing);
    const added = found.filter((each) => each.is_in === 0);
    const members = added.map(({ no }) => no);
    if (added.length > 0) {
      await db.batch([
        assertProjectVersion(caller, state),
        assertProjectMembershipUnchanged(caller, id, members, false),
        insertProjectMembers(id, members),
        ...added.flatMap((each) => recordMemberChange(ctx, state, 'project.member_added', each)),
      ]);
    }
    return { success: true as const };
  },
);

export const removeProjectMember = defineOperation(
  {
    name: 'removeProjectMember',
    summary: 'Remove a person from a project',
    description:
      "The person keeps their assigned tasks. A client stops following all other tasks in the project and can't see them anymore.",
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: projectPersonInput,
    output: successOutput,
    replay: successReplay,
    audits: ['project.member_removed'],
  },
  async (ctx, { id, userId }) => {
    const { caller, db } = ctx;
    const [project, [person]] = await db.batch([
      findProjectState(caller, id),
      findMemberCandidates(caller, id, [userId]),
    ]);
    const state = requireEditableProject(ctx, id, project);
    if (person?.is_in !== 1) throw personNotInProjectError(id, userId);
    if (person.no === state.owner) {
      throw invalidRequestError(`'${userId}' leads project ${id}. Transfer it to someone else first.`);
    }
    await db.batch([
      assertProjectVersion(caller, state),
      assertProjectMembershipUnchanged(caller, id, [person.no], true),
      ...recordMemberChange(ctx, state, 'project.member_removed', person),
      deleteProjectMember(id, person.no),
      ...(person.role === 'client' ? unfollowProject(caller.workspace, person.no, id) : []),
    ]);
    return { success: true as const };
  },
);

function recordMemberChange(
  ctx: Context,
  { id, name }: Pick<ProjectState, 'id' | 'name'>,
  type: 'project.member_added' | 'project.member_removed',
  { no, user_id }: { no: number; user_id: string },
) {
  return [
    recordEvent(ctx, { type, project: id, entity: user_id }),
    recordAuditEntry(ctx, { type, member: no, subject: { id, name } }),
  ];
}
