// This file is long because the demo is created in order, and each step needs the ids from earlier steps. It uses the
// same operations as requests, so that counters, search, followers, activities and notifications are the same as after
// real use. scripts/seed.ts runs this Worker.
import { env as bound } from 'cloudflare:workers';
import { guardCaller } from '../src/accounts/credentials/credentials.queries.ts';
import { loadSessionCaller } from '../src/accounts/credentials/load-caller.ts';
import { hashPassword } from '../src/accounts/passwords/passwords.ts';
import { parseEnv } from '../src/env.ts';
import type { Caller } from '../src/kernel/access/access.ts';
import { execute } from '../src/kernel/execute/execute.ts';
import { exampleUserId } from '../src/kernel/operation/examples.ts';
import type { AnyOperation } from '../src/kernel/operation/operation.ts';
import { createRequestScope } from '../src/kernel/operation/request-scope.ts';
import { createId } from '../src/kernel/secrets/tokens.ts';
import { markAllNotificationsRead } from '../src/notifications/inbox/notifications.ts';
import { createApiKey } from '../src/oauth/connected-apps/connected-apps.ts';
import { addComment } from '../src/tasks/comments/comments.ts';
import { insertTaskFlow } from '../src/tasks/counters/task-flow.queries.ts';
import { archiveTask, createTask, updateTask } from '../src/tasks/operations/tasks.ts';
import { addMember, createWorkspace, type Person } from '../src/workspaces/directory/provision.ts';
import {
  contoso,
  type DemoPerson,
  type DemoProject,
  type Discipline,
  people as names,
  northwind,
  remarks,
  teams,
} from './demo-content.ts';
import { buildExampleTaskEvents } from './seed-example.ts';
import { buildStructureEvents } from './seed-structure.ts';
import { addWorkingDay, buildMeetingEvents, type Event } from './seed-working-day.ts';

export { WorkspaceHub } from '../src/events/hub/workspace-hub.ts';
export { UploadSession } from '../src/files/uploads/upload-session.ts';
// wrangler.toml binds these classes, so this Worker also has to export them.
export { RateWindow } from '../src/kernel/rate-limit/rate-window.ts';
export { ErrorLog } from '../src/kernel/telemetry/error-log.ts';
export { DatabaseKeeper } from '../src/upkeep/keeper/database-keeper.ts';

const PASSWORD = 'demo-password-1';
const CELL = 0;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HISTORY_DAYS = 75;

const env = bound as unknown as Env;
/** The first request sets this, because a Worker has no clock before that. */
let today = 0;
const random = createSeededRandom(20_260_302);

async function seed() {
  const accounts = await createAccounts();
  const studio = await openWorkspace('Northwind Studio', 'pro', accounts, {
    owner: 'owner',
    admin: 'admin',
    lead: 'lead',
    member: 'member',
    client: 'client',
  });
  await addTeams(studio);
  const labs = await openWorkspace('Contoso Labs', 'free', accounts, { outsider: 'owner', owner: 'member' });
  const tools = { today, runOperation, toWeekday, createScope };
  const work = await addProjects(studio, northwind);
  const day = { ...studio, projectIds: work.ids };
  const contosoWork = await addProjects(labs, contoso);
  await runEvents(studio, [
    ...buildExampleTaskEvents(studio, tools),
    ...work.events,
    ...buildMeetingEvents(day, tools),
    ...buildStructureEvents(day, tools, env.CELL_0),
  ]);
  // Runs after the studio's events, so that the studio gets the lowest ids, which the examples in the reference use.
  await runEvents(labs, contosoWork.events);
  await addWorkingDay(day, tools, env.CELL_0);
  return studio;
}

interface Workspace {
  readonly no: number;
  readonly callers: ReadonlyMap<DemoPerson, Caller>;
  readonly categories: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, number>;
}

function toEmail(person: DemoPerson): string {
  return `${person}@demo.test`;
}

