import { recordEvent } from '../../events/log/record.queries.ts';
import { forbiddenError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import {
  assertTeamLimit,
  assertTeamUnchanged,
  assertValidParentTeam,
  checkTeamCycle,
  deleteTeam as deleteTeamRows,
  findNewestTeam,
  findTeam,
  insertTeam,
  newestTeamId,
  type TeamState,
  updateTeam as updateTeamRow,
} from './teams.queries.ts';
import { teamCreated, teamCreateInput, teamIdInput, teamUpdateInput } from './teams.schema.ts';

const TEAMS_MAX = 500;

export const createTeam = defineOperation(
  {
    name: 'createTeam',
    summary: 'Create a team',
    access: 'session',
    capability: 'manageTeams',
    effect: 'write',
    input: teamCreateInput,
    output: teamCreated,
    replay: { entity: newestTeamId, rebuild: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { name, parentId }) => {
    const { caller, db } = ctx;
    requireTeamManager(ctx);
    const [parent] = await db.batch([findTeam(caller, parentId ?? 0)]);
    if (parentId !== null && !parent) throw unknownParentError(parentId);
    const [created] = await db.writeThenRead(
      [
        ...(parentId === null ? [] : [assertValidParentTeam(caller, parentId, null)]),
        insertTeam(caller, name, parentId),
        assertTeamLimit(caller, TEAMS_MAX),
        recordEvent(ctx, {
          type: 'team.created',
          entity: newestTeamId,
          changes: { name: { from: null, to: name }, parentId: { from: null, to: parentId } },
        }),
      ],
      [findNewestTeam(caller)],
    );
    return created;
  },
);

export const updateTeam = defineOperation(
  {
    name: 'updateTeam',
    summary: 'Rename a team or change its parent team',
    access: 'session',
    capability: 'manageTeams',
    effect: 'write',
    input: teamUpdateInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, ...wanted }) => {
    const { caller, db, snapshot } = ctx;
    const { name, parentId } = wanted;
    const [team, parent, within] = await db.batch([
      findTeam(caller, id),
      findTeam(caller, parentId ?? 0),
      checkTeamCycle(caller, parentId ?? 0, id),
    ]);
    if (!team) throw teamNotFoundError(id);
    requireTeamManager(ctx);
    const current = { name: team.name, parentId: team.parent };
    requireCurrentSnapshot(snapshot, wanted, current, { type: 'team.updated', id });
    if (parentId && !parent) throw unknownParentError(parentId);
    if (within === 1)
      throw invalidRequestError('parentId must not be the team itself or one of its subteams.', 'parentId');
    const next = {
      ...team,
      name: name ?? team.name,
      parent: parentId === undefined ? team.parent : parentId,
    };
    const changes = {
      ...(next.name !== team.name && { name: { from: team.name, to: next.name } }),
      ...(next.parent !== team.parent && { parentId: { from: team.parent, to: next.parent } }),
    };
    if (Object.keys(changes).length === 0) return { success: true as const };
    await db.batch([
      assertTeamUnchanged(caller, team),
      ...(next.parent === null ? [] : [assertValidParentTeam(caller, next.parent, id)]),
      recordEvent(ctx, { type: 'team.updated', entity: id, changes }),
      updateTeamRow(caller, next),
    ]);
    return { success: true as const };
  },
);

export const deleteTeam = defineOperation(
  {
    name: 'deleteTeam',
    summary: 'Delete a team; its subteams move up one level',
    access: 'session',
    capability: 'manageTeams',
    effect: 'write',
    input: teamIdInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const { caller, db } = ctx;
    const [team] = await db.batch([findTeam(caller, id)]);
    if (!team) throw teamNotFoundError(id);
    requireTeamManager(ctx);
    await db.batch([
      assertTeamUnchanged(caller, team),
      recordEvent(ctx, {
        type: 'team.deleted',
        entity: id,
        changes: { name: { from: team.name, to: null } },
      }),
      ...deleteTeamRows(caller, team),
    ]);
    return { success: true as const };
  },
);

function teamNotFoundError(id: number) {
  return notFoundError('team', id, ({ call }) => call('listTeams'));
}

export function requireEditableTeam(ctx: Context, id: number, team: TeamState | null): TeamState {
  if (!team) throw teamNotFoundError(id);
  if (ctx.reach === 'all' || (ctx.reach === 'own' && team.is_led === 1)) return team;
  throw forbiddenError(
    `Only the leads of team ${id}, owners and admins can change its members. Ask one of them.`,
  );
}

function requireTeamManager({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only owners and admins can manage teams; your role is ${caller.role}. Ask one of them.`,
  );
}

function unknownParentError(id: number) {
  return invalidRequestError(
    ({ call, field }) =>
      `${field('parentId')} ${id} is not a team in this workspace. ${call('listTeams')} lists the teams.`,
  );
}
