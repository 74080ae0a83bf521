// This file is long because all its tests plan imports of small files with the same functions.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexPeople } from '../../src/imports/plan/index-people.ts';
import { planImport } from '../../src/imports/plan/plan-import.ts';
import { readCsv } from '../../src/imports/sources/read-csv.ts';
import type { ColumnUse } from '../../src/imports/sources/source.ts';
import { expectLinear } from '../support/linear-time.ts';

const people = [
  { no: 1, user_id: 'usr_mara', name: 'Mara Lindqvist', email: 'mara@example.com' },
  { no: 2, user_id: 'usr_ole', name: 'Ole', email: 'ole@example.com' },
  { no: 3, user_id: 'usr_other', name: 'Ole', email: 'other@example.com' },
];

function planCsv(text: string, options: { uses?: ColumnUse[]; choices?: Record<string, string> } = {}) {
  return planImport(readCsv(text, options.uses), {
    ...indexPeople(people),
    fileKey: 'file:x',
    dateOrder: undefined,
    timezone: 'Europe/Berlin',
    today: '2026-11-28',
    labels: new Map([['shipped', 'completed']]),
    findChoice: (_column, value) => options.choices?.[value] ?? null,
  });
}
const planTask = (text: string, options = {}) => planCsv(text, options).tasks[0];
const countWords = (text: string, column = 1) => planCsv(text).columns[column]?.counts;

