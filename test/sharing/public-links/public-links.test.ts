import { beforeAll, describe, expect, it } from 'vitest';
import { deleteProject } from '../../../src/projects/deletion/delete-project.ts';
import { updateProject } from '../../../src/projects/operations/change-projects.ts';
import { LINKS_MAX } from '../../../src/sharing/public-links/public-links.schema.ts';
import {
  createPublicLink,
  listPublicLinks,
  revokePublicLink,
  updatePublicLink,
} from '../../../src/sharing/public-links/public-links.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { createLink, requireForm, visit } from '../share.ts';

let world: World;
let people: World['people'];

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  ({ people } = world);
});

const projectId = () => world.projects.joined.id;
const list = async (person: Person, target: Record<string, unknown>) =>
  (await requireForm(person, listPublicLinks, target)).data;

describe('people who manage a project', () => {
  it('create, list, change and revoke its public links', async () => {
    const created = await createLink(people.lead, { projectId: projectId() });
    expect(created).toMatchObject({
      address: expect.stringMatching(/^https:\/\/edgework\.test\/shared\/1-[\w-]{32}$/),
      showsNames: false,
      expiresOn: null,
      hasExpired: false,
      createdBy: { name: people.lead.name },
      lastUsedAt: null,
    });
    await requireForm(people.owner, updatePublicLink, {
      id: created.id,
      showsNames: true,
      expiresOn: '2999-01-01',
    });
    const [changed] = await list(people.admin, { projectId: projectId() });
    expect(changed).toMatchObject({ id: created.id, showsNames: true, expiresOn: '2999-01-01' });
    await requireForm(people.lead, revokePublicLink, { id: created.id });
    expect(await list(people.lead, { projectId: projectId() })).toEqual([]);
  });

  it.each(['member', 'client'] as const)("a %s can't, and nothing is written", async (role) => {
    const { id } = await createLink(people.lead, { projectId: projectId() });
    const before = await list(people.lead, { projectId: projectId() });
    const { token } = people[role];
    expect((await runForm(token, createPublicLink, { projectId: projectId() })).status).toBe(403);
    expect((await runForm(token, listPublicLinks, { projectId: projectId() })).status).toBe(403);
    expect((await runForm(token, updatePublicLink, { id, showsNames: true })).status).toBe(403);
    expect((await runForm(token, revokePublicLink, { id })).status).toBe(403);
    expect(await list(people.lead, { projectId: projectId() })).toEqual(before);
  });

  it("can't use another project's or another workspace's links", async () => {
    const other = await createLink(people.owner, { projectId: world.projects.other.id });
    expect((await runForm(people.lead.token, revokePublicLink, { id: other.id })).status).toBe(403);
    const stranger = (await createWorld({ cell: 1 })).people.owner;
    for (const operation of [revokePublicLink, updatePublicLink]) {
      expect((await runForm(stranger.token, operation, { id: other.id })).status).toBe(404);
    }
    expect((await runForm(stranger.token, createPublicLink, { projectId: projectId() })).status).toBe(404);
    expect((await visit(other.address)).status).toBe(200);
  });

  it(`can create up to ${LINKS_MAX} links per project, with a last day that isn't in the past`, async () => {
    const project = await createProject(world, { name: 'Many links', owner: people.lead });
    for (let count = 0; count < LINKS_MAX; count += 1) {
      await requireForm(people.lead, createPublicLink, { projectId: project.id });
    }
    const full = await runForm(people.lead.token, createPublicLink, { projectId: project.id });
    expect(full).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('Revoke one') } },
    });
    expect(await list(people.lead, { projectId: project.id })).toHaveLength(LINKS_MAX);
    const late = await runForm(people.lead.token, createPublicLink, {
      projectId: projectId(),
      expiresOn: '2020-01-01',
    });
    expect(late.status).toBe(400);
  });

  it('find each creation, change and revocation in the audit log', async () => {
    const { id } = await createLink(people.lead, { projectId: projectId() }, { showsNames: true });
    await requireForm(people.lead, updatePublicLink, { id, showsNames: false });
    await requireForm(people.lead, revokePublicLink, { id });
    const { data } = (await api(people.owner.token).get('/audit?limit=3')).body;
    expect(data.map(({ type, details }: { type: string; details: object }) => [type, details])).toEqual([
      ['public_link.revoked', {}],
      ['public_link.updated', { names: 'false' }],
      ['public_link.created', { target: 'project', names: 'true' }],
    ]);
    expect(data[0]).toMatchObject({ actor: { id: people.lead.userId }, subject: { name: 'Joined' } });
  });
});

