import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../src/kernel/dates/civil-date.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createTeam, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

const today = new Date().toISOString().slice(0, 10);
const yesterday = addDays(today, -1);

let world: World;

interface StoredFlow {
  project: number;
  day: string;
  tasks: string;
}

async function readStoredFlow(): Promise<StoredFlow[]> {
  const { results } = await getCell(1)
    .prepare(
      `SELECT project, day, status0 || ',' || status1 || ',' || status2 || ',' || status3 || ',' || status4 AS tasks
      FROM flow_days WHERE ws = ? ORDER BY project, day`,
    )
    .bind(world.no)
    .all<StoredFlow>();
  return results;
}

/** Returns the rows of the table next to the chart, newest first. */
async function readShownFlow(screens: WorkspaceBrowser, query = ''): Promise<number[][] | null> {
  const { html } = await screens.open(`/dashboard${query}`);
  const table = /Tasks by status at the start of each day<\/caption>(.*?)<\/table>/s.exec(html)?.[1];
  if (table === undefined) return null;
  return [...table.matchAll(/<tr><td>[^<]*<\/td>(.*?)<\/tr>/gs)].map(([, cells = '']) =>
    [...cells.matchAll(/>([\d,]+)</g)].map(([, number = '']) => Number(number.replaceAll(',', ''))),
  );
}

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  const { joined, other } = world.projects;
  const { owner } = world.people;
  for (const status of ['todo', 'todo', 'in_progress', 'completed'])
    await createTask(owner, joined.id, { status });
  const archived = await createTask(owner, joined.id, {});
  await api(owner.token).post(`/tasks/${archived.id}/archive`);
  await createTask(owner, other.id, { status: 'client_review' });
  await getCell(1)
    .prepare('UPDATE workspaces SET past_cutoff = ? WHERE no = ?')
    .bind(addDays(today, -2), world.no)
    .run();
  await moveCutoffs(world, yesterday);
  await createTask(owner, joined.id, { status: 'completed' });
  await moveCutoffs(world, today);
});

describe('the task flow report', () => {
  it('consists of counts that are stored once at the start of each day, per project and in total', async () => {
    const { joined, other } = world.projects;
    const days = [
      { project: 0, day: yesterday, tasks: '2,1,0,1,1' },
      { project: 0, day: today, tasks: '2,1,0,1,2' },
      { project: joined.id, day: yesterday, tasks: '2,1,0,0,1' },
      { project: joined.id, day: today, tasks: '2,1,0,0,2' },
      { project: other.id, day: yesterday, tasks: '0,0,0,1,0' },
      { project: other.id, day: today, tasks: '0,0,0,1,0' },
    ];
    expect(await readStoredFlow()).toEqual(days);
    await createTask(world.people.owner, joined.id, {});
    await moveCutoffs(world, today);
    expect(await readStoredFlow()).toEqual(days);
  });

  it("covers one project or all projects that the person can see, and isn't available for a team", async () => {
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    const whole = [
      [2, 1, 0, 1, 2],
      [2, 1, 0, 1, 1],
    ];
    const ofJoined = [
      [2, 1, 0, 0, 2],
      [2, 1, 0, 0, 1],
    ];
    expect(await readShownFlow(owner)).toEqual(whole);
    expect((await owner.open('/dashboard')).html).toMatch(
      /2 of 6 tasks<\/a>\s*completed\. Since [^<]*: \+1 completed, \+1 total\./,
    );
    expect(await readShownFlow(owner, `?project=${world.projects.joined.id}`)).toEqual(ofJoined);
    expect(await readShownFlow(client)).toEqual(ofJoined);
    // A filter by a project that the client can't see is ignored.
    expect(await readShownFlow(client, `?project=${world.projects.other.id}`)).toEqual(ofJoined);
    expect(await readShownFlow(owner, `?team=${await createTeam(world, {})}`)).toBeNull();
    const stranger = await createWorld({ cell: 1 });
    expect(await readShownFlow(await WorkspaceBrowser.signIn(stranger, stranger.people.owner))).toBeNull();
  });

  it('no longer contains the counts of a deleted project, but keeps the totals of past days', async () => {
    const { other } = world.projects;
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    const page = `/projects/${other.id}/settings`;
    const answer = await owner.send(page, `/projects/${other.id}/remove`, { name: other.name });
    expect(answer.status).toBe(303);
    // The cron job deletes the project's last tasks, and its counts with them.
    await runCron('* * * * *');
    const rest = await readStoredFlow();
    expect(rest.map(({ project }) => project)).not.toContain(other.id);
    expect(rest.filter(({ project }) => project === 0)).toHaveLength(2);
  });
});
