import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../src/kernel/dates/civil-date.ts';
import { api } from '../../support/api.ts';
import { createMeeting } from '../../support/world.ts';
import { findHiddenCopies } from '../server/hidden-copies.ts';
import { createStudio, type Studio } from '../server/studio.ts';
import { readHiddenFields } from '../server/workspace-browser.ts';

let studio: Studio;
let project: number;
let date: string;

beforeAll(async () => {
  studio = await createStudio();
  project = studio.world.projects.joined.id;
  date = addDays(studio.today, 20);
});

const getMeetingAt = async (location: string | null) => {
  const { lead } = studio.world.people;
  const { body } = await api(lead.token).get(`/meetings/${location?.split('/').at(-1)}`);
  return body;
};
/** The fields that a browser sends without JavaScript. */
const buildFields = (changes: Record<string, string> = {}): Record<string, string> => ({
  name: 'Review',
  projectId: String(project),
  date,
  time: '14:00',
  minutes: '45',
  participantIds: studio.world.people.lead.userId,
  description: 'Agenda\nBudget',
  location: 'Loft',
  ...changes,
});
const readValue = (html: string, name: string) =>
  new RegExp(`<input id="[^"]*" name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
const readSelected = (html: string, name: string) =>
  /<option value="([^"]*)" selected/.exec(html.split(` name="${name}"`)[1]?.split('</select>')[0] ?? '')?.[1];
const readChecked = (html: string) =>
  [...html.matchAll(/name="participantIds" value="([^"]*)" checked/g)].map(([, id]) => id);
const countMeetings = async () =>
  (await api(studio.world.people.lead.token).get('/meetings')).body.meta.total as number;

describe('the new meeting form', () => {
  it('saves the entered date and time, not those in its URL', async () => {
    const page = `/meetings/new?projectId=${project}&date=${date}&time=10:00&minutes=60`;
    const changed = { date: addDays(date, 3), time: '16:15', minutes: '90' };
    const { status, location } = await studio.lead.send(page, '/meetings', buildFields(changed));
    expect(status).toBe(303);
    expect(await getMeetingAt(location)).toMatchObject({
      date: changed.date,
      time: '16:15',
      duration: { days: 0, hours: 1, minutes: 30 },
      location: 'Loft',
    });
  });

  it('has every field when it is opened without parameters', async () => {
    const { html } = await studio.lead.open('/meetings/new');
    const main = html.slice(html.indexOf('<main'));
    expect(main.match(/<form /g)).toHaveLength(1);
    for (const name of ['name', 'projectId', 'date', 'time', 'minutes', 'participantIds', 'description'])
      expect([name, main.split(` name="${name}"`).length > 1]).toEqual([name, true]);
    expect(findHiddenCopies(html)).toEqual([]);
    const { status, location } = await studio.lead.send('/meetings/new', '/meetings', buildFields());
    expect(status).toBe(303);
    expect(await getMeetingAt(location)).toMatchObject({ date, time: '14:00' });
  });

  it("checks the participants' availability on another day without saving, and keeps every field", async () => {
    const { lead, member } = studio.world.people;
    const day = addDays(date, 7);
    await createMeeting(lead, project, {
      name: 'Standup',
      date: day,
      time: '14:15',
      participantIds: [member.userId],
    });
    const before = await countMeetings();
    const page = `/meetings/new?projectId=${project}&date=${date}&time=14:00`;
    const typed = buildFields({
      date: day,
      participantIds: member.userId,
      recurrence: 'FREQ=DAILY',
      check: 'yes',
    });
    const { status, html } = await studio.lead.send(page, '/meetings', typed);
    expect([status, await countMeetings()]).toEqual([200, before]);
    expect(html).toContain('Busy: 14:15–15:15 Standup');
    const shown = ['name', 'date', 'time', 'location'].map((name) => readValue(html, name));
    expect(shown).toEqual(['Review', day, '14:00', 'Loft']);
    expect([readSelected(html, 'minutes'), readSelected(html, 'recurrence')]).toEqual(['45', 'FREQ=DAILY']);
    expect(readSelected(html, 'projectId')).toBe(String(project));
    expect(readChecked(html)).toEqual([member.userId]);
    expect(html).toContain('>Agenda\nBudget</textarea>');
    const hidden = readHiddenFields(html, `${studio.lead.base}/meetings`);
    const { check: _check, ...rest } = typed;
    const { location } = await studio.lead.post('/meetings', { ...hidden, ...rest });
    expect(await getMeetingAt(location)).toMatchObject({ date: day, time: '14:00' });
  });

  it('adapts the repeat rule to a new date', async () => {
    const [monday, friday] = ['2026-12-07', '2026-12-11'];
    const page = `/meetings/new?projectId=${project}&date=${monday}`;
    const rules = [
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'],
      ['FREQ=MONTHLY;BYDAY=1MO', 'FREQ=MONTHLY;BYDAY=2FR'],
      ['FREQ=MONTHLY;BYMONTHDAY=7', 'FREQ=MONTHLY;BYMONTHDAY=11'],
      ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ] as const;
    for (const [recurrence, expected] of rules) {
      const typed = buildFields({ date: friday, recurrence, check: 'yes' });
      const { html } = await studio.lead.send(page, '/meetings', typed);
      expect([recurrence, readSelected(html, 'recurrence')]).toEqual([recurrence, expected]);
    }
  });

  it('keeps the selected project and time after an error, and shows the error next to its field', async () => {
    const other = studio.world.projects.other.id;
    const { member } = studio.world.people;
    const page = `/meetings/new?projectId=${project}&date=${date}&time=10:00`;
    const { status, html } = await studio.member.send(page, '/meetings', {
      ...buildFields({ projectId: String(other), participantIds: member.userId }),
      name: ' ',
    });
    expect(status).toBe(400);
    expect([readSelected(html, 'projectId'), readValue(html, 'time')]).toEqual([String(other), '14:00']);
    const none = await studio.lead.send(page, '/meetings', buildFields({ projectId: '' }));
    expect(none.status).toBe(400);
    expect(none.html).toContain('id="projectId-problem">This field is required.');
  });

  it('rejects an invalid date, time or duration, and keeps the other values', async () => {
    const page = `/meetings/new?projectId=${project}&date=${date}&time=10:00`;
    for (const wrong of [{ date: 'soon' }, { time: '25:00' }, { minutes: '90000' }]) {
      const { status, html } = await studio.lead.send(page, '/meetings', buildFields(wrong));
      expect([wrong, status, readValue(html, 'name')]).toEqual([wrong, 400, 'Review']);
    }
  });
});
