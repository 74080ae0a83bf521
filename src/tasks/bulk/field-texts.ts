import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { formatWording } from '../../kernel/text/wording.ts';
import type { FieldContext, FieldDefinition } from '../custom-fields/custom-fields.queries.ts';
import type { CustomFieldsInput } from '../custom-fields/custom-fields.schema.ts';
import { planFieldValues, toFieldKey } from '../custom-fields/field-values.ts';
import { parseSubmittedValue } from '../custom-fields/submitted-values.ts';
import type { SelectedEditInput } from './bulk.schema.ts';

type FieldTextsEdit = Partial<Pick<SelectedEditInput, 'customFields' | 'fieldTexts'>>;

/** Prepares input for `findFieldContextForItems`, which looks up any text that might be a person's id. */
export function addFieldTexts({ customFields, fieldTexts }: FieldTextsEdit): {
  customFields?: CustomFieldsInput | undefined;
} {
  if (fieldTexts === undefined) return { customFields };
  const texts = Object.entries(fieldTexts).map(([key, [text = '']]) => [key, text] as const);
  return { customFields: { ...customFields, ...Object.fromEntries(texts) } };
}

export function toCustomFields(
  { customFields, fieldTexts }: FieldTextsEdit,
  { project, field_values: stored }: { project: number; field_values: string | null },
  context: FieldContext | null,
): CustomFieldsInput | undefined {
  if (fieldTexts === undefined) return customFields;
  const fields = context?.projects.get(project) ?? [];
  const values = Object.entries(fieldTexts).map(([key, texts]) => {
    const field = fields.find(({ id }) => toFieldKey(id) === key);
    if (!field)
      throw invalidRequestError(
        "The task's project doesn't use this custom field. Turn it on in the project's settings.",
      );
    const value = nameFieldInErrors(field, () => {
      const parsed = parseSubmittedValue(field, texts[0], texts.map(Number));
      planFieldValues({ [key]: parsed }, { project, stored }, context);
      return parsed;
    });
    return [key, value] as const;
  });
  return { ...customFields, ...Object.fromEntries(values) };
}

/** A form can set several fields, so an error must name the field. */
function nameFieldInErrors<T>({ name }: FieldDefinition, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidRequestError((words) => `“${name}”: ${formatWording(error.wording, words)}`);
  }
}
