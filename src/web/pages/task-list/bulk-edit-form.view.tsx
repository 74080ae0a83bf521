import { useVisit } from '../../components/context.ts';
import { Alert, EARLIEST_DATE, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import { buildStatusOptions, priorityOptions } from '../../components/status-and-priority.tsx';
import { UNASSIGNED } from './bulk-forms.ts';
import type { Props } from './task-list.view.tsx';

export const BULK_FORM_ID = 'bulk';

export function BulkEditForm({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { base, rejected } = useVisit();
  const action = `${base}/tasks/bulk`;
  const mine = rejected?.action.startsWith(action) ? rejected : null;
  const isArchive = params.archived === 'true';
  return (
    <Form action={action} id={BULK_FORM_ID} class="bulk-bar" label="Edit selected tasks">
      {mine?.message && mine.action !== action ? <Alert message={mine.message} /> : null}
      {mine?.fields.ids ? <Alert message="Select at least one task." /> : null}
      <input type="hidden" name="ids" value="" />
      <output class="selected-count" aria-live="polite" />
      {isArchive ? (
        <button type="submit" class="plain" formaction={`${action}/restore`}>
          <Icon name="archive-restore" />
          Restore
        </button>
      ) : (
        <>
          <BulkEditFields answers={answers} />
          <button type="submit">Apply</button>
          <button type="submit" class="plain" formaction={`${action}/archive`}>
            <Icon name="archive" />
            Archive
          </button>
        </>
      )}
      <button type="reset" class="quiet">
        Clear
      </button>
    </Form>
  );
}

function BulkEditFields({ answers: { statuses, people } }: Pick<Props, 'answers'>) {
  const buildUnchangedOption = (what: string) => ['', `${what}…`] as const;
  return (
    <>
      <Select
        id="bulk-status"
        name="status"
        label="Status"
        isLabelHidden
        options={[buildUnchangedOption('Status'), ...buildStatusOptions(statuses.data)]}
      />
      <PersonSelect
        id="bulk-assignee"
        name="assignee"
        label="Assignee"
        isLabelHidden
        first={[buildUnchangedOption('Assignee'), [UNASSIGNED, 'Unassigned']]}
        people={people}
      />
      <Select
        id="bulk-priority"
        name="priority"
        label="Priority"
        isLabelHidden
        options={[buildUnchangedOption('Priority'), ...priorityOptions]}
      />
      <span class="inline">
        <label for="bulk-deadline">Deadline</label>
        <input id="bulk-deadline" type="date" name="deadline" min={EARLIEST_DATE} />
      </span>
      <label class="pick">
        <input type="checkbox" name="noDeadline" value="true" /> No deadline
      </label>
    </>
  );
}
