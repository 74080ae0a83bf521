import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, getWeekRange } from '../../../src/kernel/dates/civil-date.ts';
import { formatLongDate } from '../../../src/web/components/time.tsx';
import { api } from '../../support/api.ts';
import { expectQuick } from '../../support/linear-time.ts';
import { createMeeting, createTask, type World } from '../../support/world.ts';
import { createStudio } from '../server/studio.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let lead: WorkspaceBrowser;
let member: WorkspaceBrowser;
let today: string;

beforeAll(async () => {
  ({ world, lead, member, today } = await createStudio());
});

const getProjectId = () => world.projects.joined.id;
const getMeeting = async (id: number) => (await api(world.people.lead.token).get(`/meetings/${id}`)).body;

async function listItemsOn(screens: WorkspaceBrowser, date: string, query = ''): Promise<string[]> {
  const { html } = await screens.open(`/calendar?view=week&day=${date}${query}`);
  const [day = ''] = html.split(`data-date="${date}"`)[1]?.split('</ul>') ?? [];
  return [...day.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, text = '']) =>
    text.replaceAll(/<[^>]*>/g, ' ').trim(),
  );
}

describe('the calendar', () => {
  it('shows at most eight items per day in the month view, and links to the week view for more', async () => {
    const { member: guest } = world.people;
    const date = addDays(getWeekRange(today).from, 40);
    for (let made = 0; made < 10; made += 1)
      await createTask(guest, getProjectId(), {
        name: `Due ${made}`,
        assigneeId: guest.userId,
        deadline: date,
      });
    const { html } = await member.open(`/calendar?day=${date}`);
    expect(html.match(/Due \d<\/span>/g)).toHaveLength(8);
    const [, way = ''] = /<a class="more" href="([^"]*)"[^>]*>2 more<\/a>/.exec(html) ?? [];
    const week = way.replaceAll('&amp;', '&').replace(/^.*\/calendar/, '/calendar');
    expect(week).toBe(`/calendar?day=${date}&view=week`);
    expect(await listItemsOn(member, date)).toHaveLength(10);
  });

  it("shows meetings, occurrences that haven't been created yet, and deadlines", async () => {
    const { lead: host, member: guest } = world.people;
    const date = addDays(getWeekRange(today).from, 14);
    const made = await createMeeting(host, getProjectId(), {
      name: 'Stand-up',
      date,
      time: '09:15',
      participantIds: [host.userId, guest.userId],
      recurrence: 'FREQ=DAILY;INTERVAL=2;COUNT=3',
    });
    const { userId: assigneeId } = guest;
    const task = await createTask(guest, getProjectId(), { name: 'Hand it in', assigneeId, deadline: date });
    expect(await listItemsOn(member, date)).toEqual(['09:15  Stand-up', 'Hand it in']);
    for (const [days, shown] of [
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 1],
      [6, 0],
    ] as const) {
      expect([days, (await listItemsOn(member, addDays(date, days))).length]).toEqual([days, shown]);
    }
    expect(await listItemsOn(lead, date)).toEqual(['09:15  Stand-up']);
    expect(await listItemsOn(lead, date, '&who=all')).toContain('Hand it in');
    const { html } = await member.open(`/calendar?view=week&day=${date}`);
    expect(html).toContain(`data-form="move-meeting" data-id="${made.id}"`);
    expect(html.match(new RegExp(`data-id="${made.id}"`, 'g'))).toHaveLength(1);
    expect(html).toContain(`data-form="move-deadline" data-id="${task.id}"`);
    expect((await member.open(`/meetings/${made.id}`)).html).toContain('every other day, 3 times');
  });

  it("doesn't calculate occurrences in the distant future", async () => {
    const { lead: host } = world.people;
    const leapYear = 4 * Math.ceil((Number(today.slice(0, 4)) + 1) / 4);
    for (let made = 0; made < 40; made += 1) {
      await createMeeting(host, getProjectId(), {
        date: `${leapYear}-02-29`,
        time: '09:00',
        recurrence: 'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29;COUNT=999',
      });
    }
    expect((await listItemsOn(lead, `${leapYear + 4}-02-29`, '&who=all')).length).toBeGreaterThan(0);
    // Stepping through every rule day by day would take 10 to 20 seconds.
    await expectQuick(
      async () => expect(await listItemsOn(lead, '9996-02-29', '&who=all')).toEqual([]),
      3_000,
    );
  });

  it('takes one database round trip, and shows clients only tasks and meetings of their own projects', async () => {
    const date = addDays(today, 3);
    const { owner } = world.people;
    await createMeeting(owner, world.projects.other.id, {
      name: 'Behind closed doors',
      date,
      time: '11:00',
      participantIds: [owner.userId],
    });
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    expect(await listItemsOn(client, date, '&who=all')).toEqual([]);
    // Members see all tasks of the workspace, so they see this meeting's task, but not the meeting itself.
    expect(await listItemsOn(member, date, '&who=all')).toEqual(['Behind closed doors']);
    const { headers } = await member.open('/calendar');
    expect(headers.get('X-Cost')).toMatch(/^trips=1 /);
  });
});

