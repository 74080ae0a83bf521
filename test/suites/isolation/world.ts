// This file is long because its objects are related to one another and to every actor.

import { scopes } from '../../../src/kernel/access/access.ts';
import { grantToken } from '../../contract/requests.ts';
import { insertExport } from '../../exports/prepare-export.ts';
import { presignAndUpload } from '../../files/attachments/presigning.ts';
import { createBytes, initUpload, openFilledSession } from '../../files/uploads/uploading.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
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

/** The names of the objects contain this word, so that messages that reveal a name are detected. */
export const SECRET_WORD = 'Zyzzyva';
/** The deadline of the tasks and the date of the meetings. */
export const DEADLINE = '2026-03-04';
const homeRelations = ['owned', 'joined', 'creator', 'follower', 'assignee', 'none'] as const;

/** The ids of objects that all have the same relation to one actor. */
export interface ObjectSet {
  readonly relation: Relation;
  readonly project: number;
  readonly task: number;
  readonly meeting: number;
  /** The meeting's task for the actor if the relation is `creator`, and otherwise the meeting's task for the host. */
  readonly meetingTask: number;
  readonly comment: number;
  /** A checklist item that a rule has added. */
  readonly line?: number;
  readonly subtask?: number;
  readonly related?: number;
  readonly taskRelation?: number;
  readonly taskFile: number;
  readonly projectFile: number;
  /** A presigned upload that can be confirmed. */
  readonly s3Key: string;
  readonly belongings: Belongings;
}

/** Personal data of the actor if the relation is `owned`. Otherwise, data of someone else. */
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
  readonly export: number;
  readonly open: string;
  readonly filled: string;
  readonly aborted: string;
}

export interface Caller {
  readonly actor: Actor;
  readonly person: Person;
  /** The membership that the credentials belong to. */
  readonly bound: Person;
  readonly objectSets: readonly ObjectSet[];
  readonly apiKey: string;
  oauth(granted: readonly string[]): Promise<string>;
}

export interface IsolationWorld {
  readonly home: HomeWorkspace;
  readonly host: Person;
  /** The host's objects. No actor has a relation to them. */
  readonly hostObjects: ObjectSet;
  readonly foreign: ObjectSet;
  readonly callers: readonly Caller[];
}

type HomeWorkspace = Workspace<'host'>;
type ProvisionContext = Pick<HomeWorkspace, 'id' | 'no' | 'cell' | 'categories'>;

const callerRoles: readonly RoleName[] = ['owner', 'admin', 'lead', 'member', 'client'];

/**
 * Creates two workspaces, `home` and `abroad`. Adds a person with each role to `home`, and a set of objects for each
 * `Relation` that the person can have to them. A host who is in all projects creates most objects. Also adds a visitor:
 * an owner in `home`, with objects there, whose credentials belong to `abroad`.
 */
export async function createIsolationWorld(): Promise<IsolationWorld> {
  const home = await createWorkspace({ members: { host: 'owner' }, name: `${SECRET_WORD} home` });
  const abroad = await createWorkspace({ members: { boss: 'owner' }, name: `${SECRET_WORD} abroad` });
  const { host } = home.people;
  const { boss } = abroad.people;
  const foreign = await createObjects(abroad, boss, 'foreign');
  const ofBoss = await createBelongings(abroad, boss, foreign.task);
  const hostObjects = await createObjects(home, host, 'none');
  const ofHost = await createBelongings(home, host, hostObjects.task);

  const callers: Caller[] = [];
  for (const role of callerRoles) {
    const person = await addPerson(home, role, role);
    const actor = { name: role, role, isBoundHere: true };
    callers.push(await createCaller(actor, person, { home, host, ofHost, boundTo: home, bound: person }));
  }
  const visitor = await addPerson(home, 'visitor', 'owner');
  const bound = await addMember(abroad, visitor, 'owner');
  const actor = { name: 'visitor', role: 'owner', isBoundHere: false } as const;
  callers.push(await createCaller(actor, visitor, { home, host, ofHost, boundTo: abroad, bound }));
  return {
    home,
    host,
    hostObjects: { ...hostObjects, belongings: ofHost },
    foreign: { ...foreign, belongings: ofBoss },
    callers,
  };
}

interface CallerContext {
  home: HomeWorkspace;
  host: Person;
  ofHost: Belongings;
  boundTo: ProvisionContext;
  bound: Person;
}

