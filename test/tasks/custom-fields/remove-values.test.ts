import { expect, it } from 'vitest';
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { removeExpiredFields } from '../../../src/tasks/custom-fields/remove-values.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { createField, useFields } from '../../support/custom-fields.ts';
import { cellOf } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { createTask, createWorld } from '../../support/world.ts';

const DAY_MS = 86_400_000;
const ALLOWANCE = { left: 100 };

it('the values of a deleted field are removed after 30 days, followed by the field itself', async () => {
  const world = await createWorld();
  const { owner } = world.people;
  const project = world.projects.joined.id;
  const [gone, kept] = [await createField(world, 'text', 'Gone'), await createField(world, 'text', 'Kept')];
  await useFields(world, project, [gone, kept]);
  const both = await createTask(owner, project, {
    customFields: { [`cf_${gone}`]: 'a', [`cf_${kept}`]: 'b' },
  });
  const one = await createTask(owner, project, { customFields: { [`cf_${gone}`]: 'a' } });
  await runForm(owner.token, deleteCustomField, { id: gone });
  const run = () => removeExpiredFields.run(openScope(), world.cell, ALLOWANCE);
  const read = async (id: number) =>
    cellOf(world.cell).prepare('SELECT field_values AS v, version FROM tasks WHERE id = ?').bind(id).first();
  const before = [await read(both.id), await read(one.id)];
  await run();
  expect([await read(both.id), await read(one.id)]).toEqual(before);
  await cellOf(world.cell)
    .prepare('UPDATE custom_fields SET deleted_at = ? WHERE id = ?')
    .bind(Date.now() - 31 * DAY_MS, gone)
    .run();
  await run();
  expect(await read(both.id)).toEqual({ v: `{"cf_${kept}":"b"}`, version: before[0]?.version });
  expect(await read(one.id)).toEqual({ v: null, version: before[1]?.version });
  const found = await cellOf(world.cell)
    .prepare('SELECT id FROM custom_fields WHERE ws = ?')
    .bind(world.no)
    .all();
  expect(found.results).toEqual([{ id: kept }]);
  expect(await run()).toBe(false);
  expect(await findInconsistencies()).toEqual([]);
});