describe("a link's secret", () => {
  it('is stored only as a hash, and works only if it is complete and unchanged', async () => {
    const { address } = await createLink(people.lead, { projectId: projectId() });
    const secret = address.split('/').at(-1) ?? '';
    const { results } = await getCell(1).prepare('SELECT * FROM public_links').all();
    expect(JSON.stringify(results)).not.toContain(secret.slice(2));
    const forged = [
      `${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`,
      address.replace('/1-', '/0-'),
      address.replace('/1-', '/77-'),
      `${address}x`,
      address.slice(0, -1),
      `${address}/tasks/0`,
      `${address}/tasks/x`,
    ];
    for (const each of forged) expect([each, (await visit(each)).status]).toEqual([each, 404]);
    const wrong = await visit(forged[0] as string);
    expect(wrong.headers.get('X-Cost')).toMatch(/trips=1\b.*rows_read=0\b/);
  });
});

describe('a link stops working with the next request', () => {
  const open = async (address: string) => (await visit(address)).status;

  async function expectToEnd(address: string, end: () => Promise<unknown>) {
    const task = `${address}/tasks/1`;
    expect(await open(address)).toBe(200);
    await end();
    expect([await open(address), await open(task)]).toEqual([404, 404]);
  }

  it('after it is revoked', async () => {
    const { id, address } = await createLink(people.lead, { projectId: projectId() });
    await expectToEnd(address, () => requireForm(people.lead, revokePublicLink, { id }));
  });

  it('after its last day, in the time zone of the workspace', async () => {
    const { id, address } = await createLink(people.lead, { projectId: projectId() });
    const expire = () =>
      getCell(1).prepare("UPDATE public_links SET expires_on = '2020-01-01' WHERE id = ?").bind(id).run();
    await expectToEnd(address, expire);
    const links = await list(people.lead, { projectId: projectId() });
    expect(links.find((link: { id: number }) => link.id === id)).toMatchObject({ hasExpired: true });
  });

  it('while its project has ended, and works again when the project is reopened', async () => {
    const project = await createProject(world, { name: 'Ends', owner: people.lead });
    const { address } = await createLink(people.lead, { projectId: project.id });
    const setStatus = (status: string) => requireForm(people.lead, updateProject, { id: project.id, status });
    for (const status of ['completed', 'cancelled']) {
      await expectToEnd(address, () => setStatus(status));
      const refused = await runForm(people.lead.token, createPublicLink, { projectId: project.id });
      expect(refused.status).toBe(400);
      await setStatus('active');
    }
    expect(await open(address)).toBe(200);
  });

  it('after its project is deleted', async () => {
    const project = await createProject(world, { name: 'Goes', owner: people.lead });
    await createTask(people.lead, project.id);
    const { address } = await createLink(people.lead, { projectId: project.id });
    await expectToEnd(address, () =>
      requireForm(people.owner, deleteProject, { id: project.id, name: 'Goes' }),
    );
    const left = await getCell(1)
      .prepare('SELECT count(*) AS n FROM public_links WHERE project = ?')
      .bind(project.id)
      .first('n');
    expect(left).toBe(0);
  });

  it('as soon as the deletion of its workspace begins', async () => {
    const other = await createWorld({ cell: 1 });
    const { address } = await createLink(other.people.lead, { projectId: other.projects.joined.id });
    await expectToEnd(address, () =>
      getCell(1)
        .prepare('INSERT INTO workspace_deletions (ws, created_at) VALUES (?, 0)')
        .bind(other.no)
        .run(),
    );
  });

  it('but not when its creator leaves, because it belongs to the project', async () => {
    const other = await createWorld({ cell: 1 });
    const { address } = await createLink(other.people.admin, { projectId: other.projects.joined.id });
    expect(await open(address)).toBe(200);
    await getCell(1)
      .prepare('UPDATE members SET ended_at = 1 WHERE no = ?')
      .bind(other.people.admin.member)
      .run();
    expect(await open(address)).toBe(200);
    const { data } = await requireForm(other.people.owner, listPublicLinks, {
      projectId: other.projects.joined.id,
    });
    expect(data[0]).toMatchObject({ createdBy: { name: other.people.admin.name } });
  });
});
