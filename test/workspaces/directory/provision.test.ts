import { expect, it } from 'vitest';
import { createId } from '../../../src/kernel/secrets/tokens.ts';
import { addMember, createWorkspace, type Person } from '../../../src/workspaces/directory/provision.ts';
import { env, getCell } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';

const scope = openScope();

async function createPerson(): Promise<Person> {
  const id = createId('usr');
  const person = { id, email: `${id.slice(4)}@Example.com`, name: 'Ada', image: null };
  await env.DIRECTORY.prepare(
    'INSERT INTO users (id, email, email_key, name, created_at) VALUES (?, ?, ?, ?, 0)',
  )
    .bind(id, person.email, person.email.toLowerCase(), person.name)
    .run();
  return person;
}

function listMembers(userId: string, cell: number) {
  return getCell(cell)
    .prepare(
      'SELECT m.role, m.cells, m.email_key, w.id AS workspace FROM members m JOIN workspaces w ON w.no = m.ws WHERE m.user_id = ?',
    )
    .bind(userId)
    .all();
}

it("the list of a person's cells is stored in each of those cells", async () => {
  const [owner, guest] = [await createPerson(), await createPerson()];
  const first = await createWorkspace(scope, owner, { name: 'One', cell: 0, plan: 'pro' });
  const second = await createWorkspace(scope, guest, { name: 'Two', cell: 1 });
  await addMember(scope, first.workspace_id, guest, 'lead');
  await addMember(scope, first.workspace_id, guest, 'lead');
  const inFirst = (await listMembers(guest.id, 0)).results;
  const inSecond = (await listMembers(guest.id, 1)).results;
  expect(inFirst).toEqual([
    { role: 'lead', cells: '[0,1]', email_key: guest.email.toLowerCase(), workspace: first.workspace_id },
  ]);
  expect(inSecond).toMatchObject([{ role: 'owner', cells: '[0,1]', workspace: second.workspace_id }]);
  expect((await listMembers(owner.id, 0)).results).toMatchObject([{ cells: '[0]' }]);
});

it('creating a workspace again changes nothing, and never adds a second owner', async () => {
  const [owner, other] = [await createPerson(), await createPerson()];
  const id = createId('ws');
  await createWorkspace(scope, owner, { id, name: 'One', cell: 1 });
  const again = await createWorkspace(scope, other, { id, name: 'Mine now', cell: 0 });
  expect(again.cell).toBe(1);
  expect((await listMembers(other.id, 1)).results).toEqual([]);
  const found = await getCell(1)
    .prepare(
      `SELECT w.name, (SELECT count(*) FROM task_categories c WHERE c.ws = w.no) AS categories,
        (SELECT count(*) FROM task_types t WHERE t.ws = w.no) AS types,
        (SELECT count(*) FROM projects p JOIN project_members m ON m.project = p.id WHERE p.ws = w.no) AS memberships
       FROM workspaces w WHERE w.id = ?`,
    )
    .bind(id)
    .first();
  expect(found).toEqual({ name: 'One', categories: 5, types: 16, memberships: 1 });
});

it('a workspace is created without a starter project if none is requested', async () => {
  const owner = await createPerson();
  const { workspace_id: workspaceId, cell } = await createWorkspace(scope, owner, {
    name: 'Bare',
    withStarterProject: false,
  });
  const found = await getCell(cell)
    .prepare('SELECT count(*) AS n FROM projects p JOIN workspaces w ON w.no = p.ws WHERE w.id = ?')
    .bind(workspaceId)
    .first();
  expect(found).toEqual({ n: 0 });
});
