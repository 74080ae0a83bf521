import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld } from '../../support/world.ts';

describe('search', () => {
  it('finds substrings of names and visible descriptions in any script, ignoring case', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const make = (name: string, description?: string) =>
      createTask(owner, world.projects.joined.id, { name, ...(description && { description }) }).then(
        (task) => task.id,
      );
    const ids = {
      german: await make('Größenprüfung STRASSE'),
      greek: await make('ΑΘΗΝΑ plan'),
      japanese: await make('東京タワーの計画'),
      markup: await make('plain', '<p>Needle&nbsp;in <strong>hay</strong>stack &amp; more</p>'),
      composed: await make('Cafe\u0301 menu'),
      quotes: await make('say "hello" OR NOT *'),
      short: await make('Q'),
      emoji: await make('ship 🚀🎉 it'),
    };
    const find = async (search: string) => {
      const { body } = await api(owner.token).get(`/tasks?${new URLSearchParams({ search })}`);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map((task: { id: number }) => task.id);
    };
    expect(await find('größen')).toEqual([ids.german]);
    expect(await find('GRÖSSE')).toEqual([]);
    expect(await find('strasse')).toEqual([ids.german]);
    expect(await find('αθηνα')).toEqual([ids.greek]);
    expect(await find('タワー')).toEqual([ids.japanese]);
    expect(await find('東京')).toEqual([ids.japanese]);
    expect(await find('計画')).toEqual([ids.japanese]);
    expect(await find('needle')).toEqual([ids.markup]);
    expect(await find('haystack')).toEqual([ids.markup]);
    expect(await find('strong')).toEqual([]);
    expect(await find('café')).toEqual([ids.composed]);
    expect(await find('cafe')).toEqual([]);
    expect(await find('"hello" OR')).toEqual([ids.quotes]);
    expect(await find('NOT *')).toEqual([ids.quotes]);
    expect(await find('q')).toEqual([ids.quotes, ids.short].filter((id) => id === ids.short));
    expect(await find('🚀')).toEqual([ids.emoji]);
    expect(await find('🎉 it')).toEqual([ids.emoji]);
    expect((await find('')).length).toBe(8);
  });

  it('finds the current text after a rename, a new description, archiving and restoring', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const me = api(owner.token);
    const { id } = await createTask(owner, world.projects.joined.id, { name: 'first', description: 'alpha' });
    const total = async (query: string) => (await me.get(`/tasks?${query}`)).body.meta.total;
    await me.patch(`/tasks/${id}`, { name: 'second' });
    expect([await total('search=first'), await total('search=second'), await total('search=alpha')]).toEqual([
      0, 1, 1,
    ]);
    await me.patch(`/tasks/${id}`, { description: 'beta' });
    expect([await total('search=alpha'), await total('search=beta')]).toEqual([0, 1]);
    await me.post(`/tasks/${id}/archive`);
    expect([await total('search=beta'), await total('search=beta&isArchived=true')]).toEqual([0, 1]);
    await me.post(`/tasks/${id}/unarchive`);
    expect([await total('search=beta'), await total('search=beta&isArchived=true')]).toEqual([1, 0]);
  });

  it("never reads or returns another workspace's text", async () => {
    const [mine, theirs] = [await createWorld(), await createWorld()];
    for (let made = 0; made < 30; made += 1) {
      await createTask(theirs.people.owner, theirs.projects.joined.id, { name: `shared word ${made}` });
    }
    await createTask(mine.people.owner, mine.projects.joined.id, { name: 'shared word' });
    const { body, cost } = await api(mine.people.owner.token).get('/tasks?search=shared');
    expect(body.meta.total).toBe(1);
    expect(cost.rowsRead).toBeLessThan(25);
  });
});
