import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkspaceHub } from '../../../src/events/hub/workspace-hub.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { pollUntil } from '../../support/timeout.ts';
import { createMeeting, createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { type Event, getEvents, readAllEvents, readLatestSeq } from '../read-events.ts';

/** The longest wait that the feed allows. */
const WAIT_S_MAX = 25;
afterEach(() => vi.restoreAllMocks());

describe('the event feed', () => {
  it('has no gaps or duplicates after 60 parallel writes', async () => {
    const { people, projects } = await createWorld({ cell: 1 });
    await Promise.all(
      Array.from({ length: 60 }, () => createTask(people.lead, projects.joined.id, { name: 'Same time' })),
    );
    const seqs = (await readAllEvents(people.lead)).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it('returns the events in order over several pages, up to the newest event', async () => {
    const { people, projects } = await createWorld();
    for (let made = 0; made < 7; made += 1) await createTask(people.lead, projects.joined.id);
    const seen: number[] = [];
    let after = 0;
    for (let more = true; more; ) {
      const { body } = await getEvents(people.owner, `after=${after}&limit=3`);
      seen.push(...body.data.map(({ seq }: Event) => seq));
      after = body.meta.nextAfter;
      more = body.meta.hasMore;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(after).toBe(await readLatestSeq(people.owner));
    expect((await getEvents(people.owner, '')).body).toEqual({
      data: [],
      meta: { nextAfter: 7, hasMore: false },
    });
  });
});

describe('the events that a person receives', () => {
  async function createEventHistory(): Promise<World> {
    const world = await createWorld();
    const { owner, lead, client } = world.people;
    const { joined, other } = world.projects;
    await createTask(lead, joined.id, { name: 'seen' });
    await createTask(owner, other.id, { name: 'hidden' });
    const assigned = await createTask(owner, other.id, { name: 'assigned', assigneeId: client.userId });
    await api(owner.token).post(`/tasks/${assigned.id}/comments`, { content: 'for you' });
    await createMeeting(owner, other.id, { date: '2031-05-05', time: '10:00' });
    await api(lead.token).post('/timer/start', { taskId: assigned.id });
    return world;
  }

  it('are limited to joined projects and assigned tasks for clients', async () => {
    const { people } = await createEventHistory();
    const names = (await readAllEvents(people.client)).map(({ type, changes }) => changes.name?.to ?? type);
    expect(names).toEqual(['seen', 'assigned', 'comment.created']);
    expect((await getEvents(people.client, 'after=0')).body.meta.nextAfter).toBe(
      await readLatestSeq(people.owner),
    );
  });

  it('include all meetings for an owner, and only meetings in joined projects for a member', async () => {
    const { people } = await createEventHistory();
    const listEventTypes = async (person: Person) => (await readAllEvents(person)).map(({ type }) => type);
    expect(await listEventTypes(people.member)).not.toContain('meeting.created');
    expect(await listEventTypes(people.owner)).toContain('meeting.created');
  });

  it('include time entries only for the person who tracked the time', async () => {
    const { people } = await createEventHistory();
    const listEventTypes = async (person: Person) => (await readAllEvents(person)).map(({ type }) => type);
    expect(await listEventTypes(people.lead)).toContain('time_entry.started');
    expect(await listEventTypes(people.owner)).not.toContain('time_entry.started');
  });

  it('can be filtered by type and project, and the next page continues after the newest event in the log', async () => {
    const { people, projects } = await createEventHistory();
    const { body } = await getEvents(
      people.owner,
      `after=0&types=comment.*,meeting.created&projectId=${projects.other.id}`,
    );
    expect(body.data.map(({ type }: Event) => type)).toEqual(['comment.created', 'meeting.created']);
    expect(body.meta).toEqual({ nextAfter: await readLatestSeq(people.owner), hasMore: false });
    const rejected = await getEvents(people.owner, 'after=0&types=task.createt');
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain("'task.createt'");
  });
});

describe('waiting for events', () => {
  it('returns as soon as an event is logged', async () => {
    const { people, projects } = await createWorld();
    const after = await readLatestSeq(people.owner);
    const waits = vi.spyOn(WorkspaceHub.prototype, 'waitForEvent');
    const startedAt = Date.now();
    const waiting = getEvents(people.owner, `after=${after}&wait=${WAIT_S_MAX}`);
    await pollUntil(() => waits.mock.calls.length === 1);
    await createTask(people.lead, projects.joined.id);
    const { body } = await waiting;
    expect(body.data).toHaveLength(1);
    expect(Date.now() - startedAt).toBeLessThan(WAIT_S_MAX * 1000);
  });

  it("ends with an empty page when the time is up, and ignores events that the caller can't see", async () => {
    const { people, projects } = await createWorld();
    const after = await readLatestSeq(people.client);
    const waiting = getEvents(people.client, `after=${after}&wait=2`);
    await createTask(people.owner, projects.other.id);
    expect((await waiting).body).toEqual({ data: [], meta: { nextAfter: after + 1, hasMore: false } });
  });

  it('reads the log at most every two seconds while only events that the filter excludes are being logged', async () => {
    const { people, projects } = await createWorld();
    const after = await readLatestSeq(people.owner);
    const waiting = getEvents(people.owner, `after=${after}&types=workspace.updated&wait=3`);
    for (let made = 0; made < 40; made += 1) await createTask(people.lead, projects.joined.id);
    const { body, headers } = await waiting;
    expect(body.data).toEqual([]);
    expect(body.meta.nextAfter).toBeGreaterThan(after);
    const [, trips] = /trips=(\d+) /.exec(headers.get('X-Cost') ?? '') ?? [];
    expect(Number(trips)).toBeLessThan(6);
  });

  it('ends at the next event for at most 50 requests per person, and further requests wait until their time is up', async () => {
    const { people, projects } = await createWorld();
    const after = await readLatestSeq(people.member);
    const waitForEvents = async (person: Person, seconds: number) => {
      const startedAt = Date.now();
      const { body } = await getEvents(person, `after=${after}&wait=${seconds}`);
      return { ms: Date.now() - startedAt, found: body.data.length };
    };
    const waits = vi.spyOn(WorkspaceHub.prototype, 'waitForEvent');
    const first = Array.from({ length: 50 }, () => waitForEvents(people.member, WAIT_S_MAX));
    await pollUntil(() => waits.mock.calls.length === 50);
    const [surplus, other] = [waitForEvents(people.member, 4), waitForEvents(people.owner, WAIT_S_MAX)];
    await pollUntil(() => waits.mock.calls.length === 52);
    await createTask(people.lead, projects.joined.id);
    for (const { ms, found } of await Promise.all([...first, other])) {
      expect(found).toBe(1);
      expect(ms).toBeLessThan(WAIT_S_MAX * 1000);
    }
    const { ms, found } = await surplus;
    expect(found).toBe(1);
    expect(ms).toBeGreaterThanOrEqual(3_900);
  });

  it('ends with 401 when the person is removed', async () => {
    const world = await createWorld();
    const { client, owner } = world.people;
    const waits = vi.spyOn(WorkspaceHub.prototype, 'waitForEvent');
    const waiting = getEvents(client, `after=${await readLatestSeq(client)}&wait=10`);
    await pollUntil(() => waits.mock.calls.length === 1);
    await getCell(world.cell)
      .prepare('UPDATE members SET ended_at = 1 WHERE no = ?')
      .bind(client.member)
      .run();
    await createTask(owner, world.projects.joined.id);
    expect((await waiting).status).toBe(401);
  });
});

describe('an event feed cursor', () => {
  it('is rejected if the events after it are no longer all stored, except for 0, which starts with the oldest event', async () => {
    const world = await createWorld();
    const { lead } = world.people;
    for (let made = 0; made < 5; made += 1) await createTask(lead, world.projects.joined.id);
    await getCell(world.cell)
      .prepare('UPDATE workspaces SET events_from = 4 WHERE no = ?')
      .bind(world.no)
      .run();
    expect((await readAllEvents(lead)).map(({ seq }) => seq)).toEqual([4, 5]);
    expect((await readAllEvents(lead, 'after=3')).map(({ seq }) => seq)).toEqual([4, 5]);
    const rejected = await getEvents(lead, 'after=2');
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toMatch(/oldest event is 4.*Read the lists again.*after 5/);
  });

  it('is rejected if it is beyond the newest event', async () => {
    const { people } = await createWorld();
    const rejected = await getEvents(people.lead, 'after=9');
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain('at most 0, the newest event');
  });

  it('can be omitted', async () => {
    const { people } = await createWorld();
    expect((await api(people.lead.token).get('/events')).status).toBe(200);
  });
});

describe('a page of events', () => {
  it('costs at most two row reads per event plus ten, however long the log is', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    await getCell(world.cell)
      .prepare(
        `INSERT INTO events (ws, seq, type, project, actor, via, occurred_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
        SELECT ?1, i, 'task.updated', ?2, ?3, 'session', 1 FROM n`,
      )
      .bind(world.no, world.projects.joined.id, owner.member)
      .run();
    await api(owner.token).get('/me');
    const page = await getEvents(owner, 'after=25000&limit=100');
    expect(page.body.data).toHaveLength(100);
    expect(page.cost.rowsRead).toBeLessThanOrEqual(210);
    expect(page.cost.trips).toBe(1);
    const end = await getEvents(owner, 'after=50000');
    expect(end.body.data).toEqual([]);
    expect(end.cost.rowsRead).toBeLessThanOrEqual(10);
  });
});
