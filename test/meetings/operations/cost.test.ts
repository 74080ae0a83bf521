import { beforeAll, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { addPerson, createProject, createWorld, type Person, type World } from '../../support/world.ts';
import { buildMeetingBody } from '../meeting-fixtures.ts';

const PARTICIPANTS = 50;
const MEETINGS = 2_000;

let world: World;
let crowd: Person[];
let projectId: number;

beforeAll(async () => {
  world = await createWorld();
  crowd = [];
  for (let made = 0; made < PARTICIPANTS; made += 1) crowd.push(await addPerson(world, `p${made}`, 'member'));
  projectId = (await createProject(world, { owner: world.people.lead, members: crowd })).id;
  await api(world.people.lead.token).get('/me');
});

it('every operation on a meeting with fifty participants takes at most two database round trips', async () => {
  const me = api(world.people.lead.token);
  const participantIds = crowd.map((person) => person.userId);
  const created = await me.post('/meetings', buildMeetingBody(world, { projectId, participantIds }));
  expect(created.status).toBe(201);
  expect(created.body.participants.map((each: { id: string }) => each.id)).toEqual(participantIds);
  const path = `/meetings/${created.body.id}`;
  const answers = {
    create: created,
    read: await me.get(path),
    move: await me.patch(path, { date: '2026-08-08' }),
    relocate: await me.patch(path, { location: 'Room 4' }),
    cancel: await me.delete(path),
  };
  // biome-ignore lint/suspicious/noConsole: this suite reports figures
  for (const [name, { cost }] of Object.entries(answers)) console.log(name, JSON.stringify(cost));
  expect(answers.read.cost.trips).toBe(1);
  for (const { cost, status } of Object.values(answers)) {
    expect(status).toBeLessThan(300);
    expect(cost.trips).toBeLessThanOrEqual(2);
    expect(cost.statements).toBeLessThanOrEqual(25);
  }
  expect(created.cost.rowsWritten).toBeLessThanOrEqual(60 * PARTICIPANTS);
  expect(answers.move.cost.rowsWritten).toBeLessThanOrEqual(30 * PARTICIPANTS);
  expect(await findCounterDrift(world)).toEqual([]);
});

it('a meeting with fifty participants can have the longest allowed description', async () => {
  const me = api(world.people.lead.token);
  const participantIds = crowd.map((person) => person.userId);
  const longest = { projectId, participantIds, name: '漢'.repeat(200), description: '漢'.repeat(10_000) };
  expect((await me.post('/meetings', buildMeetingBody(world, longest))).status).toBe(201);
});

it(`listing a page of ${MEETINGS} meetings takes one database round trip, and reads at most about three rows per meeting`, async () => {
  const { lead, owner } = world.people;
  await getCell(0)
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MEETINGS})
      INSERT INTO meetings (ws, project, name, duration_minutes, first_date, first_time, slot, date, time, created_by, created_at)
      SELECT ?, ?, 'M' || i, 60, d, '09:00', d, d, '09:00', ?, 1 FROM (SELECT i, date('2026-01-01', '+' || (i % 400) || ' days') AS d FROM n)`,
    )
    .bind(world.no, projectId, lead.member)
    .run();
  await api(owner.token).get('/me');
  for (const person of [lead, owner]) {
    for (const query of ['', '?order=desc', `?projectId=${projectId}`, '?from=2026-05-01&to=2026-05-07']) {
      const { status, cost, body } = await api(person.token).get(`/meetings${query}`);
      // biome-ignore lint/suspicious/noConsole: this suite reports figures
      console.log(person.role, query, JSON.stringify(cost));
      expect(status).toBe(200);
      expect(body.data).toHaveLength(25);
      expect(cost.trips).toBe(1);
      expect(cost.rowsWritten).toBe(0);
      expect(cost.rowsRead).toBeLessThanOrEqual(query.includes('from') ? 300 : 3.2 * MEETINGS);
    }
  }
});
