import { beforeAll, describe, expect, it } from 'vitest';
import {
  createProject,
  getProjectSettings,
  handOverProject,
  updateProject,
} from '../../../src/projects/operations/change-projects.ts';
import { addProjectMembers, removeProjectMember } from '../../../src/projects/operations/project-people.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, createProject as insertProject, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
const getProject = async (id: number) =>
  (await api(world.people.owner.token).get(`/projects/${id}?expand=members`)).body;

describe.each(roles)('a person with the role %s', (role) => {
  const getPerson = () => world.people[role];
  const isAdmin = role === 'owner' || role === 'admin';

  it('can create projects, unless the role is client', async () => {
    const before = await readAllContents();
    const made = await runForm(getPerson().token, createProject, { name: `By ${role}`, description: 'Why' });
    if (role === 'client') {
      expect([made.status, made.body.error.code]).toEqual([403, 'forbidden']);
      return expect(await readAllContents()).toEqual(before);
    }
    expect(await getProject(made.body.id)).toMatchObject({
      name: `By ${role}`,
      description: 'Why',
      status: 'active',
      owner: { id: getPerson().userId },
      memberCount: 1,
      members: [{ id: getPerson().userId, isOwner: true }],
    });
  });

  it('can change exactly the projects that the role allows: all (owner, admin), owned (lead, member) or none (client)', async () => {
    const own = await insertProject(world, { owner: getPerson() });
    const other = await insertProject(world, {
      owner: world.people[role === 'owner' ? 'admin' : 'owner'],
      members: [getPerson()],
    });
    for (const [project, may] of [
      [own, role !== 'client'],
      [other, isAdmin],
    ] as const) {
      const calls = [
        [updateProject, { id: project.id, name: 'Renamed', status: 'on-hold', description: null }],
        [
          addProjectMembers,
          { id: project.id, userIds: [world.people.client.userId, world.people.lead.userId] },
        ],
        [handOverProject, { id: project.id, userId: world.people.lead.userId }],
      ] as const;
      for (const [operation, input] of calls) {
        const before = await readAllContents();
        const answer = await runForm(getPerson().token, operation, input);
        expect([operation.name, answer.status]).toEqual([operation.name, may ? 200 : 403]);
        if (!may) expect(await readAllContents()).toEqual(before);
      }
      if (!may) continue;
      expect(await getProject(project.id)).toMatchObject({
        name: 'Renamed',
        status: 'on-hold',
        owner: { id: world.people.lead.userId },
      });
    }
  });

  it('gets 404 for every change to a project in another workspace', async () => {
    const elsewhere = await createWorld({ cell: 0 });
    const before = await readAllContents();
    for (const [operation, input] of [
      [getProjectSettings, {}],
      [updateProject, { name: 'X' }],
      [addProjectMembers, { userIds: [getPerson().userId] }],
      [removeProjectMember, { userId: elsewhere.people.member.userId }],
      [handOverProject, { userId: getPerson().userId }],
    ] as const) {
      const found = await runForm(getPerson().token, operation, {
        id: elsewhere.projects.joined.id,
        ...input,
      });
      const missing = await runForm(getPerson().token, operation, { id: 999_999_999, ...input });
      expect([found.status, missing.status]).toEqual([404, 404]);
      expect(JSON.stringify(found.body).replace(`${elsewhere.projects.joined.id}`, '999999999')).toBe(
        JSON.stringify(missing.body),
      );
    }
    expect(await readAllContents()).toEqual(before);
  });
});

it('updating a project with its current values writes nothing', async () => {
  const { lead } = world.people;
  const { id } = await insertProject(world, { owner: lead });
  expect((await runForm(lead.token, updateProject, { id, name: 'First' })).status).toBe(200);
  const same = await runForm(lead.token, updateProject, { id, name: 'First' });
  expect([same.status, same.rowsWritten]).toEqual([200, 0]);
});

