// This file is long because it compares all responses before and after a person leaves.
import { beforeAll, describe, expect, it } from 'vitest';
import { copyMembershipsToDirectory } from '../../../src/workspaces/directory/copy-memberships.ts';
import { endMembership } from '../../../src/workspaces/directory/memberships.queries.ts';
import { addMember } from '../../../src/workspaces/directory/provision.ts';
import {
  buildRequestBody,
  buildRequestHeaders,
  fillPath,
  getRouteName,
  guardedRoutes,
} from '../../contract/requests.ts';
import { createOAuthToken, getToolResult } from '../../mcp/client.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { openScope } from '../../support/scope.ts';
import { createSessionToken, createTask, createWorld, type Person } from '../../support/world.ts';
import {
  createLeaverWorld,
  endMembershipInBothDatabases,
  type LeaverWorld,
  listPaths,
  readRows,
} from './leaver-world.ts';

let leaverWorld: LeaverWorld;
let allReaders: Person[];
let before: Map<string, unknown>;

const runMinuteJobs = () => runCron('* * * * *');

async function readAllResponses(): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const reader of allReaders) {
    for (const path of listPaths(leaverWorld)) {
      // Omits the signed URLs of files, which depend on the time.
      const { status, body } = await api(reader.token).get(path);
      found.set(`${reader.role} ${path}`, { status, body: path.endsWith('download') ? null : body });
    }
  }
  return found;
}

beforeAll(async () => {
  leaverWorld = await createLeaverWorld();
  const { owner, lead, admin } = leaverWorld.world.people;
  allReaders = [owner, admin, lead];
  before = await readAllResponses();
  await endMembershipInBothDatabases(leaverWorld.world, leaverWorld.leaver);
});

/** Fields that list current people. All other fields can still contain former members. */
const LISTS_OF_PRESENT_PEOPLE = new Set(['members', 'followers', 'participants', 'workloads']);

/** Removes the leaver from the lists of people in an earlier response. */
function removeLeaver(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const rest = LISTS_OF_PRESENT_PEOPLE.has(key) ? value.filter((each) => !isLeaver(each)) : value;
    return rest.map((each) => removeLeaver(each));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, removeLeaver(each, name)]);
  const all = Object.fromEntries(entries);
  // The leaver was in every project that has a member count.
  return 'memberCount' in all ? { ...all, memberCount: all.memberCount - 1 } : all;
}

function isLeaver(each: { id?: string; user?: { id: string } }): boolean {
  return (each.user?.id ?? each.id) === leaverWorld.leaver.userId;
}

/** Does the same as `removeLeaver`, and also handles responses that are themselves lists of people. */
function removeLeaverFromPage(path: string, body: unknown): unknown {
  if (!/^\/users$|^\/projects\/\d+\/members$/.test(path)) return removeLeaver(body);
  const { data, meta } = body as { data: { id: string }[]; meta: { total: number; limit: number } };
  const isWhole = path !== '/users';
  return {
    data: data.filter((each) => !isLeaver(each)),
    meta: { ...meta, total: meta.total - 1, ...(isWhole && { limit: meta.limit - 1 }) },
  };
}

