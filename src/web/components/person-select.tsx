import { useRefused, useVisit } from './context.ts';
import { describedBy, Notes, Select } from './field.tsx';

/** Begins the name of the field in which somebody is named who is not in the list; src/web/find-people.ts reads it. */
export const FIND = 'find-';

interface Someone {
  readonly id: string;
  readonly name: string;
}

interface PersonSelectProps {
  name: string;
  id?: string;
  label: string;
  isLabelHidden?: boolean;
  value?: string | undefined;
  /** What can be chosen beside people, such as nobody. */
  first?: readonly (readonly [value: string, label: string])[];
  people: { readonly data: readonly Someone[]; readonly meta: { readonly total: number } };
  /** Whoever is chosen now: they may have left, or be further down in the alphabet. */
  current?: Someone | null;
  /** Ids of people who cannot be chosen. */
  without?: readonly string[];
}

/** A list of people. Where the workspace has more than it holds, a field beside it finds the others by name or address. */
export function PersonSelect({
  name,
  id = name,
  first = [],
  people,
  current,
  without = [],
  ...rest
}: PersonSelectProps) {
  const { base } = useVisit();
  const refused = useRefused();
  const isCut = people.meta.total > people.data.length;
  const listed = people.data.filter((person) => !without.includes(person.id));
  const kept = current && !people.data.some((person) => person.id === current.id) ? [current] : [];
  const options = [...first, ...[...kept, ...listed].map((person) => [person.id, person.name] as const)];
  const finding = FIND + name;
  const problem = refused?.fields[finding];
  return (
    <>
      <Select
        name={name}
        id={id}
        // Where nobody is chosen yet, the field beside may do it alone.
        options={
          isCut && first.length === 0 ? [['', 'Choose, or find by name'] as const, ...options] : options
        }
        {...rest}
      />
      {isCut ? (
        <div class="field">
          <input
            id={FIND + id}
            name={finding}
            value={refused?.values.get(finding) ?? ''}
            aria-label={`${rest.label}: find by name or address`}
            placeholder="Find by name"
            maxlength={200}
            autocomplete="off"
            data-people={`${base}/people/find`}
            {...describedBy(FIND + id, { hint: undefined, problem })}
          />
          <Notes id={FIND + id} hint={undefined} problem={problem} />
        </div>
      ) : null}
    </>
  );
}
