import { assets } from '../page-model/assets.ts';
import { useRejectedForm, useVisit } from './context.ts';
import { buildAriaProps, FieldMessages, Select } from './field.tsx';

/** Prefixes the name of a field in which people type a name. src/web/server/resolve-names.ts replaces it with an id. */
export const FIND_PREFIX = 'find-';
export const FIND_PROJECT_PREFIX = `${FIND_PREFIX}project-`;
export const FIND_TASK_PREFIX = `${FIND_PREFIX}task-`;

interface ListedItem {
  readonly id: string | number;
  readonly name: string;
}

interface LimitedList<T extends ListedItem> {
  readonly data: readonly T[];
  readonly meta: { readonly hasMore: boolean };
}

interface BaseSelectProps {
  name: string;
  id?: string;
  label: string;
  isLabelHidden?: boolean;
  value?: string | undefined;
  first?: readonly (readonly [value: string, label: string])[];
}

interface PersonSelectProps extends BaseSelectProps {
  people: LimitedList<ListedItem>;
  /** The selected people, who might be missing from the list. */
  current?: ListedItem | readonly ListedItem[] | null | undefined;
  without?: readonly string[];
}

export function PersonSelect({ people, ...rest }: PersonSelectProps) {
  const findOptions = {
    prefix: FIND_PREFIX,
    path: '/people/find',
    hint: 'find by name or email',
    lists: 'People',
  };
  return <SearchableSelect list={people} {...findOptions} {...rest} />;
}

interface ProjectSelectProps extends BaseSelectProps {
  projects: LimitedList<ListedItem>;
  current?: ListedItem | null | undefined;
}

export function ProjectSelect({ projects, ...rest }: ProjectSelectProps) {
  const findOptions = {
    prefix: FIND_PROJECT_PREFIX,
    path: '/projects/find',
    hint: 'find by name or number',
    lists: 'Projects',
  };
  return <SearchableSelect list={projects} {...findOptions} {...rest} />;
}

interface TaskSelectProps extends BaseSelectProps {
  current?: ListedItem | null | undefined;
}

/** Lists only the current task, because there can be any number of tasks. People find the others by name or number. */
export function TaskSelect(props: TaskSelectProps) {
  const findOptions = {
    prefix: FIND_TASK_PREFIX,
    path: '/tasks/find',
    hint: 'find by name or number',
    lists: 'Tasks',
  };
  return <SearchableSelect list={{ data: [], meta: { hasMore: true } }} {...findOptions} {...props} />;
}

interface SearchableSelectProps extends BaseSelectProps {
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
  const unlisted = [current ?? []].flat().filter(({ id }) => !list.data.some((each) => each.id === id));
  const options = [
    ...first,
    ...[...unlisted, ...listed].map((each) => [String(each.id), each.name] as const),
  ];
  const searchName = prefix + name;
  const problem = rejected?.fields[searchName];
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
        <div class="field name-finder">
          <input
            id={prefix + id}
            name={searchName}
            value={rejected?.values.get(searchName) ?? ''}
            aria-label={`${rest.label}: ${hint}`}
            placeholder="Find by name"
            maxlength={200}
            autocomplete="off"
            data-finds={base + path}
            data-module={assets.nameFields}
            data-lists={lists}
            {...buildAriaProps(prefix + id, { hint: undefined, problem })}
          />
          <FieldMessages id={prefix + id} hint={undefined} problem={problem} />
        </div>
      ) : null}
    </>
  );
}
