import { recordEvent } from '../../events/log/record.queries.ts';
import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import { forbiddenError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireEditableTeam } from './change-teams.ts';
import {
  assertTeamPersonUnchanged,
  assertTeamUnchanged,
  deleteTeamMember,
  findTeam,
  findTeamPerson,
  upsertTeamMember,
} from './teams.queries.ts';
import { teamMemberInput, teamPersonInput } from './teams.schema.ts';

export const setTeamMember = defineOperation(
  {
    name: 'setTeamMember',
    summary: 'Add a person to a team or change their team role',
    access: 'session',
    capability: 'manageTeams',
    effect: 'write',
    input: teamMemberInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, userId, role }) => {
    const { caller, db } = ctx;
    const [found, person] = await db.batch([findTeam(caller, id), findTeamPerson(caller, id, userId)]);
    const team = requireEditableTeam(ctx, id, found);
    if (!person) {
      throw invalidRequestError(
        ({ call }) =>
          `'${userId}' is not a member of this workspace. ${call('listUsers')} lists the members.`,
      );
    }
    if (isBotId(userId)) throw invalidRequestError("Bots can't join teams. Choose a person.");
    if (person.team_role === role) return { success: true as const };
    requireLeadPermission(ctx, role === 'lead' || person.team_role === 'lead');
    await db.batch([
      assertTeamUnchanged(caller, team),
      assertTeamPersonUnchanged(caller, id, person),
      recordEvent(ctx, {
        type: 'team.updated',
        entity: id,
        changes: {
          member: { from: person.team_role && userId, to: userId },
          role: { from: person.team_role, to: role },
        },
      }),
      upsertTeamMember(id, person.no, role),
    ]);
    return { success: true as const };
  },
);

export const removeTeamMember = defineOperation(
  {
    name: 'removeTeamMember',
    summary: 'Remove a person from a team',
    access: 'session',
    capability: 'manageTeams',
    effect: 'write',
    input: teamPersonInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, userId }) => {
    const { caller, db } = ctx;
    const [found, person] = await db.batch([findTeam(caller, id), findTeamPerson(caller, id, userId)]);
    const team = requireEditableTeam(ctx, id, found);
    if (!person?.team_role) throw notFoundError('team member', userId, ({ call }) => call('listTeams'));
    requireLeadPermission(ctx, person.team_role === 'lead');
    await db.batch([
      assertTeamUnchanged(caller, team),
      assertTeamPersonUnchanged(caller, id, person),
      recordEvent(ctx, { type: 'team.updated', entity: id, changes: { member: { from: userId, to: null } } }),
      deleteTeamMember(id, person.no),
    ]);
    return { success: true as const };
  },
);

/** Only owners and admins can appoint and remove leads, because leads see their team's work. */
function requireLeadPermission({ reach }: Context, isAboutLead: boolean) {
  if (reach === 'all' || !isAboutLead) return;
  throw forbiddenError('Only workspace owners and admins can change who leads a team. Ask one of them.');
}
