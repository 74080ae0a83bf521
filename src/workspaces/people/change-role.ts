import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import { type Role, roles } from '../../kernel/access/roles.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { formatCount } from '../../kernel/text/number-format.ts';
import { unfollowUnjoinedProjects } from '../../tasks/counters/unfollow.queries.ts';
import {
  isRoleAbove,
  personNotFoundError,
  requireGrantableRole,
  requireManageablePerson,
  requireManager,
} from './people.policy.ts';
import {
  assertLeadsNoProjects,
  assertRoleUnchanged,
  findPerson,
  type PersonState,
  updateRole,
  withdrawSentInvitations,
} from './people.queries.ts';

const userId = z.string().min(1).max(100);

export const changeRole = defineOperation(
  {
    name: 'changeRole',
    summary: "Change a person's role in the workspace",
    description:
      "A person who becomes a client stops following tasks in projects that they aren't a member of.",
    access: 'session',
    capability: 'managePeople',
    effect: 'write',
    input: z.strictObject({ userId, role: z.enum(roles) }),
    output: successOutput,
    audits: ['member.role_changed'],
  },
  async (ctx, input) => {
    const { caller, db, now } = ctx;
    const [person] = await db.batch([findPerson(caller, input.userId)]);
    if (!person) throw personNotFoundError(input.userId);
    requireManager(ctx);
    requireManageablePerson(ctx, person);
    requireGrantableRole(ctx, input.role);
    const { role, user_id } = person;
    requireCurrentSnapshot(
      ctx.snapshot,
      { role: input.role },
      { role },
      { type: 'member.updated', id: user_id },
    );
    if (person.role === input.role) return { success: true as const };
    if (input.role === 'client' && person.leads > 0) {
      throw invalidRequestError(
        `'${person.user_id}' leads ${formatCount(person.leads, 'project')}, and clients can't lead projects. Transfer the projects first.`,
      );
    }
    await db.batch([
      assertRoleUnchanged(caller, person),
      ...(input.role === 'client' ? [assertLeadsNoProjects(caller, person.no)] : []),
      ...(isRoleAbove(person.role, input.role) ? [withdrawSentInvitations(person.no, now)] : []),
      recordRoleChange(ctx, person, input.role),
      recordAuditEntry(ctx, {
        type: 'member.role_changed',
        member: person.no,
        details: { from: person.role, to: input.role },
      }),
      updateRole(caller, person.no, input.role),
      ...(input.role === 'client' ? unfollowUnjoinedProjects(caller.workspace, person.no) : []),
    ]);
    return { success: true as const };
  },
);

export const handOverWorkspace = defineOperation(
  {
    name: 'handOverWorkspace',
    summary: 'Transfer the workspace to another person and become an admin',
    access: 'session',
    capability: 'ownWorkspace',
    effect: 'write',
    input: z.strictObject({ userId }),
    output: successOutput,
    replay: successReplay,
    audits: ['workspace.transferred'],
  },
  async (ctx, input) => {
    const { caller, db, reach } = ctx;
    const [person] = await db.batch([findPerson(caller, input.userId)]);
    if (!person) throw personNotFoundError(input.userId);
    if (reach !== 'all') throw forbiddenError('Only the owner can transfer the workspace. Ask the owner.');
    if (person.no === caller.member)
      throw invalidRequestError('You already own this workspace. Choose another person.');
    if (isBotId(person.user_id)) throw invalidRequestError("A bot can't own a workspace. Choose a person.");
    if (person.role === 'client') {
      throw invalidRequestError("A client can't own a workspace. Change their role first.");
    }
    const own = { no: caller.member, user_id: caller.userId, role: caller.role };
    await db.batch([
      assertRoleUnchanged(caller, person),
      recordRoleChange(ctx, person, 'owner'),
      recordRoleChange(ctx, own, 'admin'),
      recordAuditEntry(ctx, {
        type: 'workspace.transferred',
        member: person.no,
        details: { from: person.role },
      }),
      updateRole(caller, person.no, 'owner'),
      updateRole(caller, own.no, 'admin'),
    ]);
    return { success: true as const };
  },
);

function recordRoleChange(ctx: Context, person: Pick<PersonState, 'user_id' | 'role'>, role: Role) {
  const changes = { role: { from: person.role, to: role } };
  return recordEvent(ctx, { type: 'member.updated', entity: person.user_id, changes });
}
