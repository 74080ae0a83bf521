// This file is long because the functions that create people, workspaces and projects share the code that numbers rows.
import { signSessionToken } from '../../src/accounts/credentials/session-token.ts';
import type { Plan } from '../../src/kernel/access/access.ts';
import type { Role } from '../../src/kernel/access/roles.ts';
import { createId } from '../../src/kernel/secrets/tokens.ts';
import { api, ORIGIN } from './api.ts';
import { env, getCell } from './env.ts';

export interface Person {
  readonly userId: string;
  /** The number of the membership in the cell. */
  readonly member: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** A session token for the workspace. */
  readonly token: string;
}

export interface Project {
  readonly id: number;
  readonly name: string;
}

interface Category {
  readonly id: number;
  readonly typeId: number;
}

type StandardName = 'owner' | 'admin' | 'lead' | 'member' | 'client';

export interface Workspace<Name extends string = StandardName> {
  readonly id: string;
  /** The number of the workspace in its cell. */
  readonly no: number;
  readonly cell: 0 | 1;
  readonly plan: Plan;
  readonly people: Readonly<Record<Name, Person>>;
  /** There are two categories, so that tests can use a type of another category. */
  readonly categories: readonly [Category, Category];
}

/** A workspace with one person for each role, and the two projects that most tests need. */
export interface World extends Workspace {
  readonly projects: {
    /** The lead owns this project. The member and the client have joined it. */
    readonly joined: Project;
    /** The owner owns this project. Only the admin has joined it. */
    readonly other: Project;
  };
}

interface WorkspaceOptions<Name extends string> {
  cell?: 0 | 1;
  plan?: Plan;
  name?: string;
  members?: Readonly<Record<Name, Role>>;
}

const standardMembers: Record<StandardName, Role> = {
  owner: 'owner',
  admin: 'admin',
  lead: 'lead',
  member: 'member',
  client: 'client',
};

// Numbers of different kinds never overlap, so a statement that confuses two kinds finds nothing.
const nextNumbers = { workspace: 1e6, member: 2e7, project: 3e8, category: 4e9, team: 5e10 };
// Leaves room for the rows that a test creates through the app.
const NUMBER_STEP = 1_000;
const takeNumber = (kind: keyof typeof nextNumbers): number => {
  nextNumbers[kind] += NUMBER_STEP;
  return nextNumbers[kind];
};

export async function createWorld(options: { cell?: 0 | 1; plan?: Plan } = {}): Promise<World> {
  const workspace = await createWorkspace({ ...options, members: standardMembers });
  const { owner, admin, lead, member, client } = workspace.people;
  return {
    ...workspace,
    projects: {
      joined: await createProject(workspace, { name: 'Joined', owner: lead, members: [member, client] }),
      other: await createProject(workspace, { name: 'Other', owner, members: [admin] }),
    },
  };
}

export async function createWorkspace<Name extends string = StandardName>(
  options: WorkspaceOptions<Name> = {},
): Promise<Workspace<Name>> {
  const { cell = 0, plan = 'pro' } = options;
  const members = options.members ?? (standardMembers as Record<string, Role> as Record<Name, Role>);
  const id = createId('ws');
  const no = takeNumber('workspace');
  const name = options.name ?? `Workspace ${no}`;
  const db = getCell(cell);

  await env.DIRECTORY.prepare('INSERT INTO workspaces (id, cell, created_at) VALUES (?, ?, ?)')
    .bind(id, cell, Date.now())
    .run();
  const categories = [takeNumber('category'), takeNumber('category')];
  const types = [takeNumber('category'), takeNumber('category')];
  const insertCategory =
    'INSERT INTO task_categories (id, ws, key, value, default_estimated_hours) VALUES (?, ?, ?, ?, ?)';
  const insertType = 'INSERT INTO task_types (id, ws, category, key, value) VALUES (?, ?, ?, ?, ?)';
  await db.batch([
    db
      .prepare('INSERT INTO workspaces (no, id, name, plan, created_at) VALUES (?, ?, ?, ?, ?)')
      .bind(no, id, name, plan, Date.now()),
    db.prepare(insertCategory).bind(categories[0], no, 'design', 'Design', 2),
    db.prepare(insertCategory).bind(categories[1], no, 'development', 'Development', null),
    db.prepare(insertType).bind(types[0], no, categories[0], 'layout', 'Layout'),
    db.prepare(insertType).bind(types[1], no, categories[1], 'feature', 'Feature'),
  ]);

  const entries = Object.entries(members) as [Name, Role][];
  const people = await addPeople(
    { id, no, cell },
    entries.map(([label, role]) => ({ label, role })),
  );
  return {
    id,
    no,
    cell,
    plan,
    people: Object.fromEntries(entries.map(([label], index) => [label, people[index]])) as Record<
      Name,
      Person
    >,
    categories: [
      { id: Number(categories[0]), typeId: Number(types[0]) },
      { id: Number(categories[1]), typeId: Number(types[1]) },
    ],
  };
}

type WorkspaceLocation = Pick<Workspace, 'id' | 'no' | 'cell'>;

const INSERT_MEMBER =
  'INSERT INTO members (no, ws, user_id, role, name, email, email_key, cells, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';

interface NewPerson {
  readonly label: string;
  readonly role: Role;
}

export async function addPerson(place: WorkspaceLocation, label: string, role: Role): Promise<Person> {
  const [person] = await addPeople(place, [{ label, role }]);
  return person as Person;
}

