import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexPeople, planImport } from '../../src/imports/plan/plan-import.ts';
import { findDateOrder, readDate } from '../../src/imports/plan/read-date.ts';
import { readCsv } from '../../src/imports/sources/read-csv.ts';
import type { ColumnUse } from '../../src/imports/sources/source.ts';

const people = [
  { no: 1, user_id: 'usr_mara', name: 'Mara Lindqvist', email: 'mara@example.com' },
  { no: 2, user_id: 'usr_ole', name: 'Ole', email: 'ole@example.com' },
  { no: 3, user_id: 'usr_other', name: 'Ole', email: 'other@example.com' },
];

function plan(text: string, options: { uses?: ColumnUse[]; choices?: Record<string, string> } = {}) {
  return planImport(readCsv(new TextEncoder().encode(text), options.uses), {
    ...indexPeople(people),
    fileKey: 'file:x',
    dateOrder: undefined,
    timezone: 'Europe/Berlin',
    today: '2026-11-28',
    labels: new Map([['shipped', 'completed']]),
    findChoice: (_column, value) => options.choices?.[value] ?? null,
  });
}
const planTask = (text: string, options = {}) => plan(text, options).tasks[0];
const countWords = (text: string, column = 1) => plan(text).columns[column]?.counts;

describe('dates', () => {
  const read = (text: string, order: 'dmy' | 'mdy' = 'dmy', timezone = 'UTC') => {
    const found = readDate(text, { order, timezone });
    return found && [found.date, found.time];
  };

  it.each([
    ['2026-03-02', ['2026-03-02', null]],
    ['2026-03-02T09:30:00.000Z', ['2026-03-02', '09:30']],
    ['2026/3/2', ['2026-03-02', null]],
    ['15/Feb/26 4:37 PM', ['2026-02-15', '16:37']],
    ['Wed May 13 2026 11:21:41 GMT+0000 (GMT+00:00)', ['2026-05-13', '11:21']],
    ['Mon, 21 Apr 2025 10:17:06 UTC+0000', ['2025-04-21', '10:17']],
    ['4 Dec 2027', ['2027-12-04', null]],
    ['Dec 4, 2027', ['2027-12-04', null]],
    ['3 févr. 2026', ['2026-02-03', null]],
    ['12. März 2026', ['2026-03-12', null]],
    ['5 de agosto de 2026', ['2026-08-05', null]],
    ['3.4.26', ['2026-04-03', null]],
    ['45658', ['2025-01-01', null]],
    ['12:30 AM', null],
    ['2026-02-30', null],
    ['0001-01-01T00:00:00Z', null],
    ['soon', null],
    ['12', null],
  ])('read %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('follow the order of day and month', () => {
    expect(read('3/4/2026', 'mdy')).toEqual(['2026-03-04', null]);
    expect(findDateOrder(['3/4/2026', '4/13/2026'])).toBe('mdy');
    expect(findDateOrder(['3/4/2026', '13/4/2026'])).toBe('dmy');
    expect(findDateOrder(['3/4/2026'])).toBe('ambiguous');
    expect(findDateOrder(['2026-03-04', '3/3/2026'])).toBeNull();
  });

  it('with a time zone become days in the time zone of the workspace', () => {
    expect(read('2026-03-02T23:30:00Z', 'dmy', 'Europe/Berlin')).toEqual(['2026-03-03', '00:30']);
    expect(read('2026-03-02 23:30', 'dmy', 'Europe/Berlin')).toEqual(['2026-03-02', '23:30']);
  });
});