describe('after a person leaves a workspace', () => {
  it('everyone else gets the same responses as before, except for lists of people', async () => {
    const after = await readAllResponses();
    let changed = 0;
    for (const [name, was] of before) {
      const { status, body } = was as { status: number; body: unknown };
      const expected = { status, body: removeLeaverFromPage(name.split(' ')[1] as string, body) };
      if (JSON.stringify(expected) !== JSON.stringify(was)) changed += 1;
      expect(after.get(name), name).toEqual(expected);
    }
    // Only the lists of people have changed: users, teams, members, participants, followers, workload.
    expect(changed).toBeGreaterThanOrEqual(10);
  });

  it("the person's profile returns 404, and they are rejected as an assignee or participant", async () => {
    const { world, leaver } = leaverWorld;
    const owner = api(world.people.owner.token);
    expect((await owner.get(`/users/${leaver.userId}`)).status).toBe(404);
    const joined = world.projects.joined.id;
    for (const answer of [
      await owner.post('/tasks', { projectId: joined, name: 'New', assigneeId: leaver.userId }),
      await owner.patch(`/tasks/${leaverWorld.created}`, { assigneeId: leaver.userId }),
      await api(world.people.lead.token).post('/meetings', {
        projectId: joined,
        name: 'New',
        date: '2026-12-01',
        time: '10:00',
        participantIds: [leaver.userId],
      }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    }
  });
});

it('tasks created by or assigned to a former member can still be changed', async () => {
  const { world, created, assigned, leaver } = leaverWorld;
  const owner = api(world.people.owner.token);
  for (const id of [created, assigned]) {
    const now = (await owner.get(`/tasks/${id}`)).body;
    const changed = await owner.patch(`/tasks/${id}`, {
      status: 'in_progress',
      assigneeId: now.assignee?.id,
    });
    expect(changed.body).toMatchObject({
      status: 'in_progress',
      createdBy: now.createdBy,
      assignee: now.assignee,
    });
    expect((await owner.post(`/tasks/${id}/comments`, { content: 'Still here' })).status).toBe(201);
    expect((await owner.post(`/tasks/${id}/archive`)).status).toBe(200);
    expect((await owner.post(`/tasks/${id}/unarchive`)).status).toBe(200);
  }
  const copy = await owner.post(`/tasks/${assigned}/duplicate`);
  expect([copy.status, copy.body.assignee]).toEqual([201, null]);
  const given = await owner.patch(`/tasks/${assigned}`, { assigneeId: world.people.lead.userId });
  expect(given.body.assignee.id).toBe(world.people.lead.userId);
  const back = await owner.patch(`/tasks/${assigned}`, { assigneeId: leaver.userId });
  expect(back.status).toBe(400);
  expect(await findCounterDrift(world)).toEqual([]);
});

it("a former member isn't notified of later events", async () => {
  const countRows = () =>
    getCell(0)
      .prepare('SELECT count(*) AS n FROM notifications WHERE user_id = ?')
      .bind(leaverWorld.leaver.userId)
      .first('n');
  const copied = await countRows();
  const owner = api(leaverWorld.world.people.owner.token);
  await owner.patch(`/tasks/${leaverWorld.created}`, { status: 'completed' });
  await owner.post(`/tasks/${leaverWorld.created}/comments`, { content: 'Unheard' });
  await owner.patch(`/meetings/${leaverWorld.attended}`, { location: 'Elsewhere' });
  expect(await countRows()).toBe(copied);
});

describe('a former member', () => {
  it('is rejected by every operation with every credential of the workspace, and writes nothing', async () => {
    for (const token of [leaverWorld.leaver.token, leaverWorld.key, leaverWorld.oauth]) {
      for (const route of guardedRoutes) {
        const answer = await api(token).call(
          route.method,
          fillPath(route),
          buildRequestBody(route),
          buildRequestHeaders(route),
        );
        expect([getRouteName(route), answer.status]).toEqual([getRouteName(route), 401]);
        expect(answer.cost.rowsWritten, getRouteName(route)).toBe(0);
      }
    }
  });

  it("keeps access to their other workspace, which doesn't reveal the one they left", async () => {
    const { there, world, elsewhere } = leaverWorld;
    const me = api(there.token);
    expect((await me.get('/tasks')).status).toBe(200);
    const listed = (await me.get('/workspaces')).body;
    expect([listed.meta.total, listed.data.map(({ id }: { id: string }) => id)]).toEqual([1, [elsewhere.id]]);
    expect((await me.post(`/workspaces/${world.id}/switch`)).status).toBe(404);
  });

  it("keeps their notifications, without the workspace's details", async () => {
    const mine = (await api(leaverWorld.there.token).get('/notifications')).body;
    expect(mine.data.length).toBeGreaterThan(2);
    for (const each of mine.data) {
      expect(each).toMatchObject({
        task: null,
        comment: null,
        project: null,
        workspace: { id: leaverWorld.world.id },
      });
    }
    expect(JSON.stringify(mine)).not.toContain('For the leaver');
  });

  it('has no running timer, and their keys are revoked', async () => {
    const { leaver, world } = leaverWorld;
    const db = getCell(world.cell);
    const open = await db
      .prepare('SELECT count(*) AS n FROM time_entries WHERE member = ? AND ended_at IS NULL')
      .bind(leaver.member)
      .first('n');
    const usable = await db
      .prepare('SELECT count(*) AS n FROM credentials WHERE member = ? AND revoked_at IS NULL')
      .bind(leaver.member)
      .first('n');
    expect([open, usable]).toEqual([0, 0]);
    expect(await findInconsistencies()).toEqual([]);
  });
});

it('a former member who is invited again gets the same membership back', async () => {
  const { leaver, world } = leaverWorld;
  const person = { id: leaver.userId, email: leaver.email, name: leaver.name, image: null };
  const { kept: ended } = await readRows(leaverWorld);
  await addMember(openScope(), world.id, person, 'lead');
  const { kept, copied } = await readRows(leaverWorld);
  expect([kept, copied]).toEqual([
    { no: ended.no, role: 'lead', version: kept.version, ended_at: null, is_settled: 1 },
    { ended_at: null },
  ]);
  expect(kept.version).toBeGreaterThan(ended.version);
  // Tokens from before the departure stay invalid.
  expect((await api(leaver.token).get('/me')).status).toBe(401);
  const again = await createSessionToken(world, leaver.userId, Date.now() + 1);
  const me = await api(again).get('/me');
  expect(me.body).toMatchObject({ id: leaver.userId, role: 'lead' });
  expect((await api(leaverWorld.key).get('/me')).status).toBe(401);
  const users = await api(world.people.owner.token).get('/users');
  expect(users.body.data.map(({ id }: { id: string }) => id)).toContain(leaver.userId);
  const mine = (await api(again).get('/notifications')).body;
  expect(mine.data.some((each: { task: unknown }) => each.task !== null)).toBe(true);
  // Adding an active member changes nothing.
  await addMember(openScope(), world.id, person, 'client');
  expect((await readRows(leaverWorld)).kept).toEqual(kept);
  expect(await findInconsistencies()).toEqual([]);
});

it('a former member can be found by id in MCP tools, but not by name', async () => {
  const world = await createWorld();
  const { lead, member } = world.people;
  await createTask(lead, world.projects.joined.id, { assigneeId: member.userId });
  await endMembershipInBothDatabases(world, member);
  const token = await createOAuthToken(world, lead);
  const byId = await getToolResult(token, 'find_tasks', { assignee: member.userId });
  expect(byId.structuredContent.data).toHaveLength(1);
  expect((await getToolResult(token, 'find_tasks', { assignee: member.name })).isError).toBe(true);
});

describe('a membership', () => {
  it('is repaired within a minute if a crash left it ended in only one of two databases', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const scope = openScope();
    await scope.cell(world.cell).batch(endMembership(world.id, member.userId, Date.now()));
    expect((await api(member.token).get('/me')).status).toBe(401);
    expect(await findInconsistencies()).toHaveLength(1);
    await runMinuteJobs();
    expect(await findInconsistencies()).toEqual([]);
    const { kept, copied } = await readRows({ world, leaver: member });
    expect([kept.is_settled, copied.ended_at]).toEqual([1, kept.ended_at]);
    expect(await copyMembershipsToDirectory(scope, world.cell, Date.now(), 100)).toEqual([]);
  });

  it('can be ended and restored with SQL statements, and ending it also revokes keys and stops timers', async () => {
    const { world, leaver, key, created } = await createLeaverWorld();
    await api(leaver.token).post('/timer/start', { taskId: created });
    const setEndedAt = (value: number | null) =>
      getCell(0).prepare('UPDATE members SET ended_at = ? WHERE no = ?').bind(value, leaver.member).run();
    await setEndedAt(1);
    for (const token of [leaver.token, key]) expect((await api(token).get('/me')).status).toBe(401);
    await runMinuteJobs();
    expect(await findInconsistencies()).toEqual([]);
    expect((await readRows({ world, leaver })).copied).toEqual({ ended_at: 1 });
    await setEndedAt(null);
    expect((await api(leaver.token).get('/me')).status).toBe(200);
    expect((await api(leaver.token).get('/timer/current')).body).toBeNull();
    await runMinuteJobs();
    expect((await readRows({ world, leaver })).copied).toEqual({ ended_at: null });
    expect(await findInconsistencies()).toEqual([]);
  });

  it("can't be deleted", async () => {
    const { people } = await createWorld();
    const remove = getCell(0).prepare('DELETE FROM members WHERE no = ?').bind(people.client.member).run();
    await expect(remove).rejects.toThrow('a membership is never deleted');
    expect((await api(people.client.token).get('/me')).status).toBe(200);
  });
});
