import { scopes } from '../../../src/kernel/access/access.ts';
import { tryToCopyMembershipToDirectory } from '../../../src/workspaces/directory/copy-memberships.ts';
import { endMembership } from '../../../src/workspaces/directory/memberships.queries.ts';
import { grantToken } from '../../contract/requests.ts';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { openFilledSession } from '../../files/uploads/uploading.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';
import {
  addMember,
  createApiKey,
  createMeeting,
  createProject,
  createTask,
  createTeam,
  createWorld,
  type Person,
  type World,
} from '../../support/world.ts';

export async function endMembershipInBothDatabases(
  world: Pick<World, 'id' | 'cell'>,
  person: Person,
): Promise<void> {
  const scope = openScope();
  await scope.cell(world.cell).batch(endMembership(world.id, person.userId, scope.now));
  await tryToCopyMembershipToDirectory(scope, world.cell, world.id, person.userId);
}

/** A workspace with a person who has used many of its features, and who is also a member of another workspace. */
export interface LeaverWorld {
  readonly world: World;
  readonly elsewhere: World;
  readonly leaver: Person;
  readonly there: Person;
  readonly key: string;
  readonly oauth: string;
  readonly team: number;
  readonly own: { id: number; name: string };
  readonly created: number;
  readonly assigned: number;
  readonly file: number;
  readonly projectFile: number;
  readonly meeting: number;
  readonly attended: number;
}

export async function createLeaverWorld(): Promise<LeaverWorld> {
  const world = await createWorld({ cell: 0 });
  const elsewhere = await createWorld({ cell: 1 });
  const { lead, owner, member: leaver } = world.people;
  const { joined } = world.projects;
  const there = await addMember(elsewhere, leaver, 'admin');
  const own = await createProject(world, { name: 'Own', owner: leaver, members: [lead] });
  const team = await createTeam(world, { lead, members: [leaver, owner] });
  const created = await createTask(leaver, joined.id, { name: 'By the leaver', deadline: '2026-03-04' });
  const assigned = await createTask(lead, joined.id, {
    name: 'For the leaver',
    assigneeId: leaver.userId,
    deadline: '2026-03-05',
    customEstimatedHours: '3',
  });
  await createTask(leaver, own.id, { name: 'In their project' });
  for (const { id } of [created, assigned]) {
    await api(leaver.token).post(`/tasks/${id}/comments`, { content: 'By the leaver' });
    await api(lead.token).post(`/tasks/${id}/comments`, { content: 'By the lead' });
    await api(leaver.token).patch(`/tasks/${id}`, { priority: 'high' });
  }
  const s3Key = await presignAndUpload(leaver, created.id);
  const file = await confirmUpload(leaver, created.id, { s3Key });
  const session = await openFilledSession(leaver, { projectId: own.id });
  const filed = await api(leaver.token).post(`/chunked-upload/complete/${session}`);
  const meeting = await createMeeting(leaver, joined.id, { participantIds: [leaver.userId, lead.userId] });
  const attended = await createMeeting(lead, joined.id, {
    date: '2026-03-02',
    time: '09:00',
    recurrence: 'FREQ=WEEKLY',
    participantIds: [lead.userId, leaver.userId],
  });
  await api(leaver.token).post('/timer/start', { taskId: created.id });
  return {
    world,
    elsewhere,
    leaver,
    there,
    key: await createApiKey(leaver),
    oauth: await grantToken(world, leaver, scopes),
    team,
    own,
    created: created.id,
    assigned: assigned.id,
    file: file.body.id,
    projectFile: filed.body.id,
    meeting: meeting.id,
    attended: attended.id,
  };
}

/** Lists API paths that other people can request, including those that show something about the leaver. */
export function listPaths({
  world,
  own,
  created,
  assigned,
  file,
  projectFile,
  meeting,
  attended,
  leaver,
}: LeaverWorld): string[] {
  const joined = world.projects.joined.id;
  const listTaskPaths = (id: number) => [
    `/tasks/${id}`,
    `/tasks/${id}/comments`,
    `/tasks/${id}/activities`,
    `/tasks/${id}/attachments`,
  ];
  return [
    ...[
      '/me',
      '/users',
      '/teams',
      '/workspaces',
      '/connected-apps',
      '/notifications',
      '/notifications/count',
    ],
    ...[
      '/tasks?scope=all',
      '/tasks?scope=mine',
      '/tasks?scope=all&expand=comments',
      '/tasks?scope=all&search=leaver',
    ],
    ...[`/tasks?scope=all&assigneeId=${leaver.userId}`, `/tasks?projectId=${own.id}`],
    ...[...listTaskPaths(created), ...listTaskPaths(assigned)],
    ...['/projects?scope=all', '/projects?scope=all&expand=members', `/projects/${own.id}`],
    ...[`/projects/${joined}`, `/projects/${joined}?expand=members`, `/projects/${joined}/members`],
    ...[`/projects/${own.id}/members`, `/projects/${own.id}/attachments`],
    ...['/meetings', `/meetings/${meeting}`, `/meetings/${attended}`],
    ...['/timer/current', '/timer/entries', '/timer/stats', '/task-categories', '/task-types'],
    ...['/custom-fields'],
    ...['/task-statuses', '/project-statuses', '/project-statuses/1', '/task-statuses/1'],
    ...[`/task-categories/${world.categories[0].id}`, `/task-types/${world.categories[0].typeId}`],
    ...[`/users/${world.people.lead.userId}`],
    ...['/dashboard/stats', '/dashboard/tasks', '/dashboard/tasks?sort=created', '/dashboard/comments'],
    ...[`/dashboard/tasks?assigneeId=${leaver.userId}`, `/dashboard/stats?assigneeId=${leaver.userId}`],
    ...['/dashboard/workload?from=2026-03-01&to=2026-03-31'],
    ...[
      `/tasks/${created}/attachments/${file}/download`,
      `/projects/${own.id}/attachments/${projectFile}/download`,
    ],
  ];
}

export async function readRows({ world, leaver }: Pick<LeaverWorld, 'world' | 'leaver'>) {
  const kept = await getCell(world.cell)
    .prepare('SELECT no, role, version, ended_at, is_settled FROM members WHERE ws = ? AND user_id = ?')
    .bind(world.no, leaver.userId)
    .first<{ no: number; role: string; version: number; ended_at: number | null; is_settled: number }>();
  const copied = await env.DIRECTORY.prepare(
    'SELECT ended_at FROM memberships WHERE user_id = ? AND workspace_id = ?',
  )
    .bind(leaver.userId, world.id)
    .first<{ ended_at: number | null }>();
  if (!kept || !copied) throw new Error('the membership is not there any more');
  return { kept, copied };
}
