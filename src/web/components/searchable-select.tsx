import { assets } from '../page-model/assets.ts';
import { useRejectedForm, useVisit } from './context.ts';
import { buildAriaProps, FieldNotes, Select } from './field.tsx';

/** The prefix of a field for a typed name. src/web/server/resolve-names.ts replaces the name with an id. */
export const FIND_PREFIX = 'find-';
export const FIND_PROJECT_PREFIX = `${FIND_PREFIX}project-`;

interface ListedItem {
  readonly id: string | number;
  readonly name: string;
}

interface LimitedList<T extends ListedItem> {
  readonly data: readonly T[];
  readonly meta: { readonly hasMore: boolean };
}

interface SelectProps {
  name: string;
  id?: string;
  label: string;
  isLabelHidden?: boolean;
  value?: string | undefined;
  first?: readonly (readonly [value: string, label: string])[];
}

interface PersonSelectProps extends SelectProps {
  people: LimitedList<ListedItem>;
  /** The selected people, who might be missing from the list. */
  current?: ListedItem | readonly ListedItem[] | null | undefined;
  without?: readonly string[];
}

export function PersonSelect({ people, ...rest }: PersonSelectProps) {
  const how = { prefix: FIND_PREFIX, path: '/people/find', hint: 'find by name or email', lists: 'People' };
  return <SearchableSelect list={people} {...how} {...rest} />;
}

interface ProjectSelectProps extends SelectProps {
  projects: LimitedList<ListedItem>;
  current?: ListedItem | null | undefined;
}

export function ProjectSelect({ projects, ...rest }: ProjectSelectProps) {
  const how = {
    prefix: FIND_PROJECT_PREFIX,
    path: '/projects/find',
    hint: 'find by name or number',
    lists: 'Projects',
  };
  return <SearchableSelect list={projects} {...how} {...rest} />;
}

interface SearchableSelectProps extends SelectProps {
  list: LimitedList<ListedItem>;
  current?: PersonSelectProps['current'];
  without?: readonly string[];
  prefix: string;
  path: string;
  hint: string;
  lists: string;
}

function SearchableSelect({
  name,
  id = name,
  first = [],
  list,
  current,
  without = [],
  prefix,
  path,
  hint,
  lists,
  ...rest
}: SearchableSelectProps) {
  const { base } = useVisit();
  const rejected = useRejectedForm();
  const isCut = list.meta.hasMore;
  const listed = list.data.filter((each) => !without.includes(String(each.id)));
  const kept = [current ?? []].flat().filter(({ id }) => !list.data.some((each) => each.id === id));
  const options = [...first, ...[...kept, ...listed].map((each) => [String(each.id), each.name] as const)];
  const finding = prefix + name;
  const problem = rejected?.fields[finding];
  return (
    <>
      <Select
        name={name}
        id={id}
        // The empty first option lets people use only the search field.
        options={
          isCut && first.length === 0 ? [['', 'Select or find by name'] as const, ...options] : options
        }
        {...rest}
      />
      {isCut ? (
        <div class="field finder">
          <input
            id={prefix + id}
            name={finding}
            value={rejected?.values.get(finding) ?? ''}
            aria-label={`${rest.label}: ${hint}`}
            placeholder="Find by name"
            maxlength={200}
            autocomplete="off"
            data-finds={base + path}
            data-module={assets.nameFields}
            data-lists={lists}
            {...buildAriaProps(prefix + id, { hint: undefined, problem })}
          />
          <FieldNotes id={prefix + id} hint={undefined} problem={problem} />
        </div>
      ) : null}
    </>
  );
}
