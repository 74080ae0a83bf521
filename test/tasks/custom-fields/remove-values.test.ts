import { expect, it } from 'vitest';
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { removeExpiredFields } from '../../../src/tasks/custom-fields/remove-values.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { getCell } from '../../support/env.ts';
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
  await addFieldsToProject(world, project, [gone, kept]);
  const both = await createTask(owner, project, {
    customFields: { [`cf_${gone}`]: 'a', [`cf_${kept}`]: 'b' },
  });
  const one = await createTask(owner, project, { customFields: { [`cf_${gone}`]: 'a' } });
  await runForm(owner.token, deleteCustomField, { id: gone });
  const runJob = () => removeExpiredFields.run(openScope(), world.cell, ALLOWANCE);
  const readValues = async (id: number) =>
    getCell(world.cell).prepare('SELECT field_values AS v, version FROM tasks WHERE id = ?').bind(id).first();
  const before = [await readValues(both.id), await readValues(one.id)];
  await runJob();
  expect([await readValues(both.id), await readValues(one.id)]).toEqual(before);
  await getCell(world.cell)
    .prepare('UPDATE custom_fields SET deleted_at = ? WHERE id = ?')
    .bind(Date.now() - 31 * DAY_MS, gone)
    .run();
  await runJob();
  expect(await readValues(both.id)).toEqual({ v: `{"cf_${kept}":"b"}`, version: before[0]?.version });
  expect(await readValues(one.id)).toEqual({ v: null, version: before[1]?.version });
  const found = await getCell(world.cell)
    .prepare('SELECT id FROM custom_fields WHERE ws = ?')
    .bind(world.no)
    .all();
  expect(found.results).toEqual([{ id: kept }]);
  expect(await runJob()).toBe(false);
  expect(await findInconsistencies()).toEqual([]);
});
