import { scopes } from '../../src/kernel/access.ts';
import { uploaded } from '../attachments/presigning.ts';
import { grantToken } from '../contract/requests.ts';
import { api } from '../support/api.ts';
import { cellOf } from '../support/env.ts';
import {
  addPerson,
  createApiKey,
  createMeeting,
  createProject,
  createTask,
  createWorkspace,
  join,
  type Person,
  type Workspace,
} from '../support/world.ts';
import { filledSession, init, someBytes } from '../uploads/uploading.ts';
import type { Actor, Relation, RoleName } from './oracle.ts';

/** Stands in every name that somebody typed, so that an error text which tells one is caught. */
export const SECRET = 'Zyzzyva';
/** The day on which every task is due. */
export const DAY = '2026-03-04';
export const homeRelations = ['owned', 'joined', 'creator', 'follower', 'assignee', 'none'] as const;

/** What stands in one relation to one actor. */
export interface Place {
  readonly relation: Relation;
  readonly project: number;
  readonly task: number;
  readonly meeting: number;
  readonly comment: number;
  readonly taskFile: number;
  readonly projectFile: number;
  /** Uploaded and ready to confirm. */
  readonly s3Key: string;
}

export interface Sessions {
  readonly open: string;
  readonly filled: string;
  readonly aborted: string;
}

export interface Cast {
  readonly actor: Actor;
  readonly person: Person;
  readonly places: readonly Place[];
  readonly sessions: Sessions;
  /** Credentials by kind; all of them act for the person. */
  readonly session: string;
  readonly apiKey: string;
  oauth(granted: readonly string[]): Promise<string>;
}

export interface Stage {
  readonly home: Workspace<'host'>;
  readonly foreign: Workspace<'boss'>;
  readonly host: Person;
  readonly abroad: Place;
  readonly cast: readonly Cast[];
}

const rolesOnStage: readonly RoleName[] = ['owner', 'admin', 'lead', 'member', 'client'];

/**
 * One actor a role, each with an object in every relation, made by a host who is in everything; and a visitor: an owner
 * of this workspace, with objects as well, whose credentials are bound to the other one.
 */
export async function setStage(): Promise<Stage> {
  const home = await createWorkspace({ members: { host: 'owner' }, name: `${SECRET} home` });
  const foreign = await createWorkspace({ members: { boss: 'owner' }, name: `${SECRET} abroad` });
  const { host } = home.people;
  const abroad = await createPlace(home, foreign, foreign.people.boss, 'foreign');
  const cast: Cast[] = [];
  for (const role of rolesOnStage) {
    const person = await addPerson(home, role, role);
    cast.push(await introduce({ name: role, role, isBoundHere: true }, person, { home, host, bound: home, person }));
  }
  const visitor = await addPerson(home, 'visitor', 'owner');
  const guest = await join(foreign, visitor, 'owner');
  const actor = { name: 'visitor', role: 'owner', isBoundHere: false } as const;
  cast.push(await introduce(actor, visitor, { home, host, bound: foreign, person: guest }));
  return { home, foreign, host, abroad, cast };
}

interface Binding {
  home: Workspace<'host'>;
  host: Person;
  /** The workspace that the credentials are for, and the membership there. */
  bound: Pick<Workspace, 'id' | 'no' | 'cell'>;
  person: Person;
}

async function introduce(actor: Actor, person: Person, { home, host, bound, person: there }: Binding): Promise<Cast> {
  const places: Place[] = [];
  for (const relation of homeRelations) places.push(await createPlace(home, home, host, relation, person));
  const own = places.find((each) => each.relation === 'joined')?.task ?? 0;
  const started = async () => (await init(person, { taskId: own, fileSize: 5 })).body.sessionId as string;
  const granted = new Map<string, Promise<string>>();
  return {
    actor,
    person,
    places,
    sessions: {
      open: await started(),
      filled: await filledSession(person, { taskId: own }, someBytes(5)),
      aborted: await started(),
    },
    session: there.token,
    apiKey: await createApiKey(there),
    oauth(list) {
      const key = list.join(' ');
      const token = granted.get(key) ?? grantToken(bound, there, list);
      granted.set(key, token);
      return token;
    },
  };
}

async function createPlace(
  _home: Workspace<'host'>,
  workspace: Pick<Workspace, 'no' | 'cell'>,
  host: Person,
  relation: Relation,
  actor?: Person,
): Promise<Place> {
  const isInside = relation === 'owned' || relation === 'joined' || relation === 'creator';
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
  // Whoever was assigned once goes on following.
  if (relation === 'follower') await api(host.token).patch(`/tasks/${task.id}`, { assigneeId: null });
  const remark = await api(host.token).post(`/tasks/${task.id}/comments`, { content: `${SECRET} remark` });
  const meeting = await createMeeting(maker, project.id, { name: `${SECRET} meeting`, date: DAY });
  const s3Key = await uploaded(maker, task.id);
  const place = {
    relation,
    project: project.id,
    task: task.id,
    meeting: meeting.id,
    comment: remark.body.id as number,
    taskFile: await insertFile(workspace, host, { task: task.id }),
    projectFile: await insertFile(workspace, host, { project: project.id }),
    s3Key,
  };
  if (relation === 'creator' && actor) {
    await cellOf(workspace.cell)
      .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
      .bind(project.id, actor.member)
      .run();
  }
  return place;
}

async function insertFile(
  { no, cell }: Pick<Workspace, 'no' | 'cell'>,
  uploader: Person,
  { task = null, project = null }: { task?: number | null; project?: number | null },
): Promise<number> {
  const id = await cellOf(cell)
    .prepare(`
      INSERT INTO attachments (ws, task, project, file_name, file_type, file_size, s3_key, etag, uploaded_by, created_at)
      VALUES (?, ?, ?, ?, 'text/plain', 5, ?, 'x', ?, ?) RETURNING id`)
    .bind(no, task, project, `${SECRET}.txt`, `${cell}/${crypto.randomUUID()}`, uploader.member, Date.now())
    .first<number>('id');
  return Number(id);
}

/** Every scope but these. */
export function scopesWithout(scope: string): string[] {
  return scopes.filter((each) => each !== scope);
}
