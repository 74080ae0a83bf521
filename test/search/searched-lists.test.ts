import { beforeAll, describe, expect, it } from 'vitest';
import { api, getNextPath } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { createRandom } from '../support/random.ts';
import { createProject, createWorld, type World } from '../support/world.ts';

const random = createRandom(20_261_127);
const WORDS = ['Größe', 'ÉTÉ', 'İzmir', 'spring', 'SPRING', 'Straße', '100%', 'a_b', 'Ärger'];
const SEARCHES = ['größe', 'été', 'spring', 'SPRING', 'straße', '%', '_', 'ä', 'e', ' ', 'nothing'];

interface NamedItem {
  id: number | string;
  name: string;
  email?: string;
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const { owner, member, client } = world.people;
  for (let made = 0; made < 60; made += 1) {
    const name = `${random.pick(WORDS)} ${random.pick(WORDS)} ${made}`;
    await createProject(world, { owner: random.pick([owner, member, client]), name });
  }
  const elsewhere = await createWorld();
  await createProject(elsewhere, { owner: elsewhere.people.owner, name: 'Größe spring' });
  const people = Object.values(world.people);
  for (const [index, { member: no }] of people.entries()) {
    await getCell(0)
      .prepare('UPDATE members SET name = ? WHERE no = ?')
      .bind(`${WORDS[index]} ${WORDS[index + 1]}`, no)
      .run();
  }
});

const foldCase = (text: string) => text.normalize('NFC').toLowerCase();

async function readAll(token: string, path: string): Promise<NamedItem[]> {
  const items: NamedItem[] = [];
  // The first request with a token needs one more round trip, to read the token.
  await api(token).get('/me');
  let next: string | null = path;
  while (next !== null) {
    const answer = await api(token).get(next);
    expect([answer.status, answer.cost.trips], next).toEqual([200, path.includes('expand') ? 2 : 1]);
    items.push(...answer.body.data);
    next = getNextPath(answer);
  }
  return items;
}

describe.each(['/projects', '/projects?scope=mine', '/users'])('a search with GET %s', (list) => {
  it('finds every match in the whole list, ignoring case for all of Unicode, with exact totals', async () => {
    for (const person of Object.values(world.people)) {
      const whole = await readAll(person.token, `${list}${list.includes('?') ? '&' : '?'}limit=100`);
      for (const search of SEARCHES) {
        const wanted = whole.filter(({ name, email = '' }) =>
          [name, email].some((text) => foldCase(text).includes(foldCase(search))),
        );
        const path = `${list}${list.includes('?') ? '&' : '?'}search=${encodeURIComponent(search)}`;
        const found = await readAll(person.token, `${path}&limit=7`);
        expect(
          found.map(({ id }) => id),
          path,
        ).toEqual(wanted.map(({ id }) => id));
        const { body } = await api(person.token).get(`${path}&limit=3&offset=2`);
        expect(body.meta.total, path).toBe(wanted.length);
        expect(
          body.data.map(({ id }: NamedItem) => id),
          path,
        ).toEqual(wanted.slice(2, 5).map(({ id }) => id));
      }
    }
  });

  it('returns 400 if the text is empty or too long', async () => {
    const { token } = world.people.owner;
    for (const text of ['', 'x'.repeat(201)]) {
      const answer = await api(token).get(`${list}${list.includes('?') ? '&' : '?'}search=${text}`);
      expect([answer.status, answer.headers.get('Error-Field')]).toEqual([400, 'search']);
    }
  });
});

it('GET /projects with search and expand=members includes the members of each match', async () => {
  const { token } = world.people.owner;
  const { body } = await api(token).get('/projects?limit=100&expand=members');
  const found = await readAll(token, '/projects?expand=members&search=spring&limit=5');
  const wanted = body.data.filter(({ name }: NamedItem) => foldCase(name).includes('spring'));
  expect(found).toEqual(wanted);
});
