import type { Caller } from '../../../kernel/access/access.ts';
import { getReach } from '../../../kernel/access/capabilities.ts';
import {
  type FieldChoice,
  NUMBER_MAX,
  TEXT_CHARACTERS_MAX,
  URL_CHARACTERS_MAX,
} from '../../../tasks/custom-fields/custom-fields.schema.ts';
import { taskFields } from '../../../tasks/fields.ts';
import { FormProvider, useRejectedForm, useVisit } from '../../components/context.ts';
import { Alert, EARLIEST_DATE, Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PersonSelect, ProjectSelect } from '../../components/searchable-select.tsx';
import { buildStatusOptions, priorityOptions } from '../../components/status-and-priority.tsx';
import { TAG_NAMES_ID } from '../../components/tags.tsx';
import { UNASSIGNED } from './bulk-forms.ts';
import type { Props } from './task-list.view.tsx';

export const BULK_FORM_ID = 'bulk';

export function BulkEditForm({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { base, caller, rejected } = useVisit();
  const action = `${base}/tasks/bulk`;
  const mine = rejected?.action.startsWith(action) ? rejected : null;
  const isArchive = params.archived === 'true';
  const mayDelete = isProjectLead(caller, answers) || getReach(caller, 'deleteTasks') === 'all';
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
          <MoreBulkFields params={params} answers={answers} isOpen={mine?.action === action} />
          <button type="submit">Apply</button>
          <button type="submit" class="plain" formaction={`${action}/archive`}>
            <Icon name="archive" />
            Archive
          </button>
          <MoveMenu action={`${action}/move`} params={params} answers={answers} />
        </>
      )}
      {mayDelete ? (
        <button type="submit" class="plain" formaction={`${action}/delete`}>
          <Icon name="trash-2" />
          Delete
        </button>
      ) : null}
      <button type="reset" class="quiet">
        Clear
      </button>
    </Form>
  );
}

/** In a list of several projects, only people who can delete every task get the button. */
function isProjectLead({ userId }: Caller, { chosenProject }: Props['answers']): boolean {
  return chosenProject?.owner.id === userId;
}

function MoveMenu({
  action,
  params: { project },
  answers: { projects },
}: Pick<Props, 'params' | 'answers'> & { action: string }) {
  const { rejected } = useVisit();
  const mine = rejected?.action === action ? rejected : null;
  const others = { ...projects, data: projects.data.filter(({ id }) => id !== project) };
  return (
    <details class="drop-down bulk-more bulk-move" open={mine !== null}>
      <summary>Move</summary>
      <fieldset>
        <legend class="off-screen">Move to another project</legend>
        <FormProvider value={mine}>
          <ProjectSelect
            id="bulk-project"
            name="projectId"
            label="Move to project"
            first={[['', 'Choose a project']]}
            projects={others}
          />
        </FormProvider>
        <p class="hint">Subtasks, comments, files and tracked time move with the tasks.</p>
        <button type="submit" class="plain" formaction={action}>
          <Icon name="folder-kanban" />
          Move tasks
        </button>
      </fieldset>
    </details>
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

/** Offers less common fields. If the list shows a single project, these include the project's custom fields. */
function MoreBulkFields({
  params: { project },
  answers: { fields, people, labels },
  isOpen,
}: Pick<Props, 'params' | 'answers'> & { isOpen: boolean }) {
  const projectFields = project === undefined ? [] : fields.data;
  // The tag filter contains the list of tag names.
  const tagSuggestions = labels ? { list: TAG_NAMES_ID } : {};
  return (
    <details class="drop-down bulk-more" open={isOpen}>
      <summary>More</summary>
      <fieldset>
        <legend class="off-screen">More fields</legend>
        <Field
          isOptional
          name="addTags"
          id="bulk-add-tags"
          label="Add tags"
          hint="Separate tags with commas."
          {...tagSuggestions}
        />
        <Field isOptional name="removeTags" id="bulk-remove-tags" label="Remove tags" {...tagSuggestions} />
        <Field isOptional name="dueTime" id="bulk-due-time" label={taskFields.dueTime.label} type="time" />
        {projectFields.map((field) => (
          <BulkCustomField field={field} people={people} />
        ))}
        <Select
          id="bulk-clear"
          name="clear"
          label="Clear a field"
          options={[
            ['', 'None'],
            ['dueTime', taskFields.dueTime.label],
            ...projectFields.map(({ id, name }) => [id, name] as const),
          ]}
        />
      </fieldset>
    </details>
  );
}

function BulkCustomField({
  field: { id, name, type, options },
  people,
}: {
  field: FieldChoice;
  people: Props['answers']['people'];
}) {
  const rejected = useRejectedForm();
  const shared = { id: `bulk-${id}`, name: id, label: name };
  const unchanged = ['', 'No change'] as const;
  switch (type) {
    case 'select':
      return (
        <Select
          {...shared}
          options={[unchanged, ...options.map((each) => [String(each.id), each.name] as const)]}
        />
      );
    case 'multi_select':
      return (
        <fieldset>
          <legend>
            <bdi>{name}</bdi>
          </legend>
          {options.map((option) => (
            <label class="pick">
              <input
                type="checkbox"
                name={id}
                value={String(option.id)}
                checked={rejected?.values.getAll(id).includes(String(option.id)) ?? false}
              />{' '}
              <bdi>{option.name}</bdi>
            </label>
          ))}
        </fieldset>
      );
    case 'checkbox':
      return <Select {...shared} options={[unchanged, ['true', 'Yes'], ['false', 'No']]} />;
    case 'person':
      return <PersonSelect {...shared} first={[unchanged]} people={people} />;
    case 'number':
      return (
        <Field
          isOptional
          {...shared}
          type="number"
          step="any"
          min={-NUMBER_MAX}
          max={NUMBER_MAX}
          autocomplete="off"
        />
      );
    case 'date':
      return <Field isOptional {...shared} type="date" />;
    default:
      return (
        <Field
          isOptional
          {...shared}
          maxlength={type === 'url' ? URL_CHARACTERS_MAX : TEXT_CHARACTERS_MAX}
          autocomplete="off"
        />
      );
  }
}
