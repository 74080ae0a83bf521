import type { Child } from 'hono/jsx';
import { useVisit } from './context.ts';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

interface DeleteProps {
  /** What goes, as "the project". */
  what: string;
  /** The address of the form. */
  action: string;
  /** To be typed, so that nobody does it by mistake. */
  name: string;
  class: string;
  /** What goes with it. */
  children: Child;
}

/** The form for what nothing brings back. */
export function DeleteForm({ what, action, name, class: className, children }: DeleteProps) {
  const { refused } = useVisit();
  return (
    <details class={className} open={refused?.action === action}>
      <summary>Delete {what}</summary>
      <Form action={action} class="panel padded">
        <p>
          {children} <strong>Nothing brings them back.</strong>
        </p>
        <Field
          id="typed-name"
          name="name"
          label={`Type its name to be sure: ${name}`}
          autocomplete="off"
          maxlength={1_000}
        />
        <button type="submit" class="danger">
          Delete for good
        </button>
      </Form>
    </details>
  );
}
