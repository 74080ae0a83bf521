import type { Child } from 'hono/jsx';
import { FormProvider, useRejectedForm, useVisit } from './context.ts';
import { buildAriaProps, EARLIEST_DATE, Field, FieldNotes, Select } from './field.tsx';
import { PersonSelect, ProjectSelect } from './searchable-select.tsx';
import { type LabelChoices, TAG_NAMES_ID, TagNames } from './tags.tsx';

type Option = readonly [value: string, label: string];

interface FilterChoice {
  readonly name: string;
  /** Must be unique on the page. Defaults to an id derived from the name. */
  readonly id?: string;
  readonly label: string;
  readonly value: string | number | undefined;
  /** The first option removes the filter. */
  readonly options: readonly Option[];
  readonly projects?: Pick<Parameters<typeof ProjectSelect>[0], 'projects' | 'current'>;
  readonly people?: Pick<Parameters<typeof PersonSelect>[0], 'people' | 'current' | 'without'>;
}

interface FiltersProps {
  label: string;
  text?: string | undefined;
  /** False if the list has no text filter. */
  hasText?: boolean;
  choices: readonly FilterChoice[];
  isSet: boolean;
  kept?: readonly string[];
  children?: Child;
}

export function Filters({ label, text, hasText = true, choices, isSet, kept = [], children }: FiltersProps) {
  const { address, refused } = useVisit();
  const [path = '', query] = address.split('?');
  const wrong = refused?.action === path ? refused : null;
  const cleared = new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name]) => kept.includes(name)),
  );
  return (
    <form method="get" action={path} class="filters" aria-label={label} data-auto>
      <FormProvider value={wrong}>
        {hasText ? (
          <input
            type="search"
            name="q"
            value={text}
            maxlength={200}
            placeholder="Filter by text"
            aria-label="Text"
          />
        ) : null}
        <details class="fold" open={isSet || wrong !== null}>
          <summary class="button plain">Filter</summary>
          {choices.map(({ people, projects, options, value = '', ...choice }) => {
            const shared = {
              ...choice,
              id: choice.id ?? `filter-${choice.name}`,
              isLabelHidden: true,
              value: String(value),
            };
            if (people) return <PersonSelect {...shared} {...people} first={options} />;
            if (projects) return <ProjectSelect {...shared} {...projects} first={options} />;
            return <Select {...shared} options={options} />;
          })}
          {children}
          <button type="submit" class="plain auto">
            Filter
          </button>
        </details>
        {isSet || text ? <a href={cleared.size > 0 ? `${path}?${cleared}` : path}>Clear</a> : null}
      </FormProvider>
    </form>
  );
}

export function TagFilter({ value, labels }: { value: string | undefined; labels: LabelChoices | null }) {
  return (
    <>
      <Field
        name="tag"
        id="filter-tag"
        label="Tag"
        isLabelHidden
        value={value ?? ''}
        list={TAG_NAMES_ID}
        placeholder="Any tag"
        maxlength={50}
        autocomplete="off"
        isOptional
      />
      <TagNames labels={labels} />
    </>
  );
}

interface DateFilterProps {
  name: string;
  label: string;
  /** The label for screen readers, if the visible label makes sense only after the previous field. */
  ariaLabel?: string;
  value: string | undefined;
}

export function DateFilter({ name, label, ariaLabel, value }: DateFilterProps) {
  const refused = useRejectedForm();
  const [id, problem] = [`filter-${name}`, refused?.fields[name]];
  return (
    <div class="field">
      <label class="dated">
        {label}{' '}
        <input
          type="date"
          id={id}
          name={name}
          value={refused?.values.get(name) ?? value}
          min={EARLIEST_DATE}
          aria-label={ariaLabel}
          autofocus={problem !== undefined}
          {...buildAriaProps(id, { hint: undefined, problem })}
        />
      </label>
      <FieldNotes id={id} hint={undefined} problem={problem} />
    </div>
  );
}
