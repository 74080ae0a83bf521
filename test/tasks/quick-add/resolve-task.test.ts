import { describe, expect, it } from 'vitest';
import { parseText } from '../../../src/tasks/quick-add/parse-text.ts';
import { resolveQuickAddTask } from '../../../src/tasks/quick-add/resolve-task.ts';

/** A Friday. */
const TODAY = '2026-11-27';
const found = {
  people: [],
  similarPeople: [],
  projects: [],
  similarProjects: [],
  numbered: [{ id: 1, name: 'Site' }],
  parents: null,
  labels: null,
};
const resolveTask = (text: string, time = '12:00') =>
  resolveQuickAddTask(parseText(text, TODAY), found, {
    caller: { userId: 'usr_1', name: 'Ada', plan: 'pro', timezone: 'UTC' },
    now: Date.parse(`${TODAY}T${time}:00Z`),
    clock: { date: TODAY, time },
    chosen: 1,
  });

describe('a repeating task in quick-add text', () => {
  it.each([
    ['daily', TODAY],
    ['every week', TODAY],
    ['monthly', TODAY],
    ['every friday', TODAY],
    ['every monday', '2026-11-30'],
    ['every other monday', '2026-11-30'],
    ['every 3 weeks on thu', '2026-12-03'],
    ['every 15th', '2026-12-15'],
    ['every last day', '2026-11-30'],
    ['every last friday', TODAY],
    ['every 3 days after completion', TODAY],
    // Without a named day, the first task can't be due at a time that has already passed today.
    ['every day at 13:00', TODAY],
    ['every day at 12:00', '2026-11-28'],
    ['every friday 9am', '2026-12-04'],
    // A named day takes precedence over the repetition and the time.
    ['every monday, tomorrow', '2026-11-28'],
    ['every day at 9am, today', TODAY],
  ])('is first due on the named day, or else on the first matching day: %j', (phrase, deadline) => {
    const { problems, deadline: due, recurrence } = resolveTask(`Task, ${phrase}`);
    expect([problems, due]).toEqual([[], deadline]);
    expect(recurrence).not.toBeNull();
  });

  it.each(['2099-01-01', '1999-01-01'])('is rejected if it would be due on %s', (day) => {
    expect(resolveTask(`Task, every week, ${day}`).problems).toEqual([
      '“every week” needs a first and a next date within 10 years of today. Change it, or the day.',
    ]);
  });
});

describe('a tag in quick-add text', () => {
  it("can't contain control characters", () => {
    expect(resolveTask('Task, +a\u0001b')).toMatchObject({
      problems: ["“a\u0001b” can't be a tag, because it contains control characters."],
      tags: [],
    });
  });
});
