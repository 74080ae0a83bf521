import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { addPerson, createWorld, type Person, type World } from '../../support/world.ts';

describe('GET /labels in a workspace with 15,000 tags', () => {
  let large: World;
  let some: Person;
  beforeAll(async () => {
    large = await createWorld();
    some = await addPerson(large, 'some', 'client');
    const insertLabels = (project: number) =>
      getCell(large.cell)
        .prepare(
          `INSERT INTO label_counts (ws, project, label_key, name, tasks) SELECT ?, ?, 'label ' || value, 'Label ' || value, 3 FROM (
            WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 15000) SELECT value FROM n)`,
        )
        .bind(large.no, project)
        .run();
    await insertLabels(0);
    await insertLabels(large.projects.joined.id);
    await api(large.people.owner.token).get('/me');
    await api(large.people.client.token).get('/me');
  });

  it('returns 400 with a suggested filter, and reads a bounded number of rows', async () => {
    for (const person of [large.people.owner, large.people.client]) {
      const { status, body, cost } = await api(person.token).get('/labels');
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('Add projectId')]);
      expect(cost.rowsRead).toBeLessThanOrEqual(4 * 10_001 + 50);
      expect(cost.trips).toBe(1);
    }
    expect(
      (await api(large.people.owner.token).get(`/labels?projectId=${large.projects.other.id}`)).status,
    ).toBe(200);
    expect((await api(some.token).get('/labels')).body.data).toEqual([]);
  });
});
