import type * as z from 'zod';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { QUICK_ADD_CHARACTERS_MAX } from '../../../tasks/quick-add/quick-add.schema.ts';
import type { listSubtasks } from '../../../tasks/subtasks/subtasks.ts';
import { BlockedBadge } from '../../components/blocked-badge.tsx';
import { CompleteButton } from '../../components/complete-button.tsx';
import { useVisit } from '../../components/context.ts';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Avatars } from '../../components/people.tsx';
import { type StatusDisplay, StatusLabel } from '../../components/status-and-priority.tsx';
import { SubtaskProgress } from '../../components/task-progress.tsx';
import { Deadline } from '../../components/time.tsx';
import { assets } from '../../page-model/assets.ts';
import type { Task } from './task.view.tsx';

type SubtaskPage = z.output<typeof listSubtasks.output>;
type Subtask = SubtaskPage['data'][number];

interface SubtasksSectionProps {
  task: Task;
  subtasks: SubtaskPage;
  statuses: readonly StatusDisplay[];
}

const SUBTASK_ORDER_FORM_ID = 'subtask-order';

export function SubtasksSection({ task, subtasks: { data, meta }, statuses }: SubtasksSectionProps) {
  const { base } = useVisit();
  if (task.isArchived && data.length === 0) return null;
  // The order form sends every subtask, so it needs the whole list.
  const ids = data.map(({ id }) => id);
  const isSortable = !task.isArchived && !meta.hasMore && data.length > 1;
  return (
    <section class="section" aria-labelledby="subtasks-name">
      <h2 id="subtasks-name">
        Subtasks <SubtasksHeadingProgress task={task} />
      </h2>
      {isSortable ? (
        <Form
          action={`${base}/tasks/${task.id}/subtasks/order`}
          id={SUBTASK_ORDER_FORM_ID}
          label="Subtask order"
          of={{ ids: ids.join(',') }}
          snapshot={{ ids }}
        />
      ) : null}
      {data.length === 0 ? null : (
        <ul class="rows panel subtasks">
          {data.map((subtask, index) => (
            <li id={`subtask-${subtask.id}`}>
              {task.isArchived ? null : (
                <CompleteButton task={subtask} nameId={`subtask-${subtask.id}-name`} />
              )}
              <a id={`subtask-${subtask.id}-name`} class="row-name" href={`${base}/tasks/${subtask.id}`}>
                {subtask.name}
              </a>
              <BlockedBadge task={subtask} />
              {subtask.subtasks && subtask.subtasks.total > 0 ? (
                <SubtaskProgress of={subtask.subtasks} />
              ) : null}
              <StatusLabel status={statuses.find(({ value }) => value === subtask.status)} />
              {subtask.deadline ? (
                <Deadline date={subtask.deadline} isDone={subtask.status === 'completed'} />
              ) : null}
              <Avatars people={subtask.assignees ?? []} />
              {isSortable ? (
                <SubtaskOrderButtons
                  subtask={subtask}
                  isFirst={index === 0}
                  isLast={index === data.length - 1}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {data.length === 0 ? null : (
        <p class="hint">
          {meta.hasMore ? `Showing the first ${data.length} of ${meta.total}. ` : null}
          <a href={`${base}/tasks?project=${task.project.id}&parent=${task.id}`}>Open as list</a>
        </p>
      )}
      {task.isArchived ? null : <CompleteSubtasksForm task={task} subtasks={data} />}
      {task.isArchived ? null : <AddSubtaskForm task={task} />}
    </section>
  );
}

function SubtasksHeadingProgress({ task: { subtasks } }: { task: Task }) {
  return subtasks && subtasks.total > 0 ? <SubtaskProgress of={subtasks} /> : null;
}

function SubtaskOrderButtons({
  subtask,
  isFirst,
  isLast,
}: {
  subtask: Subtask;
  isFirst: boolean;
  isLast: boolean;
}) {
  const renderButton = (direction: 'up' | 'down', label: string, mark: string, isDisabled: boolean) => (
    <button
      type="submit"
      class="quiet"
      id={`subtask-${subtask.id}-${direction}`}
      form={SUBTASK_ORDER_FORM_ID}
      name="move"
      value={`${direction}:${subtask.id}`}
      aria-label={`${label}: ${subtask.name}`}
      title={label}
      disabled={isDisabled}
    >
      {mark}
    </button>
  );
  return (
    <span class="order-buttons">
      {renderButton('up', 'Move up', '↑', isFirst)}
      {renderButton('down', 'Move down', '↓', isLast)}
    </span>
  );
}

/** Completing a task leaves its subtasks open, so the page also offers to complete them. */
function CompleteSubtasksForm({ task, subtasks }: { task: Task; subtasks: readonly Subtask[] }) {
  const { base } = useVisit();
  const open = subtasks.filter(({ status }) => status !== 'completed');
  if (task.status !== 'completed' || open.length === 0) return null;
  return (
    <Form action={`${base}/tasks/bulk`} label="Complete subtasks" of={{ status: 'completed' }}>
      {open.map(({ id }) => (
        <input type="hidden" name="ids" value={String(id)} />
      ))}
      <button type="submit" class="plain">
        Complete {formatCount(open.length, 'open subtask')}
      </button>
    </Form>
  );
}

function AddSubtaskForm({ task }: { task: Task }) {
  const { base } = useVisit();
  const of = { projectId: task.project.id, parentId: task.id };
  return (
    <>
      <Form action={`${base}/tasks`} class="quick-add" label="Add a subtask" of={of}>
        <Field
          id="add-subtask"
          name="name"
          label="Add a subtask"
          isLabelHidden
          maxlength={QUICK_ADD_CHARACTERS_MAX}
          autocomplete="off"
          placeholder="Add a subtask…"
          module={assets.addInPlace}
        />
        <button type="submit">Add</button>
        <div class="understood" aria-live="polite" data-kept />
      </Form>
      <p class="hint">
        <a href={`${base}/tasks/new?project=${task.project.id}&parent=${task.id}`}>
          Add a subtask with details
        </a>
      </p>
    </>
  );
}
