import { getReach } from '../../../kernel/access/capabilities.ts';
import type { SavedFilter } from '../../../tasks/saved-filters/saved-filters.schema.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PersonName } from '../../components/people.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { toFilterQuery, toFilterUrl } from './filter-url.ts';
import type { savedFiltersParams, savedFiltersReads } from './saved-filters.tsx';
import { TaskTabs } from './task-tabs.tsx';

type Props = ViewProps<typeof savedFiltersParams, typeof savedFiltersReads, Record<never, never>>;

export function SavedFiltersView({ visit: { base }, answers: { filters } }: Props) {
  const [ownFilters, others] = [
    filters.data.filter(({ maker }) => maker === null),
    filters.data.filter(({ maker }) => maker !== null),
  ];
  return (
    <div class="column-page">
      <header class="head">
        <h1>Saved filters</h1>
        <TaskTabs here="Saved filters" />
      </header>
      {filters.data.length === 0 ? (
        <EmptyState icon="layout-list">
          <p>
            Save the filters you use most, and open them as a board or list.{' '}
            <a href={`${base}/tasks`}>Filter tasks</a>
          </p>
        </EmptyState>
      ) : null}
      <SavedFilterGroup id="own" title="Yours" filters={ownFilters} />
      <SavedFilterGroup id="shared" title="Shared with you" filters={others} />
    </div>
  );
}

function SavedFilterGroup({
  id,
  title,
  filters,
}: {
  id: string;
  title: string;
  filters: readonly SavedFilter[];
}) {
  if (filters.length === 0) return null;
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="number">{filters.length}</span>
      </h2>
      <ul class="rows panel">
        {filters.map((saved) => (
          <SavedFilterRow saved={saved} />
        ))}
      </ul>
    </section>
  );
}

function SavedFilterRow({ saved }: { saved: SavedFilter }) {
  const { base } = useVisit();
  const { id, name, filter, isShared, maker } = saved;
  return (
    <li id={`filter-${id}`}>
      <a class="row-name" href={base + toFilterUrl(saved)}>
        {name}
      </a>
      {maker ? (
        <span class="row-meta wide-only">
          <PersonName person={maker} />
        </span>
      ) : isShared ? (
        <span class="row-meta">Shared</span>
      ) : null}
      {filter.archived || filter.blocked ? null : (
        <a href={`${base}/tasks${toFilterQuery(filter, saved)}`} aria-label={`${name} as a list`}>
          List
        </a>
      )}
      {saved.mayChange ? <SavedFilterActions saved={saved} /> : null}
    </li>
  );
}

function SavedFilterActions({ saved: { id, name, isShared, maker } }: { saved: SavedFilter }) {
  const { base, caller, rejected } = useVisit();
  const action = `${base}/filters/${id}`;
  const mayShare = getReach(caller, 'saveFilters') !== 'self';
  return (
    <details class="drop-down at-end" open={rejected?.action === action}>
      <summary aria-label={`Edit ${name}`}>
        <Icon name="settings" />
      </summary>
      <div>
        <Form action={action} of={{ field: 'name' }} snapshot={{ name }}>
          <Field
            id={`filter-name-${id}`}
            name="name"
            label="Name"
            value={name}
            maxlength={80}
            autocomplete="off"
          />
          <button type="submit">Rename</button>
        </Form>
        {mayShare ? (
          <Form action={action} of={{ isShared: isShared ? 'false' : 'true' }}>
            <button type="submit" class="plain">
              {isShared ? 'Stop sharing' : 'Share with workspace'}
            </button>
          </Form>
        ) : null}
        {isShared && getReach(caller, 'saveFilters') === 'all' ? (
          <a class="button plain" href={`${action}/sharing`}>
            Public links
          </a>
        ) : null}
        {maker ? (
          <Confirmation label="Delete filter…" action={`${action}/delete`} confirm="Delete for everyone">
            <p>{maker.name} created this filter. Deleting it can't be undone.</p>
          </Confirmation>
        ) : (
          <Form action={`${action}/delete`}>
            <button type="submit" class="quiet">
              Delete
            </button>
          </Form>
        )}
      </div>
    </details>
  );
}
