import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, toInstant } from '../../../src/kernel/dates/civil-date.ts';
import { buildComponent, escapeText, formatInstant } from '../../../src/meetings/calendar-feed/icalendar.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { lineBreaks, textsForAgents, textsForPages } from '../../support/hostile-texts.ts';
import { createMeeting, createTask, type World } from '../../support/world.ts';
import { createStudio, TIMEZONE } from '../../web/server/studio.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
let lead: WorkspaceBrowser;
let member: WorkspaceBrowser;
let today: string;

beforeAll(async () => {
  ({ world, lead, member, today } = await createStudio());
});

const getProjectId = () => world.projects.joined.id;
const getMeeting = async (id: number) => (await api(world.people.lead.token).get(`/meetings/${id}`)).body;

describe('a calendar feed', () => {
  const findFeedUrl = async (screens: WorkspaceBrowser) => {
    const [, address] =
      /id="feed" type="text" readonly="" value="([^"]+)"/.exec((await screens.open('/calendar')).html) ?? [];
    return address === undefined ? null : unescapeHtml(address);
  };
  const fetchFeed = async (address: string) => {
    const answer = await send(new Request(address));
    return { status: answer.status, type: answer.headers.get('Content-Type'), text: await answer.text() };
  };
  const createFeed = async (screens: WorkspaceBrowser) => {
    expect((await screens.send('/calendar', '/calendar/address')).status).toBe(303);
    return (await findFeedUrl(screens)) ?? '';
  };

  it('can be created, renewed and removed, and its old URLs return 404', async () => {
    expect(await findFeedUrl(lead)).toBeNull();
    const first = await createFeed(lead);
    expect(first).toMatch(/\/calendar\/1-[\w-]{32}\.ics$/);
    expect(await fetchFeed(first)).toMatchObject({ status: 200, type: 'text/calendar; charset=utf-8' });
    const second = await createFeed(lead);
    expect(second).not.toBe(first);
    expect((await fetchFeed(first)).status).toBe(404);
    expect((await fetchFeed(second)).status).toBe(200);
    await lead.send('/calendar', '/calendar/address/end');
    expect((await fetchFeed(second)).status).toBe(404);
    expect(await findFeedUrl(lead)).toBeNull();
  });

  it('is stored with only a hash of its URL, and opens only with the complete URL', async () => {
    const address = await createFeed(lead);
    const token = address.split('/').at(-1)?.replace('.ics', '') ?? '';
    const { results } = await getCell(1).prepare('SELECT * FROM calendar_feeds').all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toContain(token.slice(2));
    const forged = [
      address.replace(token, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      address.replace('/1-', '/0-'),
      address.replace('/1-', '/77-'),
      address.replace('.ics', ''),
      address.replace(token, `${token}x`),
    ];
    for (const each of forged) expect([each, (await fetchFeed(each)).status]).toEqual([each, 404]);
  });

  it('lists meetings in UTC across daylight saving time, and deadlines as whole days', async () => {
    const { lead: host, member: guest } = world.people;
    const name = `Größe, Farbe; Rand \\ 👩‍👩‍👧 ${'und noch etwas '.repeat(11)}`.trim();
    const date = addDays(today, 1);
    const made = await createMeeting(host, getProjectId(), {
      name,
      date,
      time: '10:00',
      participantIds: [guest.userId],
      duration: { days: 0, hours: 1, minutes: 30 },
      location: 'Loft\nDoor 3',
      recurrence: 'FREQ=WEEKLY',
    });
    const task = await createTask(guest, getProjectId(), {
      name: 'Due: a, b',
      assigneeId: guest.userId,
      deadline: date,
    });
    const { text } = await fetchFeed(await createFeed(member));
    const events = parseEvents(text);
    const ofMeeting = events.filter(({ UID }) => UID?.startsWith(`meeting-${made.id}-`));
    expect(ofMeeting.length).toBeGreaterThan(40);
    expect(new Set(ofMeeting.map(({ UID }) => UID)).size).toBe(ofMeeting.length);
    for (const [index, event] of ofMeeting.entries()) {
      const start = toInstant(addDays(date, 7 * index), '10:00', TIMEZONE);
      expect([event.DTSTART, event.DTEND]).toEqual([
        formatCompactTime(start),
        formatCompactTime(start + 90 * 60_000),
      ]);
    }
    // The meetings are in winter and summer, so a fixed UTC offset would fail.
    expect(new Set(ofMeeting.map(({ DTSTART }) => DTSTART?.slice(8))).size).toBe(2);
    expect(ofMeeting[0]).toMatchObject({ SUMMARY: name, LOCATION: 'Loft\nDoor 3' });
    const [due] = events.filter(({ UID }) => UID?.startsWith(`task-${task.id}@`));
    expect(due).toMatchObject({
      SUMMARY: 'Due: a, b',
      'DTSTART;VALUE=DATE': date.replaceAll('-', ''),
      'DTEND;VALUE=DATE': addDays(date, 1).replaceAll('-', ''),
      TRANSP: 'TRANSPARENT',
    });
    // The feed has no event for a meeting's task, because it has one for the meeting.
    const ownTask = (await getMeeting(made.id)).participants[0].taskId;
    expect(events.some(({ UID }) => UID?.startsWith(`task-${ownTask}@`))).toBe(false);
  });

  it("escapes text so that it can't add lines to the file", () => {
    const injected = lineBreaks.map((each) => `Sign${each}END:VEVENT${each}BEGIN:VEVENT${each}UID:forged`);
    for (const text of [...textsForPages, ...textsForAgents, ...injected]) {
      const event = buildComponent('VEVENT', [
        ['UID', 'one'],
        ['DTSTAMP', formatInstant(0)],
        ['SUMMARY', escapeText(text)],
      ]);
      const [ofMeeting, ...others] = parseEvents(buildComponent('VCALENDAR', [], [event]));
      expect([Object.keys(ofMeeting ?? {}), others]).toEqual([['UID', 'DTSTAMP', 'SUMMARY'], []]);
      const kept = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '');
      expect(ofMeeting?.SUMMARY).toBe(kept);
    }
  });

  it('returns 404 once the membership has ended', async () => {
    const { admin } = world.people;
    const screens = await WorkspaceBrowser.signIn(world, admin);
    const address = await createFeed(screens);
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    expect((await fetchFeed(address)).status).toBe(200);
    const answer = await owner.send(`/people?about=${admin.userId}`, `/people/${admin.userId}/remove`);
    expect(answer.status).toBe(303);
    expect((await fetchFeed(address)).status).toBe(404);
    const left = await getCell(1)
      .prepare('SELECT count(*) AS n FROM calendar_feeds WHERE member = ?')
      .bind(admin.member)
      .first('n');
    expect(left).toBe(0);
  });
});

function formatCompactTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

/** Parses a calendar, and checks its line breaks, line lengths, nesting and required properties (RFC 5545). */
function parseEvents(text: string): Record<string, string>[] {
  expect(text.endsWith('\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const raw = text.slice(0, -2).split('\r\n');
  for (const line of raw) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  const open: string[] = [];
  const events: Record<string, string>[] = [];
  for (const line of raw.join('\r\n').replaceAll('\r\n ', '').split('\r\n')) {
    const [, name = '', value = ''] = /^([A-Z][A-Z-]*(?:;[A-Z-]+=[\w-]+)*):(.*)$/s.exec(line) ?? [];
    expect(name, line).not.toBe('');
    if (name === 'BEGIN') {
      open.push(value);
      if (value === 'VEVENT') events.push({});
    } else if (name === 'END') expect(open.pop()).toBe(value);
    else if (open.at(-1) === 'VEVENT') {
      const event = events.at(-1) as Record<string, string>;
      expect(event[name], `${name} twice`).toBeUndefined();
      event[name] = value.replaceAll(/\\([\\;,nN])/g, (_, escaped: string) =>
        /n/i.test(escaped) ? '\n' : escaped,
      );
    }
  }
  expect(open).toEqual([]);
  for (const event of events) {
    expect(event.UID).toBeTruthy();
    expect(event.DTSTAMP).toMatch(/^\d{8}T\d{6}Z$/);
  }
  return events;
}
