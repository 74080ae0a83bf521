import { taskFields } from '../../tasks/fields.ts';
import { Field } from './field.tsx';

export const TAGS_FIELD = 'tags';

export function TagsField({ id = TAGS_FIELD, tags = [] }: { id?: string; tags?: readonly string[] }) {
  return (
    <Field
      name={TAGS_FIELD}
      id={id}
      label={taskFields.tags.label}
      value={tags.join(', ')}
      hint="Separate tags with commas."
      isOptional
    />
  );
}

export function parseTags(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
