import type { Child } from 'hono/jsx';
import { useVisit } from './context.ts';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

interface DeleteProps {
  what: string;
  action: string;
  name: string;
  class: string;
  children: Child;
}

export function DeleteForm({ what, action, name, class: className, children }: DeleteProps) {
  const { rejected } = useVisit();
  return (
    <details class={className} open={rejected?.action === action}>
      <summary>Delete {what}</summary>
      <Form action={action} class="panel padded">
        <p>
          {children} <strong>You can't undo this.</strong>
        </p>
        <Field
          id="typed-name"
          name="name"
          label={`Type “${name}” to confirm`}
          autocomplete="off"
          maxlength={1_000}
        />
        <button type="submit" class="danger">
          Delete {what}
        </button>
      </Form>
    </details>
  );
}
