import { useVisit } from '../../components/context.ts';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { SettingsNavigation } from '../../components/settings-navigation.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { categoriesParams, categoriesReads } from './categories.tsx';

type Props = ViewProps<typeof categoriesParams, typeof categoriesReads, Record<never, never>>;
type Category = Props['answers']['tree']['categories'][number];
type CategoryOrType = Omit<Category, 'types'>;

export function CategoriesView({ visit: { base }, answers: { tree } }: Props) {
  return (
    <div class="settings">
      <header class="head">
        <h1>Categories and types</h1>
      </header>
      <SettingsNavigation />
      <p class="hint">
        Categories and types describe kinds of work. A task without its own estimate uses the default hours of
        its type or category.
      </p>
      {tree.categories.map((category) => (
        <section class="group" aria-labelledby={`category-${category.id}`}>
          <h2 id={`category-${category.id}`}>
            <bdi>{category.value}</bdi>
            {category.isActive ? null : <span class="number">retired</span>}
          </h2>
          <ul class="rows panel categories">
            {tree.mayChange ? (
              <CategoryOrTypeForms
                item={category}
                action={`${base}/categories/${category.id}`}
                kind="category"
              />
            ) : null}
            {category.types.map((type) =>
              tree.mayChange ? (
                <CategoryOrTypeForms item={type} action={`${base}/types/${type.id}`} kind="type" />
              ) : (
                <li>
                  <span class="row-name">{type.value}</span>
                  <span class="row-meta number">{type.defaultEstimatedHours ?? ''}</span>
                </li>
              ),
            )}
            {tree.mayChange ? (
              <li>
                <AddCategoryOrTypeForm
                  action={`${base}/categories/${category.id}/types`}
                  label={`New type in ${category.value}`}
                />
              </li>
            ) : null}
          </ul>
        </section>
      ))}
      {tree.mayChange ? <AddCategoryOrTypeForm action={`${base}/categories`} label="New category" /> : null}
    </div>
  );
}

function CategoryOrTypeForms({
  item,
  action,
  kind,
}: {
  item: CategoryOrType;
  action: string;
  kind: 'category' | 'type';
}) {
  const id = `${kind}-field-${item.id}`;
  return (
    <li class={kind === 'type' ? 'indented' : undefined}>
      <Form
        action={action}
        class="inline grow"
        label={item.value}
        snapshot={{ value: item.value, defaultEstimatedHours: item.defaultEstimatedHours }}
      >
        <Field
          id={id}
          name="value"
          label="Name"
          isLabelHidden
          value={item.value}
          maxlength={80}
          autocomplete="off"
        />
        <DefaultHoursField id={`${id}-hours`} value={item.defaultEstimatedHours} />
        <button type="submit" class="quiet">
          Save
        </button>
      </Form>
      <Form action={action} of={{ isActive: item.isActive ? 'false' : 'true' }}>
        <button
          type="submit"
          class="quiet"
          title={item.isActive ? `Existing tasks keep this ${kind}` : undefined}
        >
          {item.isActive ? 'Retire' : 'Restore'}
        </button>
      </Form>
    </li>
  );
}

function AddCategoryOrTypeForm({ action, label }: { action: string; label: string }) {
  const { base } = useVisit();
  const id = `new-${action.slice(base.length).replaceAll('/', '-')}`;
  return (
    <Form action={action} class="inline grow" label={label}>
      <Field
        id={id}
        name="value"
        label={label}
        isLabelHidden
        placeholder={`${label}…`}
        maxlength={80}
        autocomplete="off"
      />
      <DefaultHoursField id={`${id}-hours`} value={null} />
      <button type="submit" class="quiet">
        <Icon name="plus" />
        Add
      </button>
    </Form>
  );
}

function DefaultHoursField({ id, value }: { id: string; value: number | null }) {
  return (
    <Field
      id={id}
      name="defaultEstimatedHours"
      label="Default hours"
      isLabelHidden
      type="number"
      min={0}
      max={9999.99}
      step={0.01}
      value={value === null ? '' : String(value)}
      placeholder="Hours"
      isOptional
    />
  );
}