async function createCaller(actor: Actor, person: Person, context: CallerContext): Promise<Caller> {
  const { home, host, ofHost, boundTo, bound } = context;
  const objectSets: Omit<ObjectSet, 'belongings'>[] = [];
  for (const relation of homeRelations) objectSets.push(await createObjects(home, host, relation, person));
  const joined = objectSets.find((each) => each.relation === 'joined');
  const own = await createBelongings(home, person, joined?.task ?? 0);
  const app = actor.isBoundHere ? own.app : await createApp(boundTo, bound);
  const granted = new Map<string, Promise<string>>();
  return {
    actor,
    person,
    bound,
    objectSets: objectSets.map((each) => ({
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

async function createObjects(
  workspace: ProvisionContext,
  host: Person,
  relation: Relation,
  actor?: Person,
): Promise<Omit<ObjectSet, 'belongings'>> {
  const isInside = relation === 'joined' || relation === 'creator';
  const project = await createProject(workspace, {
    name: `${SECRET_WORD} project`,
    owner: relation === 'owned' && actor ? actor : host,
    members: relation === 'owned' ? [host] : isInside && actor ? [actor] : [],
  });
  const maker = relation === 'creator' && actor ? actor : host;
  const isAssigned = (relation === 'assignee' || relation === 'follower') && actor;
  const task = await createTask(maker, project.id, {
    name: `${SECRET_WORD} task`,
    deadline: DEADLINE,
    ...(isAssigned && { assigneeId: actor.userId }),
  });
  // Former assignees remain followers. A client becomes the second assignee instead.
  if (relation === 'follower' && actor) {
    const assigned = isSecondAssignee(relation, actor)
      ? { assigneeIds: [host.userId, actor.userId] }
      : { assigneeId: null };
    await api(host.token).patch(`/tasks/${task.id}`, assigned);
  }
  const remark = await api(host.token).post(`/tasks/${task.id}/comments`, {
    content: `${SECRET_WORD} remark`,
  });
  const meeting = await createMeeting(maker, project.id, { name: `${SECRET_WORD} meeting`, date: DEADLINE });
  const objects = {
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
    await getCell(workspace.cell)
      .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
      .bind(project.id, actor.member)
      .run();
  }
  return objects;
}

export async function insertFile(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  uploader: Person,
  { task = null, project = null }: { task?: number | null; project?: number | null },
): Promise<number> {
  const id = await getCell(cell)
    .prepare(`
      INSERT INTO attachments (ws, task, project, file_name, file_type, file_size, s3_key, object_key, etag, uploaded_by, created_at)
      VALUES (?1, ?2, ?3, ?4, 'text/plain', 5, ?5, ?5, 'x', ?6, ?7) RETURNING id`)
    .bind(
      no,
      task,
      project,
      `${SECRET_WORD}.txt`,
      `${cell}/${crypto.randomUUID()}`,
      uploader.member,
      Date.now(),
    )
    .first<number>('id');
  return Number(id);
}

/** @param task a task that the person can see, for upload sessions and time entries. */
async function createBelongings(
  workspace: ProvisionContext,
  person: Person,
  task: number,
): Promise<Belongings> {
  const startUpload = async () =>
    (await initUpload(person, { taskId: task, fileSize: 5 })).body.sessionId as string;
  return {
    userId: person.userId,
    workspaceId: workspace.id,
    category: workspace.categories[0].id,
    type: workspace.categories[0].typeId,
    notification: await insertNotification(workspace, person),
    app: await createApp(workspace, person),
    webhook: await insertWebhook(workspace, person, `${SECRET_WORD} webhook`),
    timeEntry: await insertTimeEntry(workspace, person, task),
    template: await insertTemplate(workspace, person),
    import: await insertImport(workspace, person, task),
    export: await insertExport(workspace, person, { status: 'completed' }),
    open: await startUpload(),
    filled: await openFilledSession(person, { taskId: task }, createBytes(5)),
    aborted: await startUpload(),
  };
}

async function insertImport(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  { member }: Pick<Person, 'member'>,
  task: number,
): Promise<number> {
  const key = `${cell}/${crypto.randomUUID()}`;
  const stored = await env.FILES.put(key, `ID,Task\n1,${SECRET_WORD}`);
  const report = { columns: [], values: [], moreValues: 0, notes: [], moreNotes: 0, missing: [], sample: [] };
  const id = await getCell(cell)
    .prepare(
      `INSERT INTO imports (ws, project, member, via, attachment, file_name, object_key, etag, source, options, report,
        status, total, existing, created_at)
      SELECT ?, project, ?, 'session', 1, ?, ?, ?, 'csv', '{}', ?, 'ready', 1, 0, ? FROM tasks WHERE id = ? RETURNING id`,
    )
    .bind(no, member, `${SECRET_WORD}.csv`, key, stored?.etag ?? '', JSON.stringify(report), Date.now(), task)
    .first<number>('id');
  return Number(id);
}

async function insertTemplate(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  { member }: Pick<Person, 'member'>,
): Promise<number> {
  const content = JSON.stringify({ tasks: [], nextTask: 1, relations: [], project: null });
  const id = await getCell(cell)
    .prepare(
      `INSERT INTO templates (ws, kind, name, content, creator, created_at) VALUES (?, 'task', ?, ?, ?, ?) RETURNING id`,
    )
    .bind(no, `${SECRET_WORD} template`, content, member, Date.now())
    .first<number>('id');
  return Number(id);
}

export async function insertTimeEntry(
  { no, cell }: Pick<ProvisionContext, 'no' | 'cell'>,
  { member }: Pick<Person, 'member'>,
  task: number,
): Promise<number> {
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  const id = await getCell(cell)
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
  const db = getCell(cell);
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
  await createApiKey(person, `${SECRET_WORD} key`);
  const id = await getCell(cell)
    .prepare('SELECT max(id) AS id FROM credentials WHERE member = ?')
    .bind(person.member)
    .first<number>('id');
  return Number(id);
}

export function listScopesWithout(...without: readonly string[]): string[] {
  return scopes.filter((each) => !without.includes(each));
}
