// This file is long because one world contains an object for every relation.
import { scopes } from '../../../src/kernel/access/access.ts';
import { grantToken } from '../../contract/requests.ts';
import { presignAndUpload } from '../../files/attachments/presigning.ts';
import { createBytes, initUpload, openFilledSession } from '../../files/uploads/uploading.ts';
import { api } from '../../support/api.ts';
import { cellOf, env } from '../../support/env.ts';
import {
  addMember,
  addPerson,
  createApiKey,
  createMeeting,
  createProject,
  createTask,
  createWorkspace,
  type Person,
  type Workspace,
} from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import type { Actor, Relation, RoleName } from './oracle.ts';

/** All names in the test data contain this word, which detects error messages that reveal a name. */
export const SECRET = 'Zyzzyva';
/** All tasks are due on this day. */
export const DAY = '2026-03-04';
const homeRelations = ['owned', 'joined', 'creator', 'follower', 'assignee', 'none'] as const;

/** The ids of objects that all have the same relation to one actor. */
export interface Place {
  readonly relation: Relation;
  readonly project: number;
  readonly task: number;
  readonly meeting: number;
  /** The meeting's task of the actor if the relation is `creator`, or else the task of the host. */
  readonly meetingTask: number;
  readonly comment: number;
  /** A checklist item that a rule has added. */
  readonly line?: number;
  /** A subtask that a rule has added. */
  readonly subtask?: number;
  readonly related?: number;
  readonly taskRelation?: number;
  readonly taskFile: number;
  readonly projectFile: number;
  /** An upload that is complete and can be confirmed. */
  readonly s3Key: string;
  readonly belongings: Belongings;
}

/** Personal data of the actor if the relation is `owned`, or else of someone else. */
interface Belongings {
  readonly userId: string;
  readonly workspaceId: string;
  readonly category: number;
  readonly type: number;
  readonly notification: number;
  readonly app: number;
  readonly webhook: number;
  readonly timeEntry: number;
  readonly template: number;
  readonly import: number;
  readonly open: string;
  readonly filled: string;
  readonly aborted: string;
}

export interface Cast {
  readonly actor: Actor;
  readonly person: Person;
  /** The membership to which the credentials belong. */
  readonly bound: Person;
  readonly places: readonly Place[];
  readonly apiKey: string;
  oauth(granted: readonly string[]): Promise<string>;
}

export interface Stage {
  readonly home: Home;
  readonly host: Person;
  /** Objects of the host, which have no relation to any actor. */
  readonly ground: Place;
  readonly foreign: Place;
  readonly cast: readonly Cast[];
}

type Home = Workspace<'host'>;
type ProvisionContext = Pick<Home, 'id' | 'no' | 'cell' | 'categories'>;

const rolesOnStage: readonly RoleName[] = ['owner', 'admin', 'lead', 'member', 'client'];

/**
 * Creates an actor for each role, each with an object in every relation. A host who is in all projects creates the
 * objects. Also creates a visitor: an owner of this workspace with objects in it, whose credentials belong to the other
 * workspace.
 */
export async function createStage(): Promise<Stage> {
  const home = await createWorkspace({ members: { host: 'owner' }, name: `${SECRET} home` });
  const abroad = await createWorkspace({ members: { boss: 'owner' }, name: `${SECRET} abroad` });
  const { host } = home.people;
  const { boss } = abroad.people;
  const foreign = await createPlace(abroad, boss, 'foreign');
  const ofBoss = await createBelongings(abroad, boss, foreign.task);
  const ground = await createPlace(home, host, 'none');
  const ofHost = await createBelongings(home, host, ground.task);

  const cast: Cast[] = [];
  for (const role of rolesOnStage) {
    const person = await addPerson(home, role, role);
    const actor = { name: role, role, isBoundHere: true };
    cast.push(await createCast(actor, person, { home, host, ofHost, boundTo: home, bound: person }));
  }
  const visitor = await addPerson(home, 'visitor', 'owner');
  const bound = await addMember(abroad, visitor, 'owner');
  const actor = { name: 'visitor', role: 'owner', isBoundHere: false } as const;
  cast.push(await createCast(actor, visitor, { home, host, ofHost, boundTo: abroad, bound }));
  return {
    home,
    host,
    ground: { ...ground, belongings: ofHost },
    foreign: { ...foreign, belongings: ofBoss },
    cast,
  };
}