function createScope(now: number) {
  const waitUntil = () => undefined;
  return createRequestScope({ env, config: parseEnv(env), origin: 'http://localhost', waitUntil, now });
}

async function createAccounts(): Promise<ReadonlyMap<DemoPerson, Person>> {
  const accounts = new Map<DemoPerson, Person>();
  for (const [key, name] of Object.entries(names) as [DemoPerson, string][]) {
    const id = key === 'owner' ? exampleUserId : createId('usr');
    const person = { id, email: toEmail(key), name, image: null };
    await env.DIRECTORY.prepare(
      'INSERT INTO users (id, email, email_key, name, password_hash, verified_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
      .bind(person.id, person.email, person.email, name, await hashPassword(PASSWORD), today, today)
      .run();
    accounts.set(key, person);
  }
  return accounts;
}

async function openWorkspace(
  name: string,
  plan: 'pro' | 'free',
  accounts: ReadonlyMap<DemoPerson, Person>,
  roles: Partial<Record<DemoPerson, Caller['role']>>,
): Promise<Workspace> {
  // People join the second workspace later, so that signing in opens the first one.
  const scope = createScope(plan === 'pro' ? today - HISTORY_DAYS * DAY_MS : today - DAY_MS);
  const [[founder], ...others] = Object.entries(roles) as [
    [DemoPerson, Caller['role']],
    ...[DemoPerson, Caller['role']][],
  ];
  const account = (person: DemoPerson) => requireValue(accounts.get(person), person);
  const { workspace_id: workspaceId } = await createWorkspace(scope, account(founder), {
    name,
    plan,
    cell: CELL,
    withStarterProject: false,
  });
  for (const [person, role] of others) await addMember(scope, workspaceId, account(person), role);

  const callers = new Map<DemoPerson, Caller>();
  for (const person of Object.keys(roles) as DemoPerson[]) {
    const { id } = account(person);
    const session = { hash: id, expiresAt: today + DAY_MS, signedInAt: today };
    callers.set(
      person,
      await loadSessionCaller(createScope(today), { userId: id, workspaceId, cell: CELL }, session),
    );
  }
  const no = requireValue(callers.get(founder), founder).workspace;
  return {
    no,
    callers,
    categories: await readIdsByKey('task_categories', no),
    types: await readIdsByKey('task_types', no),
  };
}

async function readIdsByKey(table: 'task_categories' | 'task_types', no: number) {
  const { results } = await env.CELL_0.prepare(`SELECT key, id FROM ${table} WHERE ws = ?`)
    .bind(no)
    .all<{ key: string; id: number }>();
  return new Map(results.map(({ key, id }) => [key, id]));
}

async function addTeams({ no, callers }: Workspace) {
  const ids = new Map<string, number>();
  for (const { name, parent, people } of teams) {
    const created = await env.CELL_0.prepare(
      'INSERT INTO teams (ws, name, parent) VALUES (?, ?, ?) RETURNING id',
    )
      .bind(no, name, parent === null ? null : (ids.get(parent) ?? null))
      .first<number>('id');
    const team = requireValue(created, name);
    ids.set(name, team);
    for (const [person, role] of Object.entries(people) as [DemoPerson, string][]) {
      await env.CELL_0.prepare('INSERT INTO team_members (team, member, role) VALUES (?, ?, ?)')
        .bind(team, requireValue(callers.get(person), person).member, role)
        .run();
    }
  }
}

/** Runs events in chronological order. At the start of each day, stores the day's counts as the cron job does. */
async function runEvents({ no }: Workspace, events: readonly Event[]) {
  const toDayNumber = (at: number) => Math.floor(at / DAY_MS);
  const keep = async (day: number) => {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    await createScope(today)
      .cell(CELL)
      .batch(insertTaskFlow([no], date));
  };
  let day: number | null = null;
  for (const event of events.toSorted((a, b) => a.at - b.at)) {
    day ??= toDayNumber(event.at);
    while (day < toDayNumber(event.at)) await keep(++day);
    await event.run(event.at);
  }
  if (day !== null) while (day < toDayNumber(today)) await keep(++day);
}

async function addProjects(workspace: Workspace, projects: readonly DemoProject[]) {
  const events: Event[] = [];
  const ids = new Map<string, number>();
  for (const project of projects) {
    const id = await createProject(workspace, project);
    ids.set(project.name, id);
    project.tasks.forEach((_task, index) => {
      events.push(...buildTaskEvents(workspace, project, id, index));
    });
  }
  for (const caller of workspace.callers.values()) {
    events.push({
      at: today - 3 * DAY_MS,
      run: (at) => runOperation(caller, markAllNotificationsRead, {}, at),
    });
  }
  return { ids, events };
}

async function createProject({ no, callers }: Workspace, project: DemoProject): Promise<number> {
  const memberNo = (person: DemoPerson) => requireValue(callers.get(person), person).member;
  const created = await env.CELL_0.prepare(
    'INSERT INTO projects (ws, name, description, status, owner, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
  )
    .bind(
      no,
      project.name,
      project.description,
      project.status,
      memberNo(project.owner),
      chooseWorkTime(HISTORY_DAYS),
    )
    .first<number>('id');
  const id = requireValue(created, project.name);
  for (const person of [project.owner, ...project.members]) {
    await env.CELL_0.prepare('INSERT INTO project_members (project, member) VALUES (?, ?)')
      .bind(id, memberNo(person))
      .run();
  }
  return id;
}

const categoryByDiscipline: Readonly<Record<Discipline, string>> = {
  design: 'design',
  development: 'development',
  content: 'copywriting',
  management: 'project-management',
};

function chooseType(discipline: Discipline, tags: readonly string[]): string | null {
  if (discipline === 'development') return tags.includes('bug') ? 'bug-fix' : 'feature';
  if (discipline === 'design') return tags.includes('ux') ? 'wireframe' : 'visual-design';
  if (discipline === 'management') return tags.includes('reporting') ? 'report' : 'planning';
  return null;
}

/** Tasks further down the list start later. */
function buildTaskEvents(
  workspace: Workspace,
  project: DemoProject,
  projectId: number,
  index: number,
): Event[] {
  const [name, tagText, discipline] = requireValue(project.tasks[index], 'task');
  const tags = tagText.split(' ');
  const position = index / project.tasks.length;
  const crew = [project.owner, ...project.members].map((person) =>
    requireValue(workspace.callers.get(person), person),
  );
  const [creator, assignee] = [pick(crew), random() < 0.12 ? null : pick(crew)];
  const ageDays = Math.max(1, Math.round(HISTORY_DAYS * (1 - position) ** 1.2 + random() * 4 - 2));
  const dueInDays = Math.round(position * 62 - 34 + random() * 10);
  const status = chooseStatus(dueInDays);
  const isArchived = status === 'completed' && dueInDays < -20 && random() < 0.6;
  let id = 0;

  const input = {
    projectId,
    name,
    tags,
    status: 'todo',
    priority: random() < 0.2 ? 'high' : random() < 0.3 ? 'low' : 'medium',
    categoryId: workspace.categories.get(categoryByDiscipline[discipline]) ?? null,
    typeId: workspace.types.get(chooseType(discipline, tags) ?? '') ?? null,
    ...(random() < 0.7 ? { description: `<p>${pick(project.brief)}</p>` } : {}),
    ...(assignee ? { assigneeId: assignee.userId } : {}),
    ...(random() < 0.85 ? { deadline: toWeekday(dueInDays) } : {}),
    ...(random() < 0.4 ? { startDate: toWeekday(dueInDays - 7) } : {}),
    ...(random() < 0.3 ? { customEstimatedHours: String(Math.ceil(random() * 16) / 2) } : {}),
  };
  const create = async (at: number) => {
    const created = (await runOperation(creator, createTask, input, at)) as { id: number };
    id = created.id;
  };

  const startedAt = chooseWorkTime(ageDays);
  const steps: ((at: number) => Promise<unknown>)[] = [];
  const worker = assignee ?? creator;
  const say = (caller: Caller) => (at: number) =>
    runOperation(caller, addComment, { id, content: pick(remarks) }, at);
  const move = (to: string) => (at: number) => runOperation(worker, updateTask, { id, status: to }, at);
  if (random() < 0.35) steps.push(say(pick(crew)));
  if (status !== 'todo') steps.push(move('in_progress'));
  if (random() < 0.4) steps.push(say(worker));
  if (random() < 0.06) for (let line = 0; line < 12; line += 1) steps.push(say(pick(crew)));
  if (status !== 'todo' && status !== 'in_progress') steps.push(move(status));
  if (status.endsWith('_review') && random() < 0.6) steps.push(say(pick(crew)));
  if (isArchived) steps.push((at) => runOperation(creator, archiveTask, { id }, at));

  const spacing = (today - startedAt) / (steps.length + 1);
  const pace = isArchived ? spacing : spacing * (0.4 + random() * 0.6);
  return [
    { at: startedAt, run: create },
    ...steps.map((run, step) => ({ at: Math.round(startedAt + pace * (step + 1)), run })),
  ];
}

function chooseStatus(dueInDays: number) {
  const chance = random();
  if (dueInDays < -8) return chance < 0.86 ? 'completed' : chance < 0.94 ? 'client_review' : 'in_progress';
  if (dueInDays < 0) return chance < 0.6 ? 'completed' : chance < 0.85 ? 'client_review' : 'in_progress';
  if (dueInDays < 8)
    return chance < 0.15
      ? 'completed'
      : chance < 0.4
        ? 'internal_review'
        : chance < 0.8
          ? 'in_progress'
          : 'todo';
  return chance < 0.12 ? 'in_progress' : 'todo';
}

async function runOperation(
  caller: Caller,
  operation: AnyOperation,
  input: unknown,
  at: number,
): Promise<unknown> {
  const request = createScope(Math.min(at, today));
  const { output } = await execute(operation, {
    request,
    authenticator: {
      resolve: async () => caller,
      forget: () => {
        throw new Error(`The membership of ${caller.email} changed while the demo was seeded`);
      },
      guard: () => guardCaller(caller, request.now),
    },
    input: () => input,
    cell: () => request.cell(CELL),
  });
  return output;
}

function chooseWorkTime(daysAgo: number): number {
  const midnight = Date.parse(toWeekday(-daysAgo));
  return Math.min(midnight + 8 * HOUR_MS + Math.floor(random() * 9 * HOUR_MS), today - HOUR_MS);
}

/** Adds days to today's date. Replaces a date on a weekend with the nearest weekday. */
function toWeekday(daysFromToday: number): string {
  const date = new Date(today + daysFromToday * DAY_MS);
  const shift = date.getUTCDay() === 6 ? -1 : date.getUTCDay() === 0 ? 1 : 0;
  return new Date(date.getTime() + shift * DAY_MS).toISOString().slice(0, 10);
}

function pick<T>(choices: readonly T[]): T {
  return requireValue(choices[Math.floor(random() * choices.length)], 'a choice');
}

function requireValue<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`The demo has no ${what}`);
  return value;
}

/** Uses Mulberry32, which creates the same demo on every machine. */
function createSeededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Creates the demo, and returns an API key for its owner. */
export default {
  async fetch() {
    today = Date.now();
    const studio = await seed();
    const owner = requireValue(studio.callers.get('owner'), 'owner');
    return Response.json(await runOperation(owner, createApiKey, { name: 'Demo' }, today));
  },
} satisfies ExportedHandler<Env>;
