import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { transferBots } from '../accountable/accountable.queries.ts';
import { tryToCopyMembershipToDirectory } from '../directory/copy-memberships.ts';
import { endMembership } from '../directory/memberships.queries.ts';
import { finishDeparture, reassignTasks, TASKS_PER_SLICE } from './departures.ts';
import { personNotFoundError, requireManageablePerson, requireManager } from './people.policy.ts';
import {
  assertHasAnotherOwner,
  assertRoleUnchanged,
  findFirstOwner,
  findPerson,
  insertDeparture,
  listOpenTasks,
  type PersonState,
  transferProjects,
  withdrawSentInvitations,
} from './people.queries.ts';

/** After this many slices, the `finishDepartures` cron job reassigns the remaining tasks. */
const SLICES_AFTER_RESPONSE_MAX = 10;

const userId = z.string().min(1).max(100);
const newAssigneeId = userId.nullable().default(null).meta({
  description: "The new assignee of the person's open tasks. By default, the tasks become unassigned.",
});

export const removePerson = defineOperation(
  {
    name: 'removePerson',
    summary: 'Remove a person from the workspace',
    description:
      "Takes effect immediately: the person's keys, tokens and invitations stop working, and their timer stops. Their open tasks are assigned to the person you name, or become unassigned. Projects they lead are transferred to the person you name, or to you. Their past work stays attributed to them.",
    access: 'session',
    capability: 'managePeople',
    effect: 'write',
    input: z.strictObject({ userId, heirId: newAssigneeId }),
    output: successOutput,
    replay: successReplay,
    audits: ['member.removed'],
  },
  async (ctx, input) => {
    const { caller, db } = ctx;
    const [person, heir] = await db.batch([
      findPerson(caller, input.userId),
      findPerson(caller, input.heirId ?? ''),
    ]);
    if (!person) throw personNotFoundError(input.userId);
    requireManager(ctx);
    if (person.no === caller.member)
      throw invalidRequestError("You can't remove yourself. Leave the workspace instead.");
    requireManageablePerson(ctx, person);
    requireNewAssignee(input.heirId, person, heir);
    await reassignAndEndMembership(ctx, person, heir, chooseProjectLead(heir) ?? caller.member, [
      assertRoleUnchanged(caller, person),
      recordAuditEntry(ctx, { type: 'member.removed', member: person.no, details: { role: person.role } }),
    ]);
    return { success: true as const };
  },
);

export const leaveWorkspace = defineOperation(
  {
    name: 'leaveWorkspace',
    summary: 'Leave the workspace',
    description:
      'Has the same effect as being removed by an admin. If you are the only owner, transfer or delete the workspace first.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({ heirId: newAssigneeId }),
    output: successOutput,
    replay: successReplay,
    audits: ['member.left'],
  },
  async (ctx, input) => {
    const { caller, db } = ctx;
    const [person, heir, owner] = await db.batch([
      findPerson(caller, caller.userId),
      findPerson(caller, input.heirId ?? ''),
      findFirstOwner(caller),
    ]);
    if (!person) throw personNotFoundError(caller.userId);
    requireNewAssignee(input.heirId, person, heir);
    if (!owner || owner.no === caller.member) {
      throw invalidRequestError('You are the only owner of this workspace. Transfer or delete it first.');
    }
    await reassignAndEndMembership(ctx, person, heir, chooseProjectLead(heir) ?? owner.no, [
      assertRoleUnchanged(caller, person),
      assertHasAnotherOwner(caller, caller.member),
      recordAuditEntry(ctx, { type: 'member.left', details: { role: person.role } }),
    ]);
    return { success: true as const };
  },
);

function requireNewAssignee(wanted: string | null, person: PersonState, heir: PersonState | null) {
  if (wanted === null) return;
  if (!heir)
    throw invalidRequestError(
      ({ call }) => `'${wanted}' is not a member of this workspace. ${call('listUsers')} lists the members.`,
    );
  if (heir.no === person.no) throw invalidRequestError('Choose a person who stays in the workspace.');
}

/** Returns null for clients and bots, because they can't lead projects or be accountable for bots. */
function chooseProjectLead(heir: PersonState | null): number | null {
  return heir && heir.role !== 'client' && !isBotId(heir.user_id) ? heir.no : null;
}

/**
 * Reassigns the first slice of open tasks before the response, and further slices after it. The `finishDepartures` cron
 * job reassigns the rest.
 */
async function reassignAndEndMembership(
  ctx: Context,
  person: PersonState,
  heir: PersonState | null,
  leader: number,
  first: Statement<void>[],
): Promise<void> {
  const { caller, db, now, request } = ctx;
  const [tasks] = await db.batch([listOpenTasks(caller.workspace, person.no, TASKS_PER_SLICE)]);
  const departure = { member: person.no, heir: heir?.no ?? 0 };
  await db.batch([
    ...first,
    ...(heir ? [assertRoleUnchanged(caller, heir)] : []),
    ...reassignTasks(ctx, departure, tasks),
    insertDeparture(ctx, departure),
    ...transferProjects(ctx, person, leader),
    transferBots(caller, person.no, leader),
    withdrawSentInvitations(person.no, now),
    recordEvent(ctx, { type: 'member.removed', entity: person.user_id }),
    ...endMembership(caller.workspaceId, person.user_id, now),
  ]);
  // Bypasses the guarded database, which would reject people who have just left.
  await tryToCopyMembershipToDirectory(request, caller.cell, caller.workspaceId, person.user_id);
  const cell = request.cellAfterResponse(caller.cell);
  if (!cell) return;
  request.afterResponse('departures.finish', () =>
    finishDeparture(cell, person.no, now, SLICES_AFTER_RESPONSE_MAX),
  );
}