interface CastContext {
  home: Home;
  host: Person;
  ofHost: Belongings;
  boundTo: ProvisionContext;
  bound: Person;
}

async function createCast(actor: Actor, person: Person, casting: CastContext): Promise<Cast> {
  const { home, host, ofHost, boundTo, bound } = casting;
  const places: Omit<Place, 'belongings'>[] = [];
  for (const relation of homeRelations) places.push(await createPlace(home, host, relation, person));
  const joined = places.find((each) => each.relation === 'joined');
  const own = await createBelongings(home, person, joined?.task ?? 0);
  const app = actor.isBoundHere ? own.app : await createApp(boundTo, bound);
  const granted = new Map<string, Promise<string>>();
  return {
    actor,
    person,
    bound,
    places: places.map((each) => ({
      ...each,
      belongings: each.relation === 'owned' ? { ...own, app } : ofHost,
    })),
    apiKey: await createApiKey(bound),
    oauth(list) {
      const key = list.join(' ');
      const token = granted.get(key) ?? grantToken(boundTo, bound, list);
      granted.set(key, token);
      return token;
    },
  };
}

export const isSecondAssignee = (relation: Relation, actor: Person) =>
  relation === 'follower' && actor.role === 'client';

async function createPlace(
  workspace: ProvisionContext,
  host: Person,
  relation: Relation,
  actor?: Person,
): Promise<Omit<Place, 'belongings'>> {
  const isInside = relation === 'joined' || relation === 'creator';
  const project = await createProject(workspace, {
    name: `${SECRET} project`,
    owner: relation === 'owned' && actor ? actor : host,
    members: relation === 'owned' ? [host] : isInside && actor ? [actor] : [],
  });
  const maker = relation === 'creator' && actor ? actor : host;
  const isAssigned = (relation === 'assignee' || relation === 'follower') && actor;
  const task = await createTask(maker, project.id, {
    name: `${SECRET} task`,
    deadline: DAY,
    ...(isAssigned && { assigneeId: actor.userId }),
  });
  // Former assignees remain followers. A client becomes the second assignee instead.
  if (relation === 'follower' && actor) {
    const assigned = isSecondAssignee(relation, actor)
      ? { assigneeIds: [host.userId, actor.userId] }
      : { assigneeId: null };
    await api(host.token).patch(`/tasks/${task.id}`, assigned);
  }
  const remark = await api(host.token).post(`/tasks/${task.id}/comments`, { content: `${SECRET} remark` });
  const meeting = await createMeeting(maker, project.id, { name: `${SECRET} meeting`, date: DAY });
  const place = {
    relation,
    project: project.id,
    task: task.id,
    meeting: meeting.id,
    meetingTask: (meeting.participants as { taskId: number }[])[0]?.taskId ?? 0,
    comment: remark.body.id as number,
    taskFile: await insertFile(workspace, host, { task: task.id }),
    projectFile: await insertFile(workspace, host, { project: project.id }),
    s3Key: await presignAndUpload(maker, task.id),
  };
  if (relation === 'creator' && actor) {
    await cellOf(workspace.cell)
      .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
      .bind(project.id, actor.member)
      .run();
  }
  return place;
}

export async function insertFile(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  uploader: Person,
  { task = null, project = null }: { task?: number | null; project?: number | null },
): Promise<number> {
  const id = await cellOf(cell)
    .prepare(`
      INSERT INTO attachments (ws, task, project, file_name, file_type, file_size, s3_key, object_key, etag, uploaded_by, created_at)
      VALUES (?1, ?2, ?3, ?4, 'text/plain', 5, ?5, ?5, 'x', ?6, ?7) RETURNING id`)
    .bind(no, task, project, `${SECRET}.txt`, `${cell}/${crypto.randomUUID()}`, uploader.member, Date.now())
    .first<number>('id');
  return Number(id);
}

