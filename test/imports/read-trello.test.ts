// This file is long because all its tests read small boards with the same function.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../src/imports/sources/read-source.ts';
import { expectLinear } from '../support/linear-time.ts';
import { encode, planBoard as plan } from './plan-board.ts';
import { buildBoard, buildCard, buildChecklist, buildComment, people, toCardId } from './trello-board.ts';

/** Plans an import of a board with one card. Returns the report, the task, and the task's texts by label. */
function planCard(changes: Record<string, unknown>, board: Record<string, unknown> = {}) {
  const { tasks, ...report } = plan(buildBoard({ cards: [buildCard(1, changes)], ...board }));
  const [task] = tasks;
  if (!task) throw new Error('no task was planned');
  return { ...report, task, texts: Object.fromEntries(task.texts.map(({ label, text }) => [label, text])) };
}
const getCounts = (columns: ReturnType<typeof plan>['columns'], header: string) =>
  columns.find((column) => column.header === header)?.counts;

describe('reading a Trello board', () => {
  it('names the board as the source, and identifies cards by their ids', () => {
    const source = readSource(encode(JSON.stringify(buildBoard({ cards: [buildCard(7)] }))));
    expect(source.name).toBe('trello:5f0000000000000000000001');
    expect(planCard({}).task.key).toBe(`id:${toCardId(1)}`);
    expect(readSource(encode(JSON.stringify({ lists: [], cards: [buildCard(1)] }))).name).toBeUndefined();
  });

  it('drops the secret email addresses of the board and its cards', () => {
    const board = buildBoard({ cards: [buildCard(1), buildCard(2)] });
    const source = readSource(encode(JSON.stringify(board)));
    const lists = source.tasks.map((task) => [...(task.lists ?? [])]);
    expect(JSON.stringify([source, lists])).not.toMatch(/secret|boards\.trello/);
  });

  it('orders cards by their position on the board, not in the file', () => {
    const cards = [
      buildCard(1, { idList: 'list-doing' }),
      buildCard(2, { pos: 3.5 }),
      buildCard(3, { pos: 'top' }),
      buildCard(4, { pos: 2 }),
      buildCard(5, { idList: 'gone' }),
    ];
    const { tasks, notes } = plan(buildBoard({ cards }));
    // Lists show the newest task first, so the tasks are created in reverse order.
    expect(tasks.map(({ name }) => name).reverse()).toEqual([
      'Card 4',
      'Card 2',
      'Card 3',
      'Card 1',
      'Card 5',
    ]);
    expect(notes).toContainEqual({
      row: null,
      text: "Imported without a status: 1 card in lists that aren't in the file.",
    });
  });

  it('maps lists to statuses by name, and completes cards whose due date is marked complete', () => {
    expect(planCard({ idList: 'list-doing' }).task.status).toBe('in_progress');
    const unknown = planCard({ idList: 'list-qa' });
    expect(unknown.task.status).toBe('todo');
    expect(unknown.values).toMatchObject([{ text: 'Gate', means: null }]);
    const done = planCard({ idList: 'list-doing', due: '2026-03-04T22:30:00.000Z', dueComplete: true });
    expect(done.task).toMatchObject({ status: 'completed', deadline: '2026-03-04', dueTime: '23:30' });
    expect(done.texts.List).toBe('Doing');
    const dated = planCard({ dueComplete: true, dateCompleted: '2026-03-05T08:00:00.000Z' });
    expect(dated.task).toMatchObject({ status: 'completed', completedOn: '2026-03-05' });
  });

  it('archives closed cards and cards in closed lists', () => {
    expect(planCard({}).task.isArchived).toBe(false);
    expect(planCard({ closed: true }).task.isArchived).toBe(true);
    expect(planCard({ idList: 'list-old' }).task).toMatchObject({ isArchived: true, status: 'completed' });
  });

  it('turns labels into tags, and names the tag of an unnamed label after its color', () => {
    expect(planCard({ idLabels: ['label-web', 'label-green'] }).task.tags).toEqual(['web', 'green dark']);
    const labels = [{ name: 'a, b', color: 'red' }, { name: '', color: 'sky_light' }, { name: 'x;y' }, {}];
    const { task, texts, columns } = planCard({ labels });
    expect(task.tags).toEqual(['sky light', 'x;y', 'no color']);
    expect(texts.Labels).toBe('a, b');
    expect(getCounts(columns, 'Labels')).toMatchObject({ made: 3, keptAsText: 1 });
  });

  it('matches members by full name or username, even if they have left the board', () => {
    const { task, columns } = planCard(
      { idMembers: [people.mara, people.left, 'gone'] },
      { actions: [buildComment(1, 'Hi')] },
    );
    expect(task.assignees).toEqual([1, 2]);
    expect(task.texts).toContainEqual({
      label: 'Members',
      text: 'gone',
      items: ['gone'],
      hasMarkdown: false,
    });
    expect(getCounts(columns, 'Members')).toMatchObject({ made: 2, notRecognized: 1 });
    const sharing = [1, 2].map((id) => ({ id: `m${id}`, fullName: 'Mara Lindqvist', username: `mara${id}` }));
    const shared = planCard({ idMembers: ['m1'] }, { members: sharing });
    expect(shared.task.assignees).toEqual([]);
    expect(shared.texts.Members).toBe('Mara Lindqvist / mara1');
  });

  it('merges checklists into one, with items in order and checked items still checked', () => {
    const one = planCard(
      {},
      {
        checklists: [
          buildChecklist(1, 'Checklist', [
            ['Two', true],
            ['One', false],
          ]),
        ],
      },
    );
    expect(one.task.checklist).toEqual([
      { text: 'One', isDone: false },
      { text: 'Two', isDone: true },
    ]);
    expect(one.texts['Checklist name']).toBeUndefined();
    const named = planCard({}, { checklists: [buildChecklist(1, 'Launch', [['A', true]])] });
    expect(named.texts['Checklist name']).toBe('Launch');
    const two = [buildChecklist(1, 'B', [['x', true]], 2), buildChecklist(1, 'A', [['y', false]], 1)];
    expect(planCard({}, { checklists: two }).task.checklist).toEqual([
      { text: 'A: y', isDone: false },
      { text: 'B: x', isDone: true },
    ]);
  });

  it('keeps checklist items as text if there are too many, or if they are too long', () => {
    const items = Array.from({ length: 102 }, (_, index) => [`Item ${index}`, false] as const);
    const long = 'l'.repeat(501);
    const checklists = [buildChecklist(1, 'Checklist', [...items, [long, true]])];
    const { task, texts, columns } = planCard({}, { checklists });
    expect(task.checklist).toHaveLength(100);
    expect(texts.Checklists).toBe(`[x] ${long}\n[ ] Item 1\n[ ] Item 0`);
    expect(getCounts(columns, 'Checklists')).toMatchObject({ made: 100, keptAsText: 3 });
  });

  it('keeps comments with their authors and times, oldest first', () => {
    const actions = [
      buildComment(1, 'Newer', '2026-01-06T10:00:00.000Z'),
      { type: 'updateCard', date: '2026-01-05T12:00:00.000Z', data: {} },
      buildComment(1, 'Older\nline', '2026-01-05T10:00:00.000Z'),
      buildComment(99, 'On a card that is not in the file'),
    ];
    const { texts, notes, columns } = planCard({}, { actions });
    expect(texts.Comments).toBe(
      'Ola Left, 2026-01-05 10:00 UTC:\nOlder\nline\n\nOla Left, 2026-01-06 10:00 UTC:\nNewer',
    );
    expect(getCounts(columns, 'Comments')).toMatchObject({ keptAsText: 2 });
    expect(notes.map(({ text }) => text)).toEqual([
      "Left out: 1 comment on cards that aren't in the file.",
      'Left out: 1 activity record other than comments, such as card moves.',
      'Left out: 3 lists without cards (Done, Doing, Gate).',
    ]);
  });

  it("omits the newest comments if they don't fit into the description, and reports how many", () => {
    const actions = Array.from({ length: 15 }, (_, index) =>
      buildComment(1, `${index} ${'c'.repeat(9_000)}`, `2026-01-${10 + index}T10:00:00.000Z`),
    );
    const { texts, notes, columns } = planCard({}, { actions });
    expect(getCounts(columns, 'Comments')).toMatchObject({ keptAsText: 11, leftOut: 4 });
    expect(texts.Comments).toContain('10 ccc');
    expect(texts.Comments).not.toContain('11 ccc');
    expect(notes.some(({ text }) => text.startsWith('Comments: the last 4 of 15'))).toBe(true);
  });

  it("reports how many comments, checklist items and attachments aren't in the file", () => {
    const badges = { comments: 12, checkItems: 3, attachments: 1 };
    const actions = Array.from({ length: 1_000 }, () => buildComment(2, 'Hi'));
    const { notes } = plan(
      buildBoard({
        cards: [buildCard(1, { badges }), buildCard(2, { badges: { comments: 1_001 } })],
        actions,
      }),
    );
    expect(notes.map(({ row, text }) => [row, text])).toEqual(
      expect.arrayContaining([
        [
          null,
          'Not in the file: 13 comments on 2 cards, because Trello exports only the newest 1,000 actions of a board.',
        ],
        [1, 'Has 12 comments in Trello, but 0 in the file.'],
        [2, 'Has 1,001 comments in Trello, but 1,000 in the file.'],
        [null, 'Not in the file: 3 checklist items on 1 card.'],
        [null, 'Not in the file: 1 attachment on 1 card.'],
      ]),
    );
  });

  it('keeps links, custom fields and other values as text', () => {
    const customFields = [
      { id: 'f1', name: 'Effort', type: 'number' },
      { id: 'f2', name: 'Risk', type: 'list', options: [{ id: 'o1', value: { text: 'High' } }] },
      { id: 'f3', name: 'Unused', type: 'text' },
    ];
    const card = {
      name: 'Main',
      customFieldItems: [
        { idCustomField: 'f1', value: { number: '5' } },
        { idCustomField: 'f2', value: null, idValue: 'o1' },
        { idCustomField: 'f9', value: { checked: 'true' } },
      ],
      attachments: [
        { name: 'brief.pdf', url: 'https://trello.com/1/cards/x/brief.pdf' },
        { name: 'https://trello.com/c/link1', url: 'https://trello.com/c/link1/1-main' },
      ],
      locationName: 'Oslo',
      badges: { votes: 2 },
      dueReminder: 60,
    };
    const { texts, columns } = planCard(card, { customFields });
    expect(texts).toMatchObject({
      Effort: '5',
      Risk: 'High',
      'Other custom fields': 'true',
      Attachments: 'brief.pdf: https://trello.com/1/cards/x/brief.pdf',
      'Linked cards': 'Main: https://trello.com/c/link1/1-main',
      Created: '2020-07-04T04:09:20.000Z',
      'Card number': '1',
      'Card link': 'https://trello.com/c/link1',
      Location: 'Oslo',
      Votes: '2',
    });
    expect(getCounts(columns, 'Reminder in minutes')).toMatchObject({ leftOut: 1 });
    expect(columns.map(({ header }) => header)).not.toContain('Unused');
  });

  it('counts every value exactly once', () => {
    const text = fc.constantFrom('', 'A', 'a, b', 'x'.repeat(600), 'Ola Left', 'To Do');
    const list = fc.constantFrom('list-todo', 'list-doing', 'list-qa', 'list-old', 'gone');
    const time = fc.constantFrom(null, '2026-03-04T10:00:00.000Z', 'soon');
    const card = fc.record({
      name: text,
      desc: text,
      idList: list,
      closed: fc.boolean(),
      due: time,
      dueComplete: fc.boolean(),
      labels: fc.array(fc.record({ name: text, color: fc.constantFrom(null, 'red') }), { maxLength: 3 }),
      idMembers: fc.array(fc.constantFrom(people.mara, people.left, 'gone'), { maxLength: 3 }),
      items: fc.array(fc.tuple(text, fc.boolean()), { maxLength: 4 }),
      comments: fc.array(text, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(card, { minLength: 1, maxLength: 12 }), (drafts) => {
        const cards = drafts.map((draft, index) => buildCard(index, draft));
        const checklists = drafts.map(({ items }, index) => buildChecklist(index, 'Checklist', items));
        const actions = drafts.flatMap(({ comments }, index) =>
          comments.map((each) => buildComment(index, each)),
        );
        const { columns, tasks } = plan(buildBoard({ cards, checklists, actions }));
        const sumDrafts = (count: (draft: (typeof drafts)[number]) => number) =>
          drafts.reduce((total, draft) => total + count(draft), 0);
        const countNamed = (value: string | null) => (value ? 1 : 0);
        const expected = {
          'Card id': drafts.length,
          Name: sumDrafts(({ name }) => countNamed(name)),
          Description: sumDrafts(({ desc }) => countNamed(desc)),
          List: sumDrafts(({ idList }) => (idList === 'gone' ? 0 : 1)),
          Labels: sumDrafts(({ labels }) => labels.length),
          Members: sumDrafts(({ idMembers }) => idMembers.length),
          'Due date': sumDrafts(({ due }) => countNamed(due)),
          Complete: sumDrafts(({ dueComplete }) => (dueComplete ? 1 : 0)),
          Archived: sumDrafts(({ closed, idList }) => (closed || idList === 'list-old' ? 1 : 0)),
          Checklists: sumDrafts(({ items }) => items.length),
          Comments: sumDrafts(({ comments }) => comments.length),
        };
        expect(tasks).toHaveLength(drafts.length);
        for (const [header, number] of Object.entries(expected)) {
          const column = columns.find((each) => each.header === header);
          expect([header, column?.filled ?? 0]).toEqual([header, number]);
          const counted = Object.values(column?.counts ?? {}).reduce((total, each) => total + each, 0);
          expect([header, counted]).toEqual([header, number]);
        }
        expect(tasks.reduce((total, { checklist }) => total + checklist.length, 0)).toBe(
          getCounts(columns, 'Checklists')?.made ?? 0,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('takes linear time for thousands of cards with comments and checklists', async () => {
    const buildLargeBoard = (cards: number) =>
      buildBoard({
        cards: Array.from({ length: cards }, (_, index) => buildCard(index)),
        actions: Array.from({ length: cards }, (_, index) => buildComment(index, 'Hi')),
        checklists: Array.from({ length: cards }, (_, index) => buildChecklist(index, 'C', [['a', true]])),
      });
    await expectLinear(buildLargeBoard, 2_000, plan);
  });
});
