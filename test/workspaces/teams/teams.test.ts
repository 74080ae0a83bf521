import { beforeAll, expect, it } from 'vitest';
import { createTeam, deleteTeam, updateTeam } from '../../../src/workspaces/teams/change-teams.ts';
import { removeTeamMember, setTeamMember } from '../../../src/workspaces/teams/team-people.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { addPerson, createWorld, createTeam as insertTeam, type World } from '../../support/world.ts';

const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const listTeams = async () => (await api(world.people.owner.token).get('/teams?limit=100')).body.data;
const findTeam = async (id: number) => (await listTeams()).find((each: { id: number }) => each.id === id);

it.each(roles)(
  'only owners and admins can manage teams, and leads can add and remove members of their own team (role: %s)',
  async (role) => {
    const me = world.people[role];
    const isAdmin = role === 'owner' || role === 'admin';
    const led = await insertTeam(world, { lead: me });
    const other = await insertTeam(world, { members: [me] });
    const mate = await addPerson(world, 'mate', 'member');
    const calls = [
      [createTeam, { name: 'New', parentId: other }, isAdmin],
      [updateTeam, { id: led, name: 'Renamed', parentId: other }, isAdmin],
      [setTeamMember, { id: led, userId: mate.userId }, isAdmin || role === 'lead'],
      [setTeamMember, { id: led, userId: mate.userId, role: 'lead' }, isAdmin],
      [setTeamMember, { id: other, userId: mate.userId }, isAdmin],
      [removeTeamMember, { id: led, userId: mate.userId }, isAdmin || role === 'lead'],
      [removeTeamMember, { id: led, userId: me.userId }, isAdmin],
      [deleteTeam, { id: other }, isAdmin],
    ] as const;
    for (const [operation, input, may] of calls) {
      const before = await readAllContents();
      const answer = await runForm(me.token, operation, input);
      expect([operation.name, JSON.stringify(input), answer.status]).toEqual([
        operation.name,
        JSON.stringify(input),
        may ? 200 : 403,
      ]);
      if (!may) expect(await readAllContents()).toEqual(before);
    }
    if (isAdmin) {
      expect(await findTeam(other)).toBeUndefined();
      // The subteams of the deleted team have moved up.
      expect(await findTeam(led)).toMatchObject({ name: 'Renamed', parentId: null, members: [] });
    }
  },
);

it("a team can't be moved below itself, even by parallel requests", async () => {
  const { owner, admin } = world.people;
  const first = await insertTeam(world, {});
  const second = await insertTeam(world, { parent: first });
  const third = await insertTeam(world, { parent: second });
  for (const parentId of [first, second, third]) {
    expect((await runForm(owner.token, updateTeam, { id: first, parentId })).status).toBe(400);
  }
  const loose = await insertTeam(world, {});
  const both = await Promise.all([
    runForm(owner.token, updateTeam, { id: loose, parentId: third }),
    runForm(admin.token, updateTeam, { id: first, parentId: loose }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
});

it('changing a team in another workspace returns 404, and referring to a team or person there returns 400', async () => {
  const { owner } = world.people;
  const elsewhere = await createWorld();
  const foreign = await insertTeam(elsewhere, { members: [elsewhere.people.member] });
  const own = await insertTeam(world, {});
  const before = await readAllContents();
  for (const [operation, input] of [
    [updateTeam, { id: foreign, name: 'X' }],
    [deleteTeam, { id: foreign }],
    [setTeamMember, { id: foreign, userId: owner.userId }],
    [removeTeamMember, { id: foreign, userId: elsewhere.people.member.userId }],
  ] as const) {
    expect([operation.name, (await runForm(owner.token, operation, input)).status]).toEqual([
      operation.name,
      404,
    ]);
  }
  for (const [operation, input] of [
    [createTeam, { name: 'X', parentId: foreign }],
    [updateTeam, { id: own, parentId: foreign }],
    [setTeamMember, { id: own, userId: elsewhere.people.member.userId }],
  ] as const) {
    expect([operation.name, (await runForm(owner.token, operation, input)).status]).toEqual([
      operation.name,
      400,
    ]);
  }
  expect(await readAllContents()).toEqual(before);
  expect(await findInconsistencies()).toEqual([]);
});
