import { createCustomField, setProjectFields } from '../../src/tasks/custom-fields/change-custom-fields.ts';
import { runForm } from './forms.ts';
import type { World } from './world.ts';

const fieldTypes = ['text', 'number', 'date', 'select', 'multi_select', 'person', 'url', 'checkbox'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Returns the number of the new field. Its options, if any, have the ids 1, 2 and 3. */
export async function createField(
  { people: { owner } }: Pick<World, 'people'>,
  type: FieldType,
  name: string = type,
): Promise<number> {
  const names = type === 'select' || type === 'multi_select' ? ['Small', 'Medium', 'Large'] : [];
  const options = names.map((each) => ({ name: each, color: 'blue' }));
  const { status, body } = await runForm(owner.token, createCustomField, { name, type, options });
  if (status !== 200) throw new Error(`field ${name} was not created: ${JSON.stringify(body)}`);
  return body.id;
}

export async function addFieldsToProject(
  { people: { owner } }: Pick<World, 'people'>,
  project: number,
  fieldIds: readonly number[],
) {
  const { status, body } = await runForm(owner.token, setProjectFields, { id: project, fieldIds });
  if (status !== 200) throw new Error(`fields were not turned on: ${JSON.stringify(body)}`);
}

export type FieldIds = Readonly<Record<FieldType, number>>;

export async function createFields(world: World): Promise<FieldIds> {
  const fields: Partial<Record<FieldType, number>> = {};
  for (const type of fieldTypes) fields[type] = await createField(world, type);
  await addFieldsToProject(world, world.projects.joined.id, Object.values(fields));
  return fields as FieldIds;
}
