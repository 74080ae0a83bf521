import { getReach } from '../../../kernel/access/capabilities.ts';
import type { SavedFilter } from '../../../tasks/saved-filters/saved-filters.schema.ts';
import { type TaskFilter, toFormFields, toQueryString } from '../../../tasks/saved-filters/task-filter.ts';
import { useVisit } from '../../components/context.ts';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';

interface SaveFilterFormsProps {
  filter: TaskFilter;
  /** The saved filter that was opened. The current filter can differ from it. */
  saved: SavedFilter | null;
}

export function SaveFilterForms({ filter, saved }: SaveFilterFormsProps) {
  const { base, rejected } = useVisit();
  const { sort: _order, ...filtered } = filter;
  if (toQueryString(filtered) === '' || (saved && toQueryString(saved.filter) === toQueryString(filter)))
    return null;
  const action = `${base}/filters`;
  const filterFields = toFormFields(filter);
  return (
    <>
      {saved?.mayChange ? (
        <Form action={`${action}/${saved.id}/replace`} class="with-filter" of={filterFields}>
          <button type="submit" class="quiet">
            Update filter
          </button>
        </Form>
      ) : null}
      <details class="drop-down at-end" open={rejected?.action === action}>
        <summary>{saved ? 'Save as new filter' : 'Save filter'}</summary>
        <Form action={action} class="with-filter" of={filterFields}>
          <NewFilterFields />
        </Form>
      </details>
    </>
  );
}

function NewFilterFields() {
  const { caller } = useVisit();
  return (
    <>
      <Field id="filter-name" name="name" label="Name" maxlength={80} autocomplete="off" />
      {getReach(caller, 'saveFilters') === 'self' ? null : (
        <label class="pick">
          <input type="checkbox" name="isShared" value="true" /> Share with workspace
        </label>
      )}
      <button type="submit">Save</button>
    </>
  );
}