it('parallel changes to different fields of a project are all kept, but only one of two parallel ownership transfers succeeds', async () => {
  const { lead, owner, admin, member } = world.people;
  const { id } = await insertProject(world, { owner: lead });
  await Promise.all([
    runForm(lead.token, updateProject, { id, name: 'Both' }),
    runForm(owner.token, updateProject, { id, status: 'completed' }),
    runForm(admin.token, addProjectMembers, { id, userIds: [member.userId] }),
    runForm(owner.token, addProjectMembers, { id, userIds: [member.userId, admin.userId] }),
  ]);
  expect(await getProject(id)).toMatchObject({ name: 'Both', status: 'completed', memberCount: 3 });
  const handed = await Promise.all([
    runForm(lead.token, handOverProject, { id, userId: member.userId }),
    runForm(lead.token, handOverProject, { id, userId: admin.userId }),
  ]);
  expect(handed.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(await findInconsistencies()).toEqual([]);
});

it("a project can't have members from other workspaces, a client as its owner, or no owner", async () => {
  const { lead, client } = world.people;
  const { id } = await insertProject(world, { owner: lead, members: [client] });
  const stranger = (await createWorld()).people.member;
  const before = await readAllContents();
  const rejected = [
    await runForm(lead.token, addProjectMembers, { id, userIds: [stranger.userId] }),
    await runForm(lead.token, handOverProject, { id, userId: stranger.userId }),
    await runForm(lead.token, handOverProject, { id, userId: client.userId }),
    await runForm(lead.token, removeProjectMember, { id, userId: lead.userId }),
    await runForm(lead.token, updateProject, { id, name: '  ' }),
    await runForm(lead.token, updateProject, { id, status: 'paused' }),
    await runForm(lead.token, addProjectMembers, { id, userIds: [] }),
  ];
  expect(rejected.map(({ status }) => status)).toEqual(rejected.map(() => 400));
  expect((await runForm(lead.token, removeProjectMember, { id, userId: stranger.userId })).status).toBe(404);
  expect(await readAllContents()).toEqual(before);
});

it('a client who is removed from a project sees only their assigned tasks in it', async () => {
  const { lead, client } = world.people;
  const { id } = await insertProject(world, { owner: lead, members: [client] });
  const followed = await createTask(client, id, { name: 'Theirs' });
  const assigned = await createTask(lead, id, { assigneeId: client.userId });
  expect((await runForm(lead.token, removeProjectMember, { id, userId: client.userId })).status).toBe(200);
  const mine = api(client.token);
  expect((await mine.get(`/projects/${id}`)).status).toBe(404);
  expect((await mine.get(`/tasks/${followed.id}`)).status).toBe(404);
  expect((await mine.get(`/tasks/${assigned.id}`)).status).toBe(200);
  const listed = (await mine.get(`/tasks?projectId=${id}`)).body;
  expect([listed.meta.total, listed.data.map((task: { id: number }) => task.id)]).toEqual([1, [assigned.id]]);
  expect(await findInconsistencies()).toEqual([]);
});

it('a workspace has at most 2,000 projects, even if several are created at the same time', async () => {
  const full = await createWorld();
  const { results } = await getCell(full.cell)
    .prepare('SELECT count(*) AS n FROM projects WHERE ws = ?')
    .bind(full.no)
    .all<{ n: number }>();
  await getCell(full.cell)
    .prepare(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO projects (ws, name, owner, created_at) SELECT ?1, 'Old', ?3, 1 FROM n`)
    .bind(full.no, 1_998 - (results[0]?.n ?? 0), full.people.owner.member)
    .run();
  const createProjectAsOwner = () => runForm(full.people.owner.token, createProject, { name: 'One more' });
  const made = await Promise.all([
    createProjectAsOwner(),
    createProjectAsOwner(),
    createProjectAsOwner(),
    createProjectAsOwner(),
  ]);
  expect(made.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400]);
  const rejected = await createProjectAsOwner();
  expect([rejected.status, rejected.body.error.message]).toEqual([
    400,
    'A workspace can have up to 2000 projects. Ask an owner or admin to delete a finished project.',
  ]);
});
