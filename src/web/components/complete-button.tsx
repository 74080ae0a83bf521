import { useVisit } from './context.ts';
import { Alert } from './field.tsx';
import { Form } from './form.tsx';
import type { StatusDisplay } from './status-and-priority.tsx';

export const COMPLETE_FORM_ID = 'complete';

/** All Complete buttons on a page share this form, because a form for each task would double the size of a board. */
export function CompleteTasksForm() {
  const { base, rejected } = useVisit();
  return (
    <>
      {rejected?.values.get('field') === COMPLETE_FORM_ID ? (
        <Alert message={rejected.message ?? undefined} />
      ) : null}
      <Form
        action={`${base}/tasks/0`}
        id={COMPLETE_FORM_ID}
        label="Complete"
        of={{ field: COMPLETE_FORM_ID }}
      />
    </>
  );
}

interface CompletableTask {
  id: number;
  status: string;
}

interface CompleteButtonProps {
  task: CompletableTask;
  /** The id of the element with the task's name. Cards omit it to save a kilobyte per board. */
  nameId?: string;
  status?: StatusDisplay | undefined;
}

export function CompleteButton({ task, nameId, status }: CompleteButtonProps) {
  const isDone = task.status === 'completed';
  return (
    <button
      class={`complete ring ${task.status}`}
      {...useCompleteButtonAttributes(task)}
      aria-pressed={isDone ? 'true' : 'false'}
      aria-label={nameId === undefined ? 'Complete' : undefined}
      aria-labelledby={nameId && `${COMPLETE_FORM_ID} ${nameId}`}
      title={isDone ? 'Reopen' : status ? `${status.label}. Mark complete` : 'Mark complete'}
    />
  );
}

export function TaskPageCompleteButton({ task }: { task: CompletableTask }) {
  const label = task.status === 'completed' ? 'Reopen' : 'Mark complete';
  return (
    <button
      class={`complete ring ${task.status}`}
      {...useCompleteButtonAttributes(task)}
      aria-label={label}
      title={label}
    />
  );
}

function useCompleteButtonAttributes({ id, status }: CompletableTask) {
  const { base } = useVisit();
  return {
    type: 'submit',
    form: COMPLETE_FORM_ID,
    formaction: `${base}/tasks/${id}`,
    name: 'status',
    value: status === 'completed' ? 'todo' : 'completed',
  } as const;
}
