import type * as z from 'zod';
import type { categoryTree } from '../../tasks/categories/categories.schema.ts';
import { useRejectedForm } from './context.ts';
import { buildAriaProps, FieldMessages } from './field.tsx';

/** The field contains a category or a type, which implies its category. */
export const CATEGORY_FIELD = 'kind';

const CATEGORY_PREFIX = 'category-';
const TYPE_PREFIX = 'type-';

export function parseCategoryAndType(kind: string | null): {
  categoryId?: number | string;
  typeId?: number | string;
} {
  const parseId = (prefix: string) => kind?.startsWith(prefix) && (Number(kind.slice(prefix.length)) || kind);
  const [categoryId, typeId] = [parseId(CATEGORY_PREFIX), parseId(TYPE_PREFIX)];
  return { ...(categoryId && { categoryId }), ...(typeId && { typeId }) };
}

interface CategorySelectProps extends Pick<z.output<typeof categoryTree>, 'categories'> {
  /** The current choice remains selectable even if it's no longer active. */
  current?: { readonly category: { id: number } | null; readonly type: { id: number } | null };
}

export function CategorySelect({
  categories,
  current = { category: null, type: null },
}: CategorySelectProps) {
  const rejected = useRejectedForm();
  const { category, type } = current;
  const currentValue = type ? TYPE_PREFIX + type.id : category ? CATEGORY_PREFIX + category.id : '';
  const selectedValue = rejected?.values.get(CATEGORY_FIELD) ?? currentValue;
  const offeredCategories = categories.filter(
    ({ id: categoryId, isActive }) => isActive || categoryId === category?.id,
  );
  if (offeredCategories.length === 0) return null;
  const renderOption = (value: string, text: string) => (
    <option value={value} selected={value === selectedValue}>
      {text}
    </option>
  );
  const fieldProps = { hint: undefined, problem: rejected?.fields[CATEGORY_FIELD] };
  return (
    <div class="field">
      <label for={CATEGORY_FIELD}>Category and type</label>
      <select id={CATEGORY_FIELD} name={CATEGORY_FIELD} {...buildAriaProps(CATEGORY_FIELD, fieldProps)}>
        {renderOption('', 'None')}
        {offeredCategories.map(({ id: categoryId, value, types }) => (
          <optgroup label={value}>
            {renderOption(CATEGORY_PREFIX + categoryId, `${value}, no type`)}
            {types
              .filter((each) => each.isActive || each.id === type?.id)
              .map((each) => renderOption(TYPE_PREFIX + each.id, each.value))}
          </optgroup>
        ))}
      </select>
      <FieldMessages id={CATEGORY_FIELD} {...fieldProps} />
    </div>
  );
}
