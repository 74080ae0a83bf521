import { taskFields } from '../../tasks/fields.ts';
import { Field } from './field.tsx';
import { type LabelChoices, TAG_NAMES_ID, TagNamesDatalist } from './tags.tsx';

export const TAGS_FIELD = 'tags';

interface TagsFieldProps {
  id?: string;
  tags?: readonly string[];
  labels?: LabelChoices | null;
}

export function TagsField({ id = TAGS_FIELD, tags = [], labels }: TagsFieldProps) {
  return (
    <>
      <Field
        name={TAGS_FIELD}
        id={id}
        label={taskFields.tags.label}
        value={tags.join(', ')}
        hint="Separate tags with commas."
        isOptional
        {...(labels && { list: TAG_NAMES_ID })}
      />
      {labels ? <TagNamesDatalist labels={labels} /> : null}
    </>
  );
}

export function parseTags(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
