import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let session: ReturnType<typeof api>;
let task: { id: number; name: string };

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  // Vienna is two hours ahead of UTC in summer, so a form that ignored the time zone would be two hours off.
  const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  const settings = { name: 'Studio', timezone: 'Europe/Vienna', dailyCapacityHours: '8' };
  expect((await owner.send('/settings', '/settings', settings)).status).toBe(303);
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  session = api(world.people.member.token);
  const { userId: assigneeId } = world.people.member;
  task = await createTask(world.people.member, world.projects.joined.id, { name: 'Sand it', assigneeId });
});

const listEntries = async () => (await session.get('/timer/entries')).body.data;
const logTime = (page: string, startTime: string, endTime: string) =>
  member.send(page, '/time', { taskId: String(task.id), startTime, endTime });

/** Returns a time zone where it is about noon, so that the past hour falls on a single day. */
function findZoneWithNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  return behind === 0 ? 'Etc/GMT' : `Etc/GMT${behind > 0 ? '+' : ''}${behind}`;
}

describe('time logged manually', () => {
  it.each([
    ['the task page', () => `/tasks/${task.id}`, '2026-07-01'],
    ['the Time page', () => '/time', '2026-07-02'],
  ])("on %s is interpreted in the workspace's time zone", async (_where, page, day) => {
    const answer = await logTime(page(), `${day}T09:00`, `${day}T10:30`);
    expect([answer.status, answer.location]).toEqual([303, `${member.base}${page()}`]);
    expect((await listEntries())[0]).toMatchObject({
      task: { id: task.id },
      startTime: `${day}T07:00:00.000Z`,
      endTime: `${day}T08:30:00.000Z`,
    });
    expect((await member.open(`/tasks/${task.id}`)).html).toContain('09:00–10:30');
  });

  it('is rejected if it overlaps another entry, and stays in the form', async () => {
    const before = await listEntries();
    const answer = await logTime('/time', '2026-07-02T10:00', '2026-07-02T11:00');
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('from 2026-07-02 09:00 to 2026-07-02 10:30');
    expect(answer.html).toContain('value="2026-07-02T10:00"');
    expect((await logTime('/time', 'soon', '2026-07-02T13:00')).html).toContain('id="log-start-problem"');
    expect(await listEntries()).toEqual(before);
  });

  it('is displayed in hours and minutes, in totals and in entries', async () => {
    const other = await createWorld({ cell: 1 });
    const { owner } = other.people;
    const screens = await WorkspaceBrowser.signIn(other, owner);
    await screens.send('/settings', '/settings', {
      name: 'Noon',
      timezone: findZoneWithNoon(),
      dailyCapacityHours: '8',
    });
    const { id } = await createTask(owner, other.projects.joined.id);
    const [startTime, endTime] = [50, 0].map((minutes) =>
      new Date(Date.now() - minutes * 60_000).toISOString(),
    );
    await api(owner.token).post('/timer/entries', { taskId: id, startTime, endTime });
    const { html } = await screens.open('/time?period=day');
    const [ofPeriod, ofTask, ofDay, ofEntry, ...more] = html.match(/class="duration">[^<]*/g) ?? [];
    const each = 'class="duration">50 min';
    expect([ofPeriod, ofDay, ofEntry, more]).toEqual([each, each, each, []]);
    expect(ofTask).toBe('class="duration">0:50');
    expect(html).not.toContain('0.83');
  });

  it("can be changed and deleted, and keeps the seconds, which the field doesn't show", async () => {
    const startTime = '2026-06-01T08:00:41.250Z';
    const made = (
      await session.post('/timer/entries', {
        taskId: task.id,
        startTime,
        endTime: '2026-06-01T09:00:00.000Z',
      })
    ).body;
    const { html } = await member.open('/time');
    const form = readHiddenFields(html, `${member.base}/time/${made.id}`, { startTime: '' });
    const sent = { ...form, startTime: form.startTimeWas ?? '', endTime: '2026-06-01T11:15' };
    expect((await member.post(`/time/${made.id}`, sent)).status).toBe(303);
    const findEntry = async () => (await listEntries()).find(({ id }: { id: number }) => id === made.id);
    expect(await findEntry()).toMatchObject({ startTime, endTime: '2026-06-01T09:15:00.000Z' });
    expect((await member.send('/time', `/time/${made.id}/remove`)).status).toBe(303);
    expect(await findEntry()).toBeUndefined();
  });

  it('is exported as a CSV file with the day, times, hours, task and project', async () => {
    const { headers, html } = await member.open('/time.csv?period=month');
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="time.csv"');
    expect(html.split('\r\n')[0]).toBe('"Day","From","To","Hours","Number","Task","Project"');
  });
});

describe("a task's tags", () => {
  const readTags = async () => (await session.get(`/tasks/${task.id}`)).body.tags;
  const submitTags = (tags: string) => member.send(`/tasks/${task.id}`, `/tasks/${task.id}/tags`, { tags });

  it('are entered as a comma-separated list without duplicates, and an empty list removes all tags', async () => {
    expect((await submitTags(' wood, outside ,,wood')).status).toBe(303);
    expect(await readTags()).toEqual(['wood', 'outside']);
    expect((await member.open(`/tasks/${task.id}`)).html).toContain('value="wood, outside"');
    await submitTags('');
    expect(await readTags()).toEqual([]);
  });

  it('are not stored if one of them is too long, and the field shows an error', async () => {
    const answer = await submitTags(`fine, ${'x'.repeat(51)}`);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('id="tags-problem"');
    expect(await readTags()).toEqual([]);
  });
});
