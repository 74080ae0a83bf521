import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay, toTimestamp } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import {
  createDerivedToken,
  type DerivedToken,
  recreateDerivedToken,
} from '../../kernel/secrets/derived-token.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import {
  assertProjectMembershipUnchanged,
  assertProjectVersion,
  findMemberCandidates,
  findProjectState,
} from '../../projects/operations/project-changes.queries.ts';
import {
  personNotInProjectError,
  requireEditableProject,
} from '../../projects/operations/projects.policy.ts';
import {
  assertFormVersion,
  assertNoForm,
  deleteForm,
  findForm,
  type IntakeFormRow,
  insertForm,
  updateForm,
} from './intake-forms.queries.ts';
import { intakeFormInput, intakeFormSettings, intakeProjectInput } from './intake-forms.schema.ts';

export const INTAKE_PATH = '/intake';

const manageSpec = { access: 'session', capability: 'changeProjects' } as const;

export const getIntakeForm = defineOperation(
  {
    ...manageSpec,
    name: 'getIntakeForm',
    summary: "Get a project's intake form",
    effect: 'read',
    input: intakeProjectInput,
    output: intakeFormSettings,
  },
  async (ctx, { projectId }) => {
    const { form } = await readManageableForm(ctx, projectId);
    return { form: form && toIntakeForm(ctx, form) };
  },
);

export const createIntakeForm = defineOperation(
  {
    ...manageSpec,
    name: 'createIntakeForm',
    summary: 'Turn on the intake form of a project, whose submissions become tasks',
    effect: 'write',
    input: intakeFormInput,
    output: successOutput,
    replay: successReplay,
    audits: ['intake_form.created'],
  },
  async (ctx, { projectId, greeting, tag = null, assigneeId = null }) => {
    const { caller, db, now, request } = ctx;
    const { project, form, candidate } = await readManageableForm(ctx, projectId, assigneeId);
    if (form) return { success: true as const };
    const assignee = requireProjectMember(projectId, assigneeId, candidate);
    const nonce = createSecret();
    const token = createDerivedToken(request.config.sessionSecret, toFormToken(ctx, nonce));
    await db.batch([
      assertNoForm(caller, projectId),
      assertProjectVersion(caller, project),
      ...assertMember(ctx, projectId, assignee),
      insertForm(
        caller,
        { project: projectId, greeting: greeting || null, tag, assignee, hash: hashSecret(token), nonce },
        now,
      ),
      recordFormChange(ctx, 'intake_form.created', project),
    ]);
    return { success: true as const };
  },
);

export const updateIntakeForm = defineOperation(
  {
    ...manageSpec,
    name: 'updateIntakeForm',
    summary: 'Change the greeting, the tag or the assignee of an intake form',
    effect: 'write',
    input: intakeFormInput,
    output: successOutput,
    replay: successReplay,
    audits: ['intake_form.updated'],
  },
  async (ctx, { projectId, ...wanted }) => {
    const { caller, db } = ctx;
    const { project, form, candidate } = await readManageableForm(ctx, projectId, wanted.assigneeId ?? null);
    if (!form) throw formNotFoundError(projectId);
    const current = { greeting: form.greeting, tag: form.tag, assigneeId: form.assignee_id };
    const next = { ...wanted, ...(wanted.greeting !== undefined && { greeting: wanted.greeting || null }) };
    requireCurrentSnapshot(ctx.snapshot, next, current, null);
    const { greeting = current.greeting, tag = current.tag, assigneeId = current.assigneeId } = next;
    const keepsAssignee = assigneeId === current.assigneeId;
    if (keepsAssignee && greeting === current.greeting && tag === current.tag)
      return { success: true as const };
    const assignee = keepsAssignee ? form.assignee : requireProjectMember(projectId, assigneeId, candidate);
    await db.batch([
      assertFormVersion(caller, form),
      assertProjectVersion(caller, project),
      ...(keepsAssignee ? [] : assertMember(ctx, projectId, assignee)),
      updateForm(caller, { project: projectId, greeting, tag, assignee }),
      recordFormChange(ctx, 'intake_form.updated', project),
    ]);
    return { success: true as const };
  },
);

export const deleteIntakeForm = defineOperation(
  {
    ...manageSpec,
    name: 'deleteIntakeForm',
    summary: 'Turn off the intake form of a project; its address stops working immediately',
    effect: 'write',
    input: intakeProjectInput,
    output: successOutput,
    replay: successReplay,
    audits: ['intake_form.deleted'],
  },
  async (ctx, { projectId }) => {
    const { project, form } = await readManageableForm(ctx, projectId);
    if (!form) throw formNotFoundError(projectId);
    await ctx.db.batch([
      assertFormVersion(ctx.caller, form),
      assertProjectVersion(ctx.caller, project),
      deleteForm(ctx.caller, projectId),
      recordFormChange(ctx, 'intake_form.deleted', project),
    ]);
    return { success: true as const };
  },
);

async function readManageableForm(ctx: Context, projectId: number, assigneeId: string | null = null) {
  const { caller, db } = ctx;
  const [state, form, candidates] = await db.batch([
    findProjectState(caller, projectId),
    findForm(caller, projectId),
    findMemberCandidates(caller, projectId, assigneeId === null ? [] : [assigneeId]),
  ]);
  return { project: requireEditableProject(ctx, projectId, state), form, candidate: candidates[0] };
}

function requireProjectMember(
  projectId: number,
  assigneeId: string | null,
  candidate: { readonly no: number; readonly is_in: 0 | 1 } | undefined,
): number | null {
  if (assigneeId === null) return null;
  if (candidate?.is_in === 1) return candidate.no;
  throw personNotInProjectError(projectId, assigneeId);
}

function assertMember({ caller }: Context, projectId: number, member: number | null) {
  return member === null ? [] : [assertProjectMembershipUnchanged(caller, projectId, [member], true)];
}

function recordFormChange(
  ctx: Context,
  type: 'intake_form.created' | 'intake_form.updated' | 'intake_form.deleted',
  { id, name }: { id: number; name: string },
) {
  return recordAuditEntry(ctx, { type, subject: { id, name } });
}

function formNotFoundError(projectId: number) {
  return notFoundError('intake form of project', projectId, () => "the project's sharing settings");
}

function toFormToken({ caller }: Pick<Context, 'caller'>, nonce: string): DerivedToken {
  return { purpose: 'intake form', cell: caller.cell, owner: caller.workspace, nonce };
}

function toIntakeForm(ctx: Context, form: IntakeFormRow) {
  const token = recreateDerivedToken(ctx.request, { ...toFormToken(ctx, form.nonce), hash: form.hash });
  return {
    address: token === null ? null : `${ctx.request.origin}${INTAKE_PATH}/${token}`,
    greeting: form.greeting,
    tag: form.tag,
    assigneeId: form.assignee_id,
    createdBy: { name: form.creator_name },
    createdAt: toTimestamp(form.created_at),
    lastUsedAt: form.last_used_at === null ? null : toTimestamp(form.last_used_at),
  };
}
