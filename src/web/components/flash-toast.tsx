import { useVisit } from './context.ts';
import { Form } from './form.tsx';

/** Says what was done, with the way back. A screen reader is told; `z` presses it. */
export function FlashToast() {
  const { done, base } = useVisit();
  return (
    <div id="done" class="toast" role="status">
      {done?.said}
      {done?.undo ? (
        <Form action={base + done.undo.path} of={done.undo.fields}>
          <button type="submit" class="quiet" aria-keyshortcuts="z">
            Undo
          </button>
        </Form>
      ) : null}
    </div>
  );
}
