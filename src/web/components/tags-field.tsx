import { taskFields } from '../../tasks/fields.ts';
import { Field } from './field.tsx';

export const TAGS_FIELD = 'tags';

export function TagsField() {
  return (
    <Field name={TAGS_FIELD} label={taskFields.tags.label} hint="Separate tags with commas." isOptional />
  );
}

export function parseTags(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
