import { useVisit } from './context.ts';
import { Alert } from './field.tsx';
import { Form } from './form.tsx';
import type { StatusDisplay } from './status-and-priority.tsx';

export const COMPLETE_FORM_ID = 'complete';

/** Shared by all buttons of a page, because a form for each task would double the size of a board. */
export function CompleteForm() {
  const { base, refused } = useVisit();
  return (
    <>
      {refused?.values.get('field') === COMPLETE_FORM_ID ? (
        <Alert message={refused.message ?? undefined} />
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

interface CompleteButtonProps {
  task: { id: number; status: string };
  /** The id of the element with the task's name. Cards leave it out, because it adds a kilobyte to a board. */
  nameId?: string;
  /** Read out by screen readers, where nothing else names the status. */
  status?: StatusDisplay | undefined;
}

/** The button shows the status as a ring that fills. */
export function CompleteButton({ task: { id, status: value }, nameId, status }: CompleteButtonProps) {
  const { base } = useVisit();
  const isDone = value === 'completed';
  return (
    <button
      type="submit"
      class={`complete ring ${value}`}
      form={COMPLETE_FORM_ID}
      formaction={`${base}/tasks/${id}`}
      name="status"
      value={isDone ? 'todo' : 'completed'}
      aria-pressed={isDone ? 'true' : 'false'}
      aria-label={nameId === undefined ? 'Complete' : undefined}
      aria-labelledby={nameId && `${COMPLETE_FORM_ID} ${nameId}`}
      title={isDone ? 'Reopen' : status ? `${status.label}. Complete` : 'Complete'}
    />
  );
}
