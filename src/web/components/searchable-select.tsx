import { assets } from '../page-model/assets.ts';
import { useRefused, useVisit } from './context.ts';
import { describedBy, Notes, Select } from './field.tsx';

/** Begins the name of the field in which somebody is named who is not in the list; src/web/server/resolve-names.ts reads it. */
export const FIND_PREFIX = 'find-';
/** The same for a project. */
export const FIND_PROJECT_PREFIX = `${FIND_PREFIX}project-`;

interface Listed {
  readonly id: string | number;
  readonly name: string;
}

interface List<T extends Listed> {
  readonly data: readonly T[];
  readonly meta: { readonly hasMore: boolean };
}

interface SelectProps {
  name: string;
  id?: string;
  label: string;
  isLabelHidden?: boolean;
  value?: string | undefined;
  /** What can be chosen beside those of the list, such as nobody. */
  first?: readonly (readonly [value: string, label: string])[];
}

interface PersonSelectProps extends SelectProps {
  people: List<Listed>;
  /** Whoever is chosen now: they may have left, or be further down in the alphabet. */
  current?: Listed | null | undefined;
  /** Ids of people who cannot be chosen. */
  without?: readonly string[];
}

/** A list of people. Where the workspace has more than it holds, a field beside it finds the others by name or address. */
export function PersonSelect({ people, ...rest }: PersonSelectProps) {
  const how = { prefix: FIND_PREFIX, path: '/people/find', says: 'find by name or address', lists: 'People' };
  return <SearchableSelect list={people} {...how} {...rest} />;
}

interface ProjectSelectProps extends SelectProps {
  projects: List<Listed>;
  /** The one that is chosen now: it may be older than those of the list. */
  current?: Listed | null | undefined;
}

/** The same for projects, which are found by name or number. */
export function ProjectSelect({ projects, ...rest }: ProjectSelectProps) {
  const how = {
    prefix: FIND_PROJECT_PREFIX,
    path: '/projects/find',
    says: 'find by name or number',
    lists: 'Projects',
  };
  return <SearchableSelect list={projects} {...how} {...rest} />;
}

interface SearchableSelectProps extends SelectProps {
  list: List<Listed>;
  current?: Listed | null | undefined;
  without?: readonly string[];
  prefix: string;
  /** The page that finds them. */
  path: string;
  says: string;
  /** What its suggestions are. */
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
  says,
  lists,
  ...rest
}: SearchableSelectProps) {
  const { base } = useVisit();
  const refused = useRefused();
  const isCut = list.meta.hasMore;
  const listed = list.data.filter((each) => !without.includes(String(each.id)));
  const kept = current && !list.data.some((each) => each.id === current.id) ? [current] : [];
  const options = [...first, ...[...kept, ...listed].map((each) => [String(each.id), each.name] as const)];
  const finding = prefix + name;
  const problem = refused?.fields[finding];
  return (
    <>
      <Select
        name={name}
        id={id}
        // Where nothing is chosen yet, the field beside may do it alone.
        options={
          isCut && first.length === 0 ? [['', 'Choose, or find by name'] as const, ...options] : options
        }
        {...rest}
      />
      {isCut ? (
        <div class="field">
          <input
            id={prefix + id}
            name={finding}
            value={refused?.values.get(finding) ?? ''}
            aria-label={`${rest.label}: ${says}`}
            placeholder="Find by name"
            maxlength={200}
            autocomplete="off"
            data-finds={base + path}
            data-module={assets.nameFields}
            data-lists={lists}
            {...describedBy(prefix + id, { hint: undefined, problem })}
          />
          <Notes id={prefix + id} hint={undefined} problem={problem} />
        </div>
      ) : null}
    </>
  );
}
