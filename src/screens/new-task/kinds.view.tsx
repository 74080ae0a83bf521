import type * as z from 'zod';
import type { categoryTree } from '../../categories/categories.schema.ts';
import { useRefused } from '../../web/components/context.ts';
import { describedBy, Notes } from '../../web/components/field.tsx';

/** The field of both: a type says its category, and a category may be said alone. */
export const KIND = 'kind';

const CATEGORY = 'category-';
const TYPE = 'type-';

export function readKind(kind: string | null): { categoryId?: number | string; typeId?: number | string } {
  const id = (prefix: string) => kind?.startsWith(prefix) && (Number(kind.slice(prefix.length)) || kind);
  const [categoryId, typeId] = [id(CATEGORY), id(TYPE)];
  return { ...(categoryId && { categoryId }), ...(typeId && { typeId }) };
}

/** Categories with their types, as one list: the choice of a type takes no second look at the server. */
export function Kinds({ categories }: Pick<z.output<typeof categoryTree>, 'categories'>) {
  const refused = useRefused();
  const chosen = refused?.values.get(KIND) ?? '';
  const offered = categories.filter(({ isActive }) => isActive);
  if (offered.length === 0) return null;
  const option = (value: string, text: string) => (
    <option value={value} selected={value === chosen}>
      {text}
    </option>
  );
  const said = { hint: undefined, problem: refused?.fields[KIND] };
  return (
    <div class="field">
      <label for={KIND}>Category and type</label>
      <select id={KIND} name={KIND} {...describedBy(KIND, said)}>
        {option('', 'None')}
        {offered.map(({ id, value, types }) => (
          <optgroup label={value}>
            {option(CATEGORY + id, `${value}, any type`)}
            {types.filter(({ isActive }) => isActive).map((type) => option(TYPE + type.id, type.value))}
          </optgroup>
        ))}
      </select>
      <Notes id={KIND} {...said} />
    </div>
  );
}
