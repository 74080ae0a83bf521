import { beforeAll, describe, expect, it } from 'vitest';
import { toSearchKey } from '../../../src/search/index/search-key.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { insertTaskTexts, type TaskText } from '../../support/insert-texts.ts';
import { expectQuick } from '../../support/linear-time.ts';
import { createRandom } from '../../support/random.ts';
import { createWorld, type World } from '../../support/world.ts';

/** A search takes much less time than this, even on a busy machine. */
const MS_MAX = 1_000;
const ROWS_MAX = 60;
const DESCRIPTION_MAX = 100_000;

const getTextLocation = (world: World) => ({
  no: world.no,
  project: world.projects.joined.id,
  member: world.people.owner.member,
});

const requestAsOwner = (world: World, path: string) => api(world.people.owner.token).get(path);
const expectQuickAnswer = (world: World, path: string) =>
  expectQuick(() => requestAsOwner(world, path), MS_MAX, path);

describe('a search in a cell where one workspace stores hostile text', () => {
  let mine: World;
  let theirs: World;

  beforeAll(async () => {
    [mine, theirs] = [await createWorld(), await createWorld()];
    await insertTaskTexts(getTextLocation(mine), [{ name: 'q' }, { name: 'quiz' }, { name: 'other' }]);
    // Some descriptions contain many different sequences that start with `q`. Others repeat a single letter.
    const letters = Array.from({ length: DESCRIPTION_MAX / 3 }, (_, index) =>
      String.fromCodePoint(0x61, 0x4e00 + (index % 20_000)),
    );
    const spread = letters.map((letter) => `q${letter}`).join('');
    await insertTaskTexts(getTextLocation(theirs), [
      ...[1, 2, 3].map((turn) => ({ name: 'x', description: `${turn}${spread}` })),
      ...Array.from({ length: 30 }, () => ({ name: 'x', description: 'a'.repeat(DESCRIPTION_MAX) })),
      // Each of these names contains only a part of the word "other". A search for "other" must not read all of them.
      ...Array.from({ length: 3_000 }, (_, index) => ({ name: index % 2 === 0 ? 'othe' : 'ther' })),
    ]);
    await requestAsOwner(mine, '/me');
  });

  it.each(['q', 'qu', 'quiz', 'other', 'a'.repeat(200)])(
    'reads at most 60 rows and is fast in another workspace (search: %s)',
    async (search) => {
      for (const path of [
        `/tasks?scope=all&search=${search}`,
        `/dashboard/tasks?search=${search}`,
        `/dashboard/stats?search=${search}`,
      ]) {
        const { cost } = await requestAsOwner(mine, path);
        expect(cost.rowsRead, path).toBeLessThanOrEqual(ROWS_MAX);
        expect(cost.trips, path).toBeLessThanOrEqual(2);
        await expectQuickAnswer(mine, path);
      }
    },
  );

  it.each(['a'.repeat(200), `${'a'.repeat(199)}b`, 'q', 'qq', 'qaa'])(
    'is fast even in the workspace with the hostile text (search: %s)',
    async (search) => {
      const path = `/tasks?scope=all&search=${search}`;
      await expectQuickAnswer(theirs, path);
      const { body } = await requestAsOwner(theirs, path);
      expect(body.meta.total).toBe(search === 'a'.repeat(200) ? 30 : search === 'q' ? 3 : 0);
    },
  );
});