describe('the meeting pages', () => {
  it('show conflicts before a meeting is created, and let people move and cancel it', async () => {
    const { lead: host, member: guest } = world.people;
    const date = addDays(today, 20);
    await createMeeting(host, getProjectId(), {
      name: 'Other',
      date,
      time: '14:30',
      participantIds: [guest.userId],
    });
    const page = `/meetings/new?projectId=${getProjectId()}&date=${date}&time=14:00&minutes=45`;
    const { html } = await lead.open(page);
    expect(html.match(/class="clash">[^<]*/g)).toEqual(['class="clash">Busy: 14:30–15:30 Other']);
    expect((await lead.open(page.replace('14:00', '13:45'))).html).not.toContain('class="clash"');
    const planned = await lead.send(page, '/meetings', {
      name: 'Review',
      projectId: String(getProjectId()),
      date,
      time: '14:00',
      minutes: '45',
      participantIds: guest.userId,
      description: '<p>Agenda</p><script>alert(1)</script>',
      recurrence: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
      until: addDays(date, 60),
    });
    expect(planned.status).toBe(303);
    const id = Number(planned.location?.split('/').at(-1));
    expect(await getMeeting(id)).toMatchObject({
      name: 'Review',
      description: '<p>Agenda</p>',
      date,
      time: '14:00',
      duration: { days: 0, hours: 0, minutes: 45 },
      recurrence: `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;UNTIL=${addDays(date, 60).replaceAll('-', '')}`,
    });
    expect((await lead.open(`/meetings/${id}`)).html).toContain('every other week on Monday, until ');
    const next = addDays(date, 1);
    expect((await lead.send('/calendar', '/meetings/0', {})).status).toBe(400);
    const drag = await lead.send(`/meetings/${id}`, `/meetings/${id}`, {
      date: next,
      time: '15:00',
      location: 'Loft',
    });
    expect(drag.status).toBe(303);
    expect(await getMeeting(id)).toMatchObject({ date: next, time: '15:00', location: 'Loft' });
    const off = await lead.send(`/meetings/${id}`, `/meetings/${id}/cancel`);
    expect([off.status, off.location]).toEqual([303, `${lead.base}/calendar`]);
    expect((await lead.open(`/meetings/${id}`)).status).toBe(404);
  });

  it('list conflicts after a meeting is moved, and offer to undo the move', async () => {
    const { lead: host, member: guest, client } = world.people;
    const day = addDays(today, 40);
    const busy = { time: '14:30', participantIds: [guest.userId, client.userId] };
    await createMeeting(host, getProjectId(), {
      name: 'Every day',
      date: addDays(day, -3),
      recurrence: 'FREQ=DAILY',
      ...busy,
    });
    const { id } = await createMeeting(host, getProjectId(), {
      name: 'Planning',
      date: addDays(day, -18),
      time: '14:00',
      participantIds: [guest.userId, host.userId],
    });
    const readFlash = async ({ status, location }: { status: number; location: string | null }) => {
      expect(status).toBe(303);
      const { html } = await lead.open((location ?? '').slice(lead.base.length));
      return { html, text: /<div id="flash-message"[^>]*>([^<]*)/.exec(html)?.[1] };
    };
    // Dragging a meeting sends only the date.
    const sent = {
      ...readHiddenFields((await lead.open('/calendar')).html, `${lead.base}/meetings/0`),
      date: day,
    };
    const moved = await lead.post(`/meetings/${id}`, sent);
    expect(await getMeeting(id)).toMatchObject({ date: day, time: '14:00' });
    const { html, text } = await readFlash(moved);
    expect(text).toBe(
      `Moved to ${formatLongDate(day)}, 14:00. Conflicts: ${guest.name} (14:30–15:30 Every day).`,
    );
    const back = readHiddenFields(html, `${lead.base}/meetings/${id}`, { date: addDays(day, -18) });
    const movedBack = await lead.post(`/meetings/${id}`, back);
    expect(await getMeeting(id)).toMatchObject({ date: addDays(day, -18), time: '14:00' });
    expect((await readFlash(movedBack)).text).toBe(`Moved to ${formatLongDate(addDays(day, -18))}, 14:00.`);
    const page = `/meetings/${id}`;
    const submitMeeting = (location: string) =>
      lead.send(page, page, { date: day, time: '13:30', meetingLink: '', location });
    expect((await readFlash(await submitMeeting('Loft'))).text).toBe(
      `Moved to ${formatLongDate(day)}, 13:30.`,
    );
    expect((await readFlash(await submitMeeting('Attic'))).text).toBe('');
    expect((await getMeeting(id)).location).toBe('Attic');
  });

  it('keep the values in the new meeting form if no participant is selected', async () => {
    const page = `/meetings/new?projectId=${getProjectId()}&date=${addDays(today, 2)}&time=09:00`;
    const when = { projectId: String(getProjectId()), date: addDays(today, 2), time: '09:00', minutes: '60' };
    const answer = await lead.send(page, '/meetings', { name: 'Alone', ...when });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('value="Alone"');
    expect(answer.html).toContain('Select at least one participant.');
  });
});