describe('the plan of an import', () => {
  it('maps the statuses of other products and languages, and asks about the others', () => {
    expect(countWords('Task,Status\nA,Todo\nB,Erledigt\nC,Shipped\nD,QA gate')).toEqual({
      made: 2,
      mapped: 1,
      keptAsText: 0,
      leftOut: 0,
      notRecognized: 1,
    });
    const chosen = planTask('Task,Status\nD,QA gate', { choices: { 'QA gate': 'internal_review' } });
    expect(chosen).toMatchObject({ status: 'internal_review', texts: [] });
  });

  it('never guesses an unknown priority', () => {
    expect(planTask('Task,Priority\nA,Urgent')).toMatchObject({
      priority: 'medium',
      texts: [{ label: 'Priority', text: 'Urgent' }],
    });
  });

  it('matches people by email address or by a name that only one person has', () => {
    expect(planTask('Task,Assignee\nA,MARA@example.com')?.assignees).toEqual([1]);
    expect(planTask('Task,Assignee\nA,mara lindqvist')?.assignees).toEqual([1]);
    expect(planTask('Task,Assignee\nA,Ole')).toMatchObject({
      assignees: [],
      texts: [{ label: 'Assignee', text: 'Ole' }],
    });
    expect(planTask('Task,Assignee\nA,Ole', { choices: { Ole: 'usr_ole' } })?.assignees).toEqual([2]);
  });

  it('cuts a long name, and keeps it whole in the description', () => {
    const name = 'n'.repeat(600);
    expect(planTask(`Task,Status\n${name},Todo`)).toMatchObject({
      name: name.slice(0, 500),
      description: name,
    });
  });

  it('keeps the time of completion only for completed tasks', () => {
    expect(planTask('Task,Status,Completed\nA,Done,2026-01-05')?.completedOn).toBe('2026-01-05');
    expect(planTask('Task,Completed\nA,2026-01-05')).toMatchObject({
      status: 'completed',
      completedOn: '2026-01-05',
    });
    expect(planTask('Task,Status,Completed\nA,Todo,2026-01-05')).toMatchObject({
      status: 'todo',
      completedOn: null,
    });
    expect(planTask('Task,Completed\nA,2027-01-05')?.completedOn).toBeNull();
  });

  it('creates older tasks first, and parents before their subtasks', () => {
    const { tasks } = plan(
      'ID,Task,Parent,Created\n1,New,,2026-02-01\n2,Child,3,2026-01-01\n3,Parent,,2026-03-01',
    );
    expect(tasks.map(({ name, parent }) => [name, parent])).toEqual([
      ['Parent', null],
      ['Child', 0],
      ['New', null],
    ]);
  });

  it('creates the first row last without creation times, and keeps the order of subtasks', () => {
    const { tasks } = plan('ID,Task,Parent\n1,First,\n2,One,1\n3,Two,1\n4,Last,');
    expect(tasks.map(({ name }) => name)).toEqual(['Last', 'First', 'One', 'Two']);
  });

  it('names parents that are missing, ambiguous, in a ring or too deep', () => {
    const missing = plan('ID,Task,Parent\n1,A,9');
    expect(missing.notes[0]?.text).toContain("isn't in the file");
    expect(missing.tasks[0]?.texts).toContainEqual({ label: 'Parent', text: '9' });
    expect(plan('Task,Parent task\nA,\nA,\nB,A').notes[0]?.text).toContain('Several tasks');
    const ring = plan('ID,Task,Parent\n1,A,2\n2,B,1\n3,C,3');
    expect(ring.tasks.map(({ parent }) => parent)).toEqual([null, null, null]);
    const deep = plan(
      `ID,Task,Parent\n${Array.from({ length: 7 }, (_, index) => `${index + 1},T${index + 1},${index || ''}`).join('\n')}`,
    );
    expect(deep.notes).toHaveLength(2);
    const levels = deep.tasks.map(({ parent }) => parent);
    expect(levels.filter((parent) => parent === levels[4])).toHaveLength(3);
  });

  it('reports an id that several rows have, and creates each row', () => {
    const { tasks, notes } = plan('ID,Task\nX-1,A\nX-1,B');
    expect(tasks.map(({ key }) => key).sort()).toEqual(['id:X-1', 'id:X-1:2']);
    expect(notes).toEqual([{ row: 2, text: "Has the same ID as row 1: 'X-1'. Both rows become tasks." }]);
  });

  it('says when dates can be read in two ways', () => {
    expect(plan('Task,Due date\nA,3/4/2026').notes[0]?.text).toContain('day or the month');
    expect(
      plan('Task,Due date\nA,3/4/2026\nB,4/13/2026')
        .tasks.map(({ deadline }) => deadline)
        .sort(),
    ).toEqual(['2026-03-04', '2026-04-13']);
  });

  it('counts every value exactly once, as a second counter does', () => {
    const cell = fc.constantFrom(
      '',
      'A',
      'Done',
      '2026-01-02',
      '3/4/2026',
      'x, y',
      'Mara Lindqvist',
      '1',
      '2',
      '7h',
      'ZZ',
      '12:30',
    );
    const headers = [
      'ID',
      'Task',
      'Status',
      'Due date',
      'Due time',
      'Tags',
      'Tags',
      'Assignee',
      'Parent',
      'Completed',
      'Estimate',
      'Sprint',
    ];
    const row = fc.array(cell, { minLength: 2, maxLength: headers.length });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const filled = rows.filter((cells) => cells.some((text) => text !== ''));
        fc.pre(filled.length > 0);
        const lines = [headers, ...rows].map((cells) => cells.map((text) => `"${text}"`).join(','));
        const { columns, tasks } = plan(lines.join('\n'));
        expect(tasks).toHaveLength(filled.length);
        for (const [index, { filled: count, counts }] of columns.entries()) {
          expect(count).toBe(filled.filter((cells) => (cells[index] ?? '') !== '').length);
          expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(count);
        }
        for (const [place, { parent }] of tasks.entries()) expect(parent ?? -1).toBeLessThan(place);
      }),
    );
  });
});
