import { fields, initialColumns, toFormValues } from '../../src/tasks/field-values.ts';

/** Pairs of different values. A field uses the first pair that its schema accepts. */
const pairs: readonly (readonly [unknown, unknown])[] = [
  ['<p>Mine</p>', '<p>Theirs</p>'],
  ['in_progress', 'completed'],
  ['high', 'low'],
  ['2026-11-02', '2026-11-03'],
  ['09:00', '10:30'],
  ['1.5', '2.5'],
  [2, 3],
  [true, false],
  [['mine'], ['theirs']],
];

const newTaskValues = toFormValues({ ...initialColumns, name: 'A task' }, []);

/** The fields that PATCH sets to plain values, with their value in a new task and two other valid values. */
export const editableFields = fields
  .filter(
    ({ update, stored }) =>
      update && stored !== 'member' && stored !== 'members' && stored !== 'task' && stored !== 'custom',
  )
  .map(({ inputName: name, update }) => {
    const pair = pairs.find((each) => each.every((value) => update?.safeParse(value).success));
    if (!pair) throw new Error(`test/support/task-fields.ts has no two values that ${name} accepts`);
    return { name, before: newTaskValues[name], value: pair[0], otherValue: pair[1] };
  });
