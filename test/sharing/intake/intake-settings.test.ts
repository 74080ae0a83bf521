import { beforeAll, describe, expect, it } from 'vitest';
import {
  createIntakeForm,
  deleteIntakeForm,
  getIntakeForm,
  updateIntakeForm,
} from '../../../src/sharing/intake/intake-forms.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createProject, createWorld, type Person, type World } from '../../support/world.ts';
import { createForm, requireForm } from '../share.ts';

let world: World;
let people: World['people'];

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  ({ people } = world);
});

const createProjectWithForm = async (settings: Record<string, unknown> = {}) => {
  const project = await createProject(world, {
    name: 'Requests',
    owner: people.lead,
    members: [people.member],
  });
  await createForm(people.lead, project.id, settings);
  return { project };
};
describe('people who manage a project', () => {
  it('turn on, change and turn off its intake form, with an audit entry each', async () => {
    const { project } = await createProjectWithForm({ tag: 'Intake' });
    await requireForm(people.lead, updateIntakeForm, { projectId: project.id, greeting: 'Hi', tag: null });
    const { form } = await requireForm(people.owner, getIntakeForm, { projectId: project.id });
    expect(form).toMatchObject({
      address: expect.stringMatching(/\/intake\/1-[\w-]{32}$/),
      greeting: 'Hi',
      tag: null,
      assigneeId: null,
      lastUsedAt: null,
    });
    await requireForm(people.admin, deleteIntakeForm, { projectId: project.id });
    const { data } = (await api(people.owner.token).get('/audit?limit=3')).body;
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      'intake_form.deleted',
      'intake_form.updated',
      'intake_form.created',
    ]);
    const { results } = await getCell(1).prepare('SELECT * FROM intake_forms').all();
    expect(JSON.stringify(results)).not.toContain(form.address.split('/').at(-1)?.slice(2));
  });

  it("others can't, and can't learn its address", async () => {
    const { project } = await createProjectWithForm();
    const stranger = (await createWorld({ cell: 1 })).people.owner;
    const operations = [getIntakeForm, createIntakeForm, updateIntakeForm, deleteIntakeForm];
    for (const operation of operations) {
      const attempt = (person: Person) => runForm(person.token, operation, { projectId: project.id });
      expect((await attempt(people.member)).status).toBe(403);
      expect((await attempt(people.client)).status).toBe(404);
      expect((await attempt(stranger)).status).toBe(404);
    }
    expect((await requireForm(people.lead, getIntakeForm, { projectId: project.id })).form).not.toBeNull();
  });

  it('can assign only members of the project', async () => {
    const { project } = await createProjectWithForm();
    const set = (assigneeId: string) =>
      runForm(people.lead.token, updateIntakeForm, { projectId: project.id, assigneeId });
    expect((await set(people.admin.userId)).status).toBe(404);
    expect((await set('usr_none')).status).toBe(404);
    expect((await set(people.member.userId)).status).toBe(200);
  });
});