/** Creates several people with one round trip to each database. */
async function addPeople(
  { id, no, cell }: WorkspaceLocation,
  added: readonly NewPerson[],
): Promise<Person[]> {
  const people = added.map(({ label, role }) => {
    const userId = createId('usr');
    const email = `${label}.${userId.slice(-8)}@example.com`;
    const name = `${label.charAt(0).toUpperCase()}${label.slice(1)} Test`;
    return { userId, member: takeNumber('member'), name, email, role };
  });
  const now = Date.now();
  const db = getCell(cell);
  const insertUser = env.DIRECTORY.prepare(
    'INSERT INTO users (id, email, email_key, name, verified_at, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertMembership = env.DIRECTORY.prepare(
    'INSERT INTO memberships (user_id, workspace_id, joined_at) VALUES (?, ?, ?)',
  );
  await env.DIRECTORY.batch(
    people.flatMap(({ userId, email, name }) => [
      insertUser.bind(userId, email, email.toLowerCase(), name, now, now),
      insertMembership.bind(userId, id, now),
    ]),
  );
  const insert = db.prepare(INSERT_MEMBER);
  await db.batch(
    people.map(({ member, userId, role, name, email }) =>
      insert.bind(member, no, userId, role, name, email, email.toLowerCase(), JSON.stringify([cell]), now),
    ),
  );
  return Promise.all(
    people.map(async (person) => ({
      ...person,
      token: await createSessionToken({ id, cell }, person.userId),
    })),
  );
}

/** Adds an existing person to another workspace. */
export async function addMember(
  { id, no, cell }: WorkspaceLocation,
  { userId, name, email }: Pick<Person, 'userId' | 'name' | 'email'>,
  role: Role,
): Promise<Person> {
  const member = takeNumber('member');
  await env.DIRECTORY.prepare('INSERT INTO memberships (user_id, workspace_id, joined_at) VALUES (?, ?, ?)')
    .bind(userId, id, Date.now())
    .run();
  const { results } = await env.DIRECTORY.prepare(
    'SELECT DISTINCT w.cell AS cell FROM memberships m JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = ? ORDER BY w.cell',
  )
    .bind(userId)
    .all<{ cell: number }>();
  const cells = JSON.stringify(results.map((each) => each.cell));
  await getCell(cell)
    .prepare(INSERT_MEMBER)
    .bind(member, no, userId, role, name, email, email.toLowerCase(), cells, Date.now())
    .run();
  for (const db of [env.CELL_0, env.CELL_1]) {
    await db
      .prepare('UPDATE members SET cells = ? WHERE user_id = ? AND cells <> ?')
      .bind(cells, userId, cells)
      .run();
  }
  return { userId, member, name, email, role, token: await createSessionToken({ id, cell }, userId) };
}

/** @param now the time when the token was issued. A token from eight days ago has expired. */
export async function createSessionToken(
  { id, cell }: Pick<Workspace, 'id' | 'cell'>,
  userId: string,
  now = Date.now(),
): Promise<string> {
  const issuer = { secret: env.SESSION_SECRET, issuer: ORIGIN };
  return (await signSessionToken(issuer, { userId, workspaceId: id, cell }, now)).token;
}

export async function createProject(
  { no, cell }: Pick<Workspace, 'no' | 'cell'>,
  project: { owner: Person; members?: readonly Person[]; name?: string; status?: string },
): Promise<Project> {
  const id = takeNumber('project');
  const { owner, members = [], name = `Project ${id}`, status = 'active' } = project;
  const db = getCell(cell);
  const insertMember = db.prepare('INSERT INTO project_members (project, member) VALUES (?, ?)');
  await db.batch([
    db
      .prepare('INSERT INTO projects (id, ws, name, status, owner, created_at) VALUES (?, ?, ?, ?, ?, ?)')
      .bind(id, no, name, status, owner.member, Date.now()),
    ...[owner, ...members].map((each) => insertMember.bind(id, each.member)),
  ]);
  return { id, name };
}

export async function createTeam(
  { no, cell }: Pick<Workspace, 'no' | 'cell'>,
  team: { lead?: Person; members?: readonly Person[]; parent?: number; name?: string },
): Promise<number> {
  const id = takeNumber('team');
  const db = getCell(cell);
  const insertMember = db.prepare('INSERT INTO team_members (team, member, role) VALUES (?, ?, ?)');
  await db.batch([
    db
      .prepare('INSERT INTO teams (id, ws, name, parent) VALUES (?, ?, ?, ?)')
      .bind(id, no, team.name ?? `Team ${id}`, team.parent ?? null),
    ...(team.lead ? [insertMember.bind(id, team.lead.member, 'lead')] : []),
    ...(team.members ?? []).map((each) => insertMember.bind(id, each.member, 'member')),
  ]);
  return id;
}

export async function createTask(person: Person, projectId: number, fields: Record<string, unknown> = {}) {
  const answer = await api(person.token).post('/tasks', { projectId, name: 'A task', ...fields });
  if (answer.status !== 201) throw new Error(`POST /tasks returned ${answer.status}: ${answer.text}`);
  return answer.body as { id: number; name: string } & Record<string, unknown>;
}

/** The person is the meeting's only participant. */
export async function createMeeting(person: Person, projectId: number, fields: Record<string, unknown> = {}) {
  const answer = await api(person.token).post('/meetings', {
    projectId,
    name: 'A meeting',
    date: '2026-12-01',
    time: '10:00',
    participantIds: [person.userId],
    ...fields,
  });
  if (answer.status !== 201) throw new Error(`POST /meetings returned ${answer.status}: ${answer.text}`);
  return answer.body as { id: number } & Record<string, unknown>;
}

export async function createApiKey(person: Person, name = 'Test'): Promise<string> {
  const answer = await api(person.token).post('/connected-apps/api-keys', { name });
  if (answer.status !== 201)
    throw new Error(`POST /connected-apps/api-keys returned ${answer.status}: ${answer.text}`);
  return answer.body.key as string;
}
