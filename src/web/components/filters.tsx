import type { Child } from 'hono/jsx';
import type { TaskFilter } from '../../tasks/saved-filters/task-filter.ts';
import { Chip } from './chip.tsx';
import { FormProvider, useRejectedForm, useVisit } from './context.ts';
import { buildAriaProps, EARLIEST_DATE, Field, FieldMessages, Select } from './field.tsx';
import { Icon } from './icon.tsx';
import { PersonSelect, ProjectSelect, TaskSelect } from './searchable-select.tsx';
import { type LabelChoices, TAG_NAMES_ID, TagNamesDatalist } from './tags.tsx';
import { formatShortDate } from './time.tsx';

type SelectOption = readonly [value: string, label: string];

interface FilterField {
  readonly name: string;
  readonly id?: string;
  readonly label: string;
  /** Several values are separated by commas. */
  readonly value: string | number | undefined;
  readonly isMultiple?: boolean;
  /** The first option removes the filter. */
  readonly options: readonly SelectOption[];
  readonly projects?: Pick<Parameters<typeof ProjectSelect>[0], 'projects' | 'current'>;
  readonly people?: Pick<Parameters<typeof PersonSelect>[0], 'people' | 'current' | 'without'>;
  readonly tasks?: Pick<Parameters<typeof TaskSelect>[0], 'current'>;
}

interface FiltersProps {
  label: string;
  text?: string | undefined;
  hasText?: boolean;
  choices: readonly FilterField[];
  isSet: boolean;
  keptParams?: readonly string[];
  /** Shows only the filters that are set, and a menu that adds others. The page's script must enable pickers. */
  isMenu?: boolean;
  children?: Child;
}

export function Filters({
  label,
  text,
  hasText = true,
  choices,
  isSet,
  keptParams = [],
  isMenu = false,
  children,
}: FiltersProps) {
  const { address, rejected } = useVisit();
  const [path = '', query] = address.split('?');
  const rejectedFilter = rejected?.action === path ? rejected : null;
  const clearedQuery = new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name]) => keptParams.includes(name)),
  );
  return (
    <form
      method="get"
      action={path}
      class={isMenu ? 'filters filter-menu' : 'filters'}
      aria-label={label}
      data-auto
    >
      <FormProvider value={rejectedFilter}>
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
        {isMenu ? (
          <button type="button" class="quiet scripted-only" data-pick="filter" aria-haspopup="dialog">
            <Icon name="list-filter" />
            Filter
          </button>
        ) : null}
        <details class="filter-details" open={isSet || rejectedFilter !== null}>
          <summary class="button plain">Filter</summary>
          {choices.map((choice) =>
            isMenu ? <FilterChoiceChip choice={choice} /> : <FilterChoiceSelect choice={choice} />,
          )}
          {children}
          <button type="submit" class="plain auto">
            Filter
          </button>
        </details>
        {isSet || text ? <a href={clearedQuery.size > 0 ? `${path}?${clearedQuery}` : path}>Clear</a> : null}
      </FormProvider>
    </form>
  );
}

function FilterChoiceSelect({ choice }: { choice: FilterField }) {
  const { people, projects, tasks, options: single, value = '', isMultiple, ...rest } = choice;
  const shared = {
    ...rest,
    id: rest.id ?? `filter-${rest.name}`,
    isLabelHidden: true,
    value: String(value),
  };
  // A native list can select only one option, so several selected values share an option.
  const isCombined = isMultiple && shared.value.includes(',');
  const options = isCombined ? [...single, [shared.value, describeFilterValue(choice)] as const] : single;
  if (people) return <PersonSelect {...shared} {...people} first={options} />;
  if (projects) return <ProjectSelect {...shared} {...projects} first={options} />;
  if (tasks) return <TaskSelect {...shared} {...tasks} first={options} />;
  return <Select {...shared} options={options} />;
}

const fieldsWithPickers = ['assignee', 'priority', 'status'] as const;

function describeFilterValue({
  value = '',
  isMultiple,
  options,
  people,
  projects,
  tasks,
}: FilterField): string {
  const current = [people?.current ?? [], projects?.current ?? [], tasks?.current ?? []].flat();
  const items = [...current, ...(people?.people.data ?? []), ...(projects?.projects.data ?? [])];
  const names = new Map([...options, ...items.map(({ id, name }) => [String(id), name] as const)]);
  const values = isMultiple ? String(value).split(',') : [String(value)];
  return values.map((each) => names.get(each) ?? each).join(', ');
}

function FilterChoiceChip({ choice }: { choice: FilterField }) {
  const { name, label, value = '', isMultiple } = choice;
  return (
    <FilterChip
      label={label}
      pick={fieldsWithPickers.find((each) => each === name) ?? 'list'}
      // An option of a native list may start with the label. The chip already shows the label, so this removes it.
      value={value === '' && name !== 'sort' ? null : describeFilterValue(choice).replace(`${label}: `, '')}
      isRemovable={name !== 'sort'}
      isMultiple={isMultiple}
    >
      <FilterChoiceSelect choice={choice} />
    </FilterChip>
  );
}

interface FilterChipProps {
  label: string;
  pick: Parameters<typeof Chip>[0]['pick'];
  value: string | null;
  isRemovable?: boolean;
  isMultiple?: boolean | undefined;
  children: Child;
}

function FilterChip({ label, pick, value, isRemovable = true, isMultiple, children }: FilterChipProps) {
  const content =
    value === null ? null : (
      <>
        <span class="unset">{label.replace(/ by$/, '')}</span> <bdi>{value}</bdi>
      </>
    );
  return (
    <Chip pick={pick} content={content} isSet={value !== null} isMultiple={isMultiple}>
      {children}
      {value !== null && isRemovable ? (
        <button type="button" class="quiet scripted-only" aria-label={`Remove filter: ${label}`}>
          <Icon name="x" />
        </button>
      ) : null}
    </Chip>
  );
}

export function TagFilter({ value, labels }: { value: TaskFilter['tag']; labels: LabelChoices | null }) {
  return (
    <FilterChip label="Tag" pick="tags" value={value?.join(', ') ?? null}>
      <Field
        name="tag"
        id="filter-tag"
        label="Tag"
        isLabelHidden
        value={value?.join(', ') ?? ''}
        list={TAG_NAMES_ID}
        placeholder="Any tag"
        maxlength={500}
        autocomplete="off"
        isOptional
      />
      <TagNamesDatalist labels={labels} />
    </FilterChip>
  );
}

export function DateFilterChip({ label, value, ...rest }: Omit<DateFilterProps, 'ariaLabel'>) {
  const { today } = useVisit();
  return (
    <FilterChip label={label} pick="date" value={value ? formatShortDate(value, today) : null}>
      <DateFilter label={label} value={value} {...rest} />
    </FilterChip>
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
  const rejected = useRejectedForm();
  const [id, problem] = [`filter-${name}`, rejected?.fields[name]];
  return (
    <div class="field">
      <label class="date-filter">
        {label}{' '}
        <input
          type="date"
          id={id}
          name={name}
          value={rejected?.values.get(name) ?? value}
          min={EARLIEST_DATE}
          aria-label={ariaLabel}
          autofocus={problem !== undefined}
          {...buildAriaProps(id, { hint: undefined, problem })}
        />
      </label>
      <FieldMessages id={id} hint={undefined} problem={problem} />
    </div>
  );
}
