import { beforeEach, expect, it } from 'vitest';
import { addDays, toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api, send } from '../../support/api.ts';
import { expectQuick } from '../../support/linear-time.ts';
import { createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
const today = toWallClock(Date.now(), 'UTC').date;

beforeEach(async () => {
  world = await createWorld({ cell: 1 });
});

async function createDailyMeeting({ token, userId }: Person, fields: Record<string, unknown>) {
  const answer = await api(token).post('/meetings', {
    projectId: world.projects.joined.id,
    date: addDays(today, -1),
    time: '09:00',
    participantIds: [userId],
    recurrence: 'FREQ=DAILY',
    ...fields,
  });
  expect(answer.status).toBe(201);
}

async function renewFeed(person: Person): Promise<string> {
  const screens = await WorkspaceBrowser.signIn(world, person);
  await screens.send('/calendar', '/calendar/address');
  const { html } = await screens.open('/calendar');
  const [, address = ''] = /id="feed" type="text" readonly="" value="([^"]+)"/.exec(html) ?? [];
  return unescapeHtml(address);
}

const fetchFeed = async (address: string) => (await send(new Request(address))).text();

const countMatches = (feed: string, what: RegExp) => feed.match(what)?.length ?? 0;

it('a calendar feed includes five daily meetings on every day of its period', async () => {
  const { lead } = world.people;
  for (let each = 0; each < 5; each += 1) await createDailyMeeting(lead, { name: `Standup ${each}` });
  const feed = await fetchFeed(await renewFeed(lead));
  const days = countMatches(feed, /SUMMARY:Standup 0\r\n/g);
  expect(days).toBeGreaterThan(330);
  expect(countMatches(feed, /BEGIN:VEVENT\r\n/g)).toBe(5 * days);
});

it('a calendar feed with many meetings stays small by including only the nearest occurrences', async () => {
  const { lead } = world.people;
  const long = { name: 'é'.repeat(200), meetingLink: `https://meet.example/${'a'.repeat(1_900)}` };
  for (let each = 0; each < 60; each += 1) await createDailyMeeting(lead, long);
  const address = await renewFeed(lead);
  // Without a limit on its events, a feed with 60 daily meetings would be 90 MB and take most of a minute to build.
  await expectQuick(() => fetchFeed(address), 5_000);
  const feed = await fetchFeed(address);
  expect(feed.length).toBeLessThan(1_200_000);
  const day = today.replaceAll('-', '');
  expect(countMatches(feed, new RegExp(`DTSTART:${day}T090000Z`, 'g'))).toBe(60);
  expect(feed.endsWith('END:VCALENDAR\r\n')).toBe(true);
});