/** @param task a task that the person can see, for upload sessions and time entries. */
async function createBelongings(
  workspace: ProvisionContext,
  person: Person,
  task: number,
): Promise<Belongings> {
  const started = async () =>
    (await initUpload(person, { taskId: task, fileSize: 5 })).body.sessionId as string;
  return {
    userId: person.userId,
    workspaceId: workspace.id,
    category: workspace.categories[0].id,
    type: workspace.categories[0].typeId,
    notification: await insertNotification(workspace, person),
    app: await createApp(workspace, person),
    webhook: await insertWebhook(workspace, person, `${SECRET} webhook`),
    timeEntry: await insertTimeEntry(workspace, person, task),
    template: await insertTemplate(workspace, person),
    import: await insertImport(workspace, person, task),
    open: await started(),
    filled: await openFilledSession(person, { taskId: task }, createBytes(5)),
    aborted: await started(),
  };
}

/** Creates an import into the task's project, and returns its id. Its file has one row. */
async function insertImport(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  { member }: Pick<Person, 'member'>,
  task: number,
): Promise<number> {
  const key = `${cell}/${crypto.randomUUID()}`;
  const stored = await env.FILES.put(key, `ID,Task\n1,${SECRET}`);
  const report = { columns: [], values: [], moreValues: 0, notes: [], moreNotes: 0, missing: [], sample: [] };
  const id = await cellOf(cell)
    .prepare(
      `INSERT INTO imports (ws, project, member, via, attachment, file_name, object_key, etag, source, options, report,
        status, total, existing, created_at)
      SELECT ?, project, ?, 'session', 1, ?, ?, ?, 'csv', '{}', ?, 'ready', 1, 0, ? FROM tasks WHERE id = ? RETURNING id`,
    )
    .bind(no, member, `${SECRET}.csv`, key, stored?.etag ?? '', JSON.stringify(report), Date.now(), task)
    .first<number>('id');
  return Number(id);
}

async function insertTemplate(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  { member }: Pick<Person, 'member'>,
): Promise<number> {
  const content = JSON.stringify({ tasks: [], nextTask: 1, relations: [], project: null });
  const id = await cellOf(cell)
    .prepare(
      `INSERT INTO templates (ws, kind, name, content, creator, created_at) VALUES (?, 'task', ?, ?, ?, ?) RETURNING id`,
    )
    .bind(no, `${SECRET} template`, content, member, Date.now())
    .first<number>('id');
  return Number(id);
}

export async function insertTimeEntry(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  { member }: Pick<Person, 'member'>,
  task: number,
): Promise<number> {
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  const id = await cellOf(cell)
    .prepare(
      'INSERT INTO time_entries (ws, member, task, started_at, ended_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
    )
    .bind(no, member, task, start, start + 3_600_000)
    .first<number>('id');
  return Number(id);
}

export async function insertNotification(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  person: Person,
): Promise<number> {
  const db = cellOf(cell);
  await db.batch([
    db
      .prepare(
        "INSERT INTO notifications (user_id, ws, type, created_at) VALUES (?, ?, 'meeting_cancelled', ?)",
      )
      .bind(person.userId, no, Date.now()),
    db
      .prepare(`
        INSERT INTO notification_counts (user_id, total, unread) VALUES (?, 1, 1)
        ON CONFLICT (user_id) DO UPDATE SET total = total + 1, unread = unread + 1`)
      .bind(person.userId),
  ]);
  return (await api(person.token).get('/notifications?limit=1')).body.data[0].id;
}

async function createApp({ cell }: Pick<ProvisionContext, 'cell'>, person: Person): Promise<number> {
  await createApiKey(person, `${SECRET} key`);
  const id = await cellOf(cell)
    .prepare('SELECT max(id) AS id FROM credentials WHERE member = ?')
    .bind(person.member)
    .first<number>('id');
  return Number(id);
}

export function listScopesWithout(...without: readonly string[]): string[] {
  return scopes.filter((each) => !without.includes(each));
}