describe('an import plan', () => {
  it('recognizes the statuses of other products and languages, and marks other statuses as not recognized', () => {
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

  it('keeps an unknown priority as text', () => {
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

  it('shortens a long name, and keeps the full name in the description', () => {
    const name = 'n'.repeat(600);
    expect(planTask(`Task,Status\n${name},Todo`)).toMatchObject({
      name: name.slice(0, 500),
      description: name,
    });
  });

  it('keeps the completion date only for completed tasks', () => {
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

  it('reads checklists, archived tasks and completed tasks from columns that are chosen for them', () => {
    const task = planTask(
      'Task,Steps,Gone,Finished,Status\nA,"[x] One\n- [ ] Two\nThree\n[ ]",2026-01-05,yes,Todo',
      {
        uses: ['name', 'checklist', 'isArchived', 'isCompleted', 'status'],
      },
    );
    expect(task).toMatchObject({
      isArchived: true,
      status: 'completed',
      checklist: [
        { text: 'One', isDone: true },
        { text: 'Two', isDone: false },
        { text: 'Three', isDone: false },
      ],
      texts: [
        { label: 'Steps', text: '[ ]' },
        { label: 'Status', text: 'Todo' },
      ],
    });
    expect(planCsv('Task,Archived,Checklist\nA,yes,B').columns.map(({ use }) => use)).toEqual([
      'name',
      'text',
      'text',
    ]);
  });

  it('puts older tasks first, and parents before their subtasks', () => {
    const { tasks } = planCsv(
      'ID,Task,Parent,Created\n1,New,,2026-02-01\n2,Child,3,2026-01-01\n3,Parent,,2026-03-01',
    );
    expect(tasks.map(({ name, parent }) => [name, parent])).toEqual([
      ['Parent', null],
      ['Child', 0],
      ['New', null],
    ]);
  });

  it('reverses the order of top-level tasks if there are no creation times, but keeps the order of subtasks', () => {
    const { tasks } = planCsv('ID,Task,Parent\n1,First,\n2,One,1\n3,Two,1\n4,Last,');
    expect(tasks.map(({ name }) => name)).toEqual(['Last', 'First', 'One', 'Two']);
  });

  it('reports parents that are missing, ambiguous, circular or too deep', () => {
    const missing = planCsv('ID,Task,Parent\n1,A,9');
    expect(missing.notes[0]?.text).toContain("isn't in the file");
    expect(missing.tasks[0]?.texts).toContainEqual({ label: 'Parent', text: '9' });
    expect(planCsv('Task,Parent task\nA,\nA,\nB,A').notes[0]?.text).toContain('Several tasks');
    const ring = planCsv('ID,Task,Parent\n1,A,2\n2,B,1\n3,C,3');
    expect(ring.tasks.map(({ parent }) => parent)).toEqual([null, null, null]);
    const deep = planCsv(
      `ID,Task,Parent\n${Array.from({ length: 7 }, (_, index) => `${index + 1},T${index + 1},${index || ''}`).join('\n')}`,
    );
    expect(deep.notes).toHaveLength(2);
    const levels = deep.tasks.map(({ parent }) => parent);
    expect(levels.filter((parent) => parent === levels[4])).toHaveLength(3);
  });

  it('reports an id that several rows share, and contains a task for each row', () => {
    const { tasks, notes } = planCsv('ID,Task\nX-1,A\nX-1,B');
    expect(tasks.map(({ key }) => key).sort()).toEqual(['again:2:id:X-1', 'id:X-1']);
    expect(notes).toEqual([{ row: 2, text: "Has the same ID as row 1: 'X-1'. Both rows become tasks." }]);
  });

  it('has a unique key for each task, whatever its id', () => {
    const id = fc.constantFrom('A', 'B', 'A:2', 'id:A', 'again:2:id:A', '2', `${'A'.repeat(300)}`, '');
    fc.assert(
      fc.property(fc.array(id, { minLength: 1, maxLength: 20 }), (ids) => {
        const { tasks } = planCsv(`ID,Task\n${ids.map((each) => `${each},T`).join('\n')}`);
        expect(new Set(tasks.map(({ key }) => key)).size).toBe(ids.length);
      }),
    );
    expect(new Set(planCsv('ID,Task\nA,1\nA,2\nA:2,3').tasks.map(({ key }) => key)).size).toBe(3);
  });

  it('picks one parent if a row has several, preferably not the epic, and keeps the others as text', () => {
    const { tasks, columns } = planCsv(
      'ID,Task,Epic Link,Parent,Parent summary\n1,E,,,\n2,P,,,\n3,C,1,2,P\n4,D,1,,Gone',
    );
    const listTexts = (row: number) => tasks.find((task) => task.row === row)?.texts.map(({ text }) => text);
    const parents = tasks.map(({ row, parent }) => [row, parent === null ? null : tasks[parent]?.row]);
    expect(Object.fromEntries(parents)).toEqual({ 1: null, 2: null, 3: 2, 4: 1 });
    expect(listTexts(3)).toEqual(['3', '1']);
    expect(listTexts(4)).toEqual(['4', 'Gone']);
    expect(columns.slice(2).map(({ counts }) => [counts.made, counts.keptAsText])).toEqual([
      [1, 1],
      [1, 0],
      [1, 1],
    ]);
  });

  it('shortens long column names in descriptions, and rejects a file if its tasks would be too large', () => {
    const header = 'H&'.repeat(100);
    const label = planTask(`Task,${header}\nA,x`)?.texts[0]?.label;
    expect(label).toBe(`${header.slice(0, 39)}…`);
    const buildFile = (rows: number) =>
      [`Task,${Array(249).fill(header).join(',')}`, ...Array(rows).fill(`A${',x'.repeat(249)}`)].join('\n');
    expect(planCsv(buildFile(1_000)).tasks).toHaveLength(1_000);
    expect(() => planCsv(buildFile(1_990))).toThrow(
      'The import would create more than 50,000,000 characters',
    );
  });

  it.each([
    ['name', (row: number) => `${row},same`],
    ['id', (row: number) => `same,${row}`],
  ] as const)('takes linear time for thousands of tasks with the same %s', async (_what, toLine) => {
    const makeFile = (rows: number) => ['ID,Task', ...Array.from({ length: rows }, (_, row) => toLine(row))];
    await expectLinear((rows) => makeFile(rows).join('\n'), 10_000, planCsv);
  });

  it('shortens very long names, and keeps very long lists as text', () => {
    const name = 'n '.repeat(10_000).trim();
    const cut = planCsv(`Task,Status\n${name},Todo`);
    expect(cut.tasks[0]?.description).toHaveLength(9_999);
    expect(cut.columns[0]?.counts.leftOut).toBe(1);
    expect(cut.notes[0]?.text).toContain('The name has 19,999 characters');
    const list = 'a,'.repeat(6_000);
    expect(planTask(`Task,Tags\nA,"${list}"`)).toMatchObject({
      tags: [],
      texts: [{ label: 'Tags', text: list }],
    });
  });

  it("removes or replaces characters that can't be stored, even inside JSON lists", () => {
    const json = JSON.stringify(['\ud800z', 'a\u0000b']).replaceAll('"', '""');
    expect(planTask(`Task,Tags\nA,"${json}"`)?.tags).toEqual(['\uFFFDz', 'ab']);
    expect(planCsv(`Task,Assignee\nA,"${json}"`).values.map(({ text }) => text)).toEqual(['\uFFFDz', 'ab']);
    const note = planCsv(`Task,Due date\nA,${'🙂'.repeat(60)}`).notes[0]?.text ?? '';
    expect(note.isWellFormed()).toBe(true);
  });

  it('reports dates that can be read in two ways', () => {
    expect(planCsv('Task,Due date\nA,3/4/2026').notes[0]?.text).toContain('day-first or month-first');
    expect(
      planCsv('Task,Due date\nA,3/4/2026\nB,4/13/2026')
        .tasks.map(({ deadline }) => deadline)
        .sort(),
    ).toEqual(['2026-03-04', '2026-04-13']);
  });

  it('counts every value exactly once', () => {
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
        const { columns, tasks } = planCsv(lines.join('\n'));
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
