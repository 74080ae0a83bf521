import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../src/imports/sources/read-source.ts';
import { encode, planBoard as plan } from './plan-board.ts';
import { buildBoard, buildCard, toCardId } from './trello-board.ts';

describe('an imported JSON file', () => {
  it.each([
    ['a single Trello card', { ...buildCard(1), name: 'Lonely' }, "only the Trello card 'Lonely'"],
    [
      'a Trello workspace',
      { id: 'o', displayName: 'Our team', idBoards: [] },
      "the Trello workspace 'Our team'",
    ],
    ['a JSON list', [{ title: 'Issue' }], 'contains a JSON list'],
    [
      'a single Trello list',
      { id: 'l', name: 'To Do', idBoard: 'b' },
      "only part of a Trello board ('To Do')",
    ],
    [
      'a Trello board without cards',
      { name: 'B', shortLink: 'x', cards: {} },
      "the Trello board 'B' without its cards",
    ],
    ['a WeKan board', { _format: 'wekan-board-1.0.0', lists: [], cards: [] }, 'a WeKan board'],
    ['an empty Trello board', buildBoard({ cards: [] }), 'has no cards'],
    ['data from another product', { version: 1 }, 'contains JSON from another product'],
  ])('is rejected if it contains %s', (_what, file, message) => {
    expect(() => plan(file)).toThrow(message);
  });

  it('is rejected if it is incomplete, nested too deeply, or would need too much memory', () => {
    const readText = (text: string) => readSource(encode(text));
    expect(() => readText('{"lists": [], "cards": [')).toThrow("isn't complete JSON");
    expect(() => readText('{"a": 1}}')).toThrow("isn't complete JSON");
    expect(() => readText('['.repeat(5_000_000))).toThrow('50 nested levels');
    expect(() => readText(`[${'{},'.repeat(500_000)}{}]`)).toThrow('400,000 objects and lists');
    expect(() => readText(`{"cards": [${'1,'.repeat(1_100_000)}1]}`)).toThrow('1,000,000 values');
    expect(() => readText(`{"${'x'.repeat(9_000_000)}`)).toThrow("isn't complete JSON");
    const cards = `[${'{"id":"a"},'.repeat(20_000)}{"id":"a"}]`;
    expect(() => readText(`{"lists":[],"cards":${cards}}`)).toThrow('at most 20,000 cards; it has 20,001');
  });

  it('is read even if its values have unexpected types', () => {
    const odd = fc.anything({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value) ?? 'null'));
    const keys = [
      'name',
      'desc',
      'idList',
      'labels',
      'idMembers',
      'pos',
      'due',
      'start',
      'badges',
      'attachments',
    ];
    const anyCard = fc.dictionary(fc.constantFrom(...keys, 'customFieldItems', 'idShort', '__proto__'), odd);
    const lists = ['lists', 'labels', 'members', 'checklists', 'customFields', 'actions'];
    const anyBoard = fc.dictionary(fc.constantFrom(...lists), fc.oneof(odd, fc.array(odd)));
    fc.assert(
      fc.property(anyBoard, fc.array(anyCard, { minLength: 1, maxLength: 3 }), (board, cards) => {
        const valid = cards.map((card, index) => ({ ...card, id: toCardId(index) }));
        const { tasks } = plan({
          ...board,
          lists: Array.isArray(board.lists) ? board.lists : [],
          cards: [...valid, 5, null, {}],
        });
        expect(tasks).toHaveLength(cards.length);
        for (const { name } of tasks) expect(typeof name).toBe('string');
      }),
      { numRuns: 200 },
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('can contain keys such as __proto__, which are read as data', () => {
    const text = `{"lists":[],"cards":[{"id":"a","name":"A","__proto__":{"desc":"x","closed":true}}],"__proto__":{"id":"b"}}`;
    const source = readSource(encode(text));
    expect(source.name).toBeUndefined();
    expect(source.columns.map(({ header }) => header)).toEqual(['Card id', 'Name']);
  });

  it("is read without characters that can't be stored", () => {
    const text = '{"lists":[],"cards":[{"id":"a","name":"A\\u0000\\ud800"}]}';
    expect(readSource(encode(text)).tasks[0]?.cells).toEqual(['a', 'A\uFFFD']);
  });
});
