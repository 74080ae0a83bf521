import { getTableColumns } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tasks } from '../../src/schema/cell/tasks.ts';
import { fields, initialColumns, toFormValues } from '../../src/tasks/field-values.ts';
import { historyPositions } from '../../src/tasks/model/activity-types.ts';
import { taskCreateInput, taskUpdateInput } from '../../src/tasks/model/tasks.schema.ts';

it('every task field has a unique column and position', () => {
  const columns = fields.map(({ column }) => column);
  const places = fields.map(({ place }) => place);
  expect(new Set(columns).size).toBe(fields.length);
  expect(new Set(places).size).toBe(fields.length);
  expect(Object.keys(getTableColumns(tasks))).toEqual(expect.arrayContaining(columns));
});

it('the positions of task fields never change, because ids of history entries contain them', () => {
  expect(historyPositions).toMatchObject({
    status: 0,
    assignee: 1,
    priority: 2,
    name: 3,
    description: 4,
    startDate: 5,
    deadline: 6,
    customEstimatedHours: 7,
  });
  expect(Math.max(...Object.values(historyPositions))).toBeLessThan(16);
});

it("a form's snapshot covers every input field of a task except its project, checklist and recurrence", () => {
  const known = Object.keys(toFormValues(initialColumns, []));
  const taken = [taskCreateInput, taskUpdateInput].flatMap(({ shape }) => Object.keys(shape));
  const apart = ['id', 'projectId', 'checklist', 'recurrence'];
  const ofTask = taken.filter((name) => !apart.includes(name));
  expect(known).toEqual(expect.arrayContaining(ofTask));
});
