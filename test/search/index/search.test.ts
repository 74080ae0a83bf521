import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld } from '../../support/world.ts';

describe('search', () => {
  it('finds substrings of names and of the visible text in descriptions, in any script, ignoring case', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const createNamedTask = (name: string, description?: string) =>
      createTask(owner, world.projects.joined.id, { name, ...(description && { description }) }).then(
        (task) => task.id,
      );
    const ids = {
      german: await createNamedTask('Größenprüfung STRASSE'),
      greek: await createNamedTask('ΑΘΗΝΑ plan'),
      japanese: await createNamedTask('東京タワーの計画'),
      markup: await createNamedTask('plain', '<p>Needle&nbsp;in <strong>hay</strong>stack &amp; more</p>'),
      composed: await createNamedTask('Cafe\u0301 menu'),
      quotes: await createNamedTask('say "hello" OR NOT *'),
      short: await createNamedTask('Q'),
      emoji: await createNamedTask('ship 🚀🎉 it'),
    };
    const findIds = async (search: string) => {
      const { body } = await api(owner.token).get(`/tasks?${new URLSearchParams({ search })}`);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map((task: { id: number }) => task.id);
    };
    expect(await findIds('größen')).toEqual([ids.german]);
    expect(await findIds('GRÖSSE')).toEqual([]);
    expect(await findIds('strasse')).toEqual([ids.german]);
    expect(await findIds('αθηνα')).toEqual([ids.greek]);
    expect(await findIds('タワー')).toEqual([ids.japanese]);
    expect(await findIds('東京')).toEqual([ids.japanese]);
    expect(await findIds('計画')).toEqual([ids.japanese]);
    expect(await findIds('needle')).toEqual([ids.markup]);
    expect(await findIds('haystack')).toEqual([ids.markup]);
    expect(await findIds('strong')).toEqual([]);
    expect(await findIds('café')).toEqual([ids.composed]);
    expect(await findIds('cafe')).toEqual([]);
    expect(await findIds('"hello" OR')).toEqual([ids.quotes]);
    expect(await findIds('NOT *')).toEqual([ids.quotes]);
    expect(await findIds('q')).toEqual([ids.quotes, ids.short].filter((id) => id === ids.short));
    expect(await findIds('🚀')).toEqual([ids.emoji]);
    expect(await findIds('🎉 it')).toEqual([ids.emoji]);
    expect((await findIds('')).length).toBe(8);
  });

  it('finds the current text after a rename, a new description, archiving and restoring', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const me = api(owner.token);
    const { id } = await createTask(owner, world.projects.joined.id, { name: 'first', description: 'alpha' });
    const countTasks = async (query: string) => (await me.get(`/tasks?${query}`)).body.meta.total;
    await me.patch(`/tasks/${id}`, { name: 'second' });
    expect([
      await countTasks('search=first'),
      await countTasks('search=second'),
      await countTasks('search=alpha'),
    ]).toEqual([0, 1, 1]);
    await me.patch(`/tasks/${id}`, { description: 'beta' });
    expect([await countTasks('search=alpha'), await countTasks('search=beta')]).toEqual([0, 1]);
    await me.post(`/tasks/${id}/archive`);
    expect([await countTasks('search=beta'), await countTasks('search=beta&isArchived=true')]).toEqual([
      0, 1,
    ]);
    await me.post(`/tasks/${id}/unarchive`);
    expect([await countTasks('search=beta'), await countTasks('search=beta&isArchived=true')]).toEqual([
      1, 0,
    ]);
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
