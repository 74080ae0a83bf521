import { reachOf } from '../../../kernel/access/capabilities.ts';
import type { SavedFilter } from '../../../tasks/saved-filters/saved-filters.schema.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PersonName } from '../../components/people.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { addressOf, queryOf } from './filter-address.ts';
import type { savedFiltersParams, savedFiltersReads } from './saved-filters.tsx';
import { TaskTabs } from './task-tabs.tsx';

type Props = ViewProps<typeof savedFiltersParams, typeof savedFiltersReads, Record<never, never>>;

export function SavedFiltersView({ visit: { base }, answers: { filters } }: Props) {
  const [own, others] = [
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
            Filters that you give a name come here, each as a board and as a list.{' '}
            <a href={`${base}/tasks`}>Filter the tasks</a>, and save what you look at often.
          </p>
        </EmptyState>
      ) : null}
      <Group id="own" title="Yours" filters={own} />
      <Group id="shared" title="From others" filters={others} />
    </div>
  );
}

function Group({ id, title, filters }: { id: string; title: string; filters: readonly SavedFilter[] }) {
  if (filters.length === 0) return null;
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="number">{filters.length}</span>
      </h2>
      <ul class="rows panel">
        {filters.map((saved) => (
          <Row saved={saved} />
        ))}
      </ul>
    </section>
  );
}

function Row({ saved }: { saved: SavedFilter }) {
  const { base } = useVisit();
  const { id, name, filter, isShared, maker } = saved;
  return (
    <li id={`filter-${id}`}>
      <a class="row-name" href={base + addressOf(saved)}>
        {name}
      </a>
      {maker ? (
        <span class="row-fact wide-only">
          <PersonName person={maker} />
        </span>
      ) : isShared ? (
        <span class="row-fact">For everybody</span>
      ) : null}
      {filter.archived ? null : (
        <a href={`${base}/tasks${queryOf(filter, saved)}`} aria-label={`${name} as a list`}>
          List
        </a>
      )}
      {saved.mayChange ? <Changes saved={saved} /> : null}
    </li>
  );
}

function Changes({ saved: { id, name, isShared, maker } }: { saved: SavedFilter }) {
  const { base, caller, refused } = useVisit();
  const action = `${base}/filters/${id}`;
  const mayShare = reachOf(caller, 'saveFilters') !== 'self';
  return (
    <details class="drop-down at-end" open={refused?.action === action}>
      <summary aria-label={`Change ${name}`}>
        <Icon name="settings" />
      </summary>
      <div>
        <Form action={action} of={{ field: 'name' }} shown={{ name }}>
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
              {isShared
                ? maker
                  ? `Leave it to ${maker.name} alone`
                  : 'Keep it to yourself'
                : 'Offer it to everybody'}
            </button>
          </Form>
        ) : null}
        {maker ? (
          <Confirm label="Delete…" action={`${action}/delete`} confirm="Delete for everybody">
            <p>{maker.name} saved it. You can't undo this.</p>
          </Confirm>
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
