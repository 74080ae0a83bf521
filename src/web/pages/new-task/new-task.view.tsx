import { taskFields } from '../../../tasks/fields.ts';
import { CategorySelect } from '../../components/category-select.tsx';
import { AssigneeChip, Chip, DateChip, PriorityChip, StatusChip } from '../../components/chip.tsx';
import { useRejectedForm, useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { PickerData } from '../../components/picker-data.tsx';
import { RichTextField } from '../../components/rich-text-field.tsx';
import { PersonSelect, ProjectSelect } from '../../components/searchable-select.tsx';
import { buildStatusOptions, priorityOptions } from '../../components/status-and-priority.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { TemplateLinks } from '../../components/template-links.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { OTHER_ASSIGNEES_FIELD } from './assignee-fields.ts';
import type { newTaskOptionalReads, newTaskParams, newTaskReads } from './new-task.tsx';

type Props = ViewProps<typeof newTaskParams, typeof newTaskReads, typeof newTaskOptionalReads>;

export function NewTaskView({ visit: { base }, params, answers }: Props) {
  return (
    <div class="column-page">
      <header class="head">
        <h1>New task</h1>
      </header>
      {answers.projects.data.length === 0 ? (
        <EmptyState icon="list-checks">
          <p>Tasks belong to a project. Create or join one first.</p>
          <a class="button plain" href={`${base}/projects`}>
            View projects
          </a>
        </EmptyState>
      ) : (
        <>
          <TemplateLinks
            templates={answers.templates}
            query={params.project === undefined ? '' : `?project=${params.project}`}
          />
          <PickerData />
          <NewTaskForm params={params} answers={answers} />
        </>
      )}
    </div>
  );
}

function NewTaskForm({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { base } = useVisit();
  const { projects, people, statuses, kinds, labels, selectedProject, selectedPerson } = answers;
  const isOnly = projects.data.length === 1 && !projects.meta.hasMore;
  const onlyProject = isOnly ? projects.data[0]?.name : undefined;
  const { status = 'todo', priority = 'medium' } = params;
  return (
    <Form action={`${base}/tasks/new`} class="panel padded" label="New task">
      <Field name="name" label="Task name" value={params.name} maxlength={500} autocomplete="off" isFocused />
      <div class="chips field-grid">
        <Chip
          pick="list"
          icon="folder-kanban"
          title="Project"
          content={selectedProject?.name ?? onlyProject ?? 'Choose a project'}
        >
          <ProjectSelect
            name="projectId"
            label="Project"
            value={String(selectedProject?.id ?? '')}
            first={isOnly || selectedProject ? [] : [['', 'Choose a project']]}
            projects={projects}
            current={selectedProject}
          />
        </Chip>
        <StatusChip status={statuses.data.find(({ value }) => value === status)}>
          <Select
            name="status"
            label={taskFields.status.label}
            value={status}
            options={buildStatusOptions(statuses.data, status)}
          />
        </StatusChip>
        <AssigneeChip person={selectedPerson}>
          <PersonSelect
            name="assigneeId"
            label={taskFields.assignee.label}
            value={selectedPerson?.id ?? ''}
            first={[['', 'Unassigned']]}
            people={people}
            current={selectedPerson}
          />
        </AssigneeChip>
        <PriorityChip priority={priority}>
          <Select
            name="priority"
            label={taskFields.priority.label}
            value={priority}
            options={priorityOptions}
          />
        </PriorityChip>
        <DateChip
          pick="deadline"
          title={taskFields.deadline.label}
          empty={taskFields.deadline.label}
          date={params.deadline}
        >
          <Field
            name="deadline"
            label={taskFields.deadline.label}
            type="date"
            value={params.deadline}
            isOptional
          />
        </DateChip>
        <Chip
          pick="tags"
          icon="tag"
          title={taskFields.tags.label}
          empty={taskFields.tags.label}
          content={null}
        >
          <TagsField labels={labels} />
        </Chip>
      </div>
      <RichTextField
        name="description"
        label={taskFields.description.label}
        rows={4}
        isOptional
        maxlength={100_000}
      />
      <OtherAssigneesField people={people.data} />
      <div class="field-grid">
        <Field name="startDate" label={taskFields.startDate.label} type="date" isOptional />
        <CategorySelect categories={kinds.categories} />
        <Field
          name="parentId"
          label={taskFields.parent.label}
          type="number"
          min={1}
          value={params.parent === undefined ? undefined : String(params.parent)}
          placeholder="Task number"
          isOptional
        />
        <Field
          name="customEstimatedHours"
          label={taskFields.customEstimatedHours.label}
          type="number"
          min={0}
          max={9_999.99}
          step={0.01}
          hint="Leave empty to use the default of the type or category."
          isOptional
        />
      </div>
      <div class="actions">
        <button type="submit">Create task</button>
        <a class="button plain" href={params.project ? `${base}/projects/${params.project}` : base}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

/** Selected people are assigned in the order of the list, after the person in the assignee field. */
function OtherAssigneesField({ people }: { people: Props['answers']['people']['data'] }) {
  const selectedIds = useRejectedForm()?.values.getAll(OTHER_ASSIGNEES_FIELD) ?? [];
  return (
    <details class="field" open={selectedIds.length > 0}>
      <summary>{taskFields.assignees.label}</summary>
      <ul class="choices-list">
        {people.map((person) => (
          <li>
            <label>
              <input
                type="checkbox"
                name={OTHER_ASSIGNEES_FIELD}
                value={person.id}
                checked={selectedIds.includes(person.id)}
              />
              <PersonName person={person} />
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