describe('text that is expensive to index', () => {
  const pairs: Record<string, string> = {
    'marks on one letter': `a${'\u0301\u0323'.repeat(DESCRIPTION_MAX / 2 - 1)}`,
    'different characters': Array.from({ length: DESCRIPTION_MAX }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join(''),
    'one repeated letter': 'a'.repeat(DESCRIPTION_MAX),
  };

  it.each(Object.entries(pairs))(
    'is stored quickly and found immediately, even at the maximum length (%s)',
    async (_, description) => {
      const world = await createWorld();
      const { owner } = world.people;
      const ids: number[] = [];
      const create = async () => {
        const task = { projectId: world.projects.joined.id, name: 'Long', description };
        const created = await api(owner.token).post('/tasks', task);
        expect(created.status).toBe(201);
        ids.push(created.body.id);
      };
      await expectQuick(create, 2 * MS_MAX);
      const middle = description.slice(DESCRIPTION_MAX / 2, DESCRIPTION_MAX / 2 + 20);
      const found = await api(owner.token).get(`/tasks?search=${encodeURIComponent(middle)}`);
      expect(found.body.meta.total).toBe(ids.length);
    },
  );

  it('is converted to its search key quickly, even if it is a long run of combining marks', async () => {
    await expectQuick(() => toSearchKey(`a${'\u0301\u0323'.repeat(50_000)}`), MS_MAX);
  });
});

describe('a search that reads the index in several parts', () => {
  const DAYS = ['2026-11-01', '2026-11-20', '2026-11-22', '2026-12-24', '9999-99-99'];
  const random = createRandom(7);
  const texts: TaskText[] = Array.from({ length: 340 }, (_, index) => {
    const word = random.pick(['alpha beta', 'beta alpha', 'ÄRGER', '東京都']);
    const filler = index % 5 === 0 ? buildRichText(index) : `${word} `.repeat(index % 3 === 0 ? 20 : 300);
    return {
      name: `${random.pick(['éz', 'z', '\u{1f9f5}A', 'Ab'])} ${index} ${word}`,
      description: `${filler}${index % 7 === 0 ? 'needle' : 'needl'}${index}`,
      due: random.pick(DAYS),
      status: random.integer(0, 4),
      archived: index % 11 === 0 ? 1 : 0,
    };
  });
  let world: World;
  let rows: (TaskText & { id: number; key: string })[];

  /** Returns text with more distinct n-grams than the index stores for one text. */
  function buildRichText(seed: number): string {
    return Array.from({ length: 6_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * (seed + 3)) % 9_000)),
    ).join('');
  }

  beforeAll(async () => {
    world = await createWorld();
    await insertTaskTexts(getTextLocation(world), texts);
    const { results } = await getCell(0)
      .prepare('SELECT id FROM tasks WHERE ws = ? ORDER BY id')
      .bind(world.no)
      .all<{ id: number }>();
    rows = texts.map((text, index) => ({
      ...text,
      id: results[index]?.id ?? 0,
      key: toSearchKey(text.name),
    }));
  });

  function findMatching(search: string, archived: number) {
    const pattern = toSearchKey(search);
    return rows.filter(
      (row) =>
        (row.archived ?? 0) === archived &&
        (row.key.includes(pattern) || toSearchKey(row.description ?? '').includes(pattern)),
    );
  }

  const searches = [
    'e',
    'z',
    'al',
    '東',
    '東京',
    'é',
    'ärg',
    'a b',
    'beta alpha',
    'needle',
    'needle7',
    'needl',
    '京都',
    '\u{1f9f5}',
    'absent',
    `${'beta alpha '.repeat(8)}`,
  ];

  it.each(searches)('lists every match of "%s" once, in order, with the exact total', async (search) => {
    const me = api(world.people.owner.token);
    for (const archived of [0, 1]) {
      const expected = findMatching(search, archived)
        .map(({ id }) => id)
        .sort((a, b) => b - a);
      const query = new URLSearchParams({
        search,
        scope: 'all',
        limit: '40',
        ...(archived && { isArchived: 'true' }),
      });
      const listed: number[] = [];
      for (let path: string | undefined = `/tasks?${query}`; path; ) {
        const { body, headers } = await me.get(path);
        expect(body.meta.total).toBe(expected.length);
        listed.push(...body.data.map(({ id }: { id: number }) => id));
        path = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
      }
      expect(listed).toEqual(expected);
      query.set('offset', '37');
      const { body } = await me.get(`/tasks?${query}`);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(expected.slice(37, 77));
    }
  });

  it.each(searches)('counts and sorts the matches of "%s" on the dashboard', async (search) => {
    const me = api(world.people.owner.token);
    const found = findMatching(search, 0);
    const compareTexts = (a: string, b: string) => (a < b ? -1 : Number(a > b));
    const orders: Record<string, (a: (typeof rows)[0], b: (typeof rows)[0]) => number> = {
      due: (a, b) => compareTexts(a.due ?? '', b.due ?? '') || a.id - b.id,
      created: (a, b) => b.id - a.id,
      status: (a, b) => (a.status ?? 0) - (b.status ?? 0) || a.id - b.id,
      name: (a, b) => compareTexts(a.key, b.key) || a.id - b.id,
    };
    for (const [sort, compare] of Object.entries(orders)) {
      const query = new URLSearchParams({ search, sort, limit: '30', offset: '15' });
      const { body } = await me.get(`/dashboard/tasks?${query}`);
      expect(body.meta.total).toBe(found.length);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(
        found
          .toSorted(compare)
          .map(({ id }) => id)
          .slice(15, 45),
      );
    }
    const { body } = await me.get(
      `/dashboard/stats?${new URLSearchParams({ search, localDate: '2026-11-20' })}`,
    );
    const open = found.filter(({ status }) => status !== 4);
    const countDue = (matches: (day: string) => boolean) =>
      open.filter((row) => matches(row.due ?? '')).length;
    expect(body).toEqual({
      projects: open.length > 0 ? 1 : 0,
      overdue: countDue((day) => day < '2026-11-20'),
      dueToday: countDue((day) => day === '2026-11-20'),
      dueThisWeek: countDue((day) => day >= '2026-11-20' && day < '2026-11-23'),
    });
  });

  it('rejects an offset that would require too much memory, and suggests the Link header', async () => {
    const answer = await api(world.people.owner.token).get('/tasks?search=needl&scope=all&offset=10001');
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('Link');
  });
});
