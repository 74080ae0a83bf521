import { ASSIGNEES_MAX, taskFields } from '../../../tasks/fields.ts';
import { Chip } from '../../components/chip.tsx';
import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import type { Task } from './task.view.tsx';

interface OtherAssigneesPropertyProps {
  task: Task;
  people: Parameters<typeof PersonSelect>[0]['people'];
}

/** Lists all assignees except the first, who has a separate form. */
export function OtherAssigneesProperty({ task, people }: OtherAssigneesPropertyProps) {
  const { base } = useVisit();
  const assignees = task.assignees ?? [];
  if (assignees.length === 0) return null;
  const assigneeIds = assignees.map(({ id }) => id);
  const action = `${base}/tasks/${task.id}/assignees`;
  const others = assignees.slice(1);
  return (
    <div class="property">
      <dt>{taskFields.assignees.label}</dt>
      <dd>
        {others.length === 0 ? null : (
          <Form action={action} of={{ assigneeIds: assigneeIds.join(',') }} snapshot={{ assigneeIds }}>
            <ul class="assignees">
              {others.map((person) => (
                <li>
                  <PersonName person={person} />
                  <button
                    type="submit"
                    class="quiet"
                    name="remove"
                    value={person.id}
                    aria-label={`Remove ${person.name}`}
                  >
                    Remove
                  </button>
                </li>
              ))}
            </ul>
          </Form>
        )}
        {assignees.length < ASSIGNEES_MAX ? (
          <Form
            action={action}
            label="Add an assignee"
            of={{ assigneeIds: assigneeIds.join(',') }}
            snapshot={{ assigneeIds }}
          >
            <Chip pick="assignee" icon="plus" empty="Add an assignee" content={null} without={assigneeIds}>
              <PersonSelect
                name="add"
                label="Add an assignee"
                isLabelHidden
                first={[['', 'Add an assignee']]}
                people={people}
                without={assigneeIds}
              />
            </Chip>
            <button type="submit" class="quiet unscripted-only">
              Add
            </button>
          </Form>
        ) : null}
      </dd>
    </div>
  );
}
