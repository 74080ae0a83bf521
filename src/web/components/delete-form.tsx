import type { Child } from 'hono/jsx';
import { useVisit } from './context.ts';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

interface DeleteFormProps {
  noun: string;
  action: string;
  name: string;
  class: string;
  children: Child;
}

export function DeleteForm({ noun, action, name, class: className, children }: DeleteFormProps) {
  const { rejected } = useVisit();
  return (
    <details class={className} open={rejected?.action === action}>
      <summary>Delete {noun}…</summary>
      <Form action={action} class="panel padded">
        <p>
          {children} <strong>This can't be undone.</strong>
        </p>
        <Field
          id="typed-name"
          name="name"
          label={`Type “${name}” to confirm`}
          autocomplete="off"
          maxlength={1_000}
        />
        <button type="submit" class="danger">
          Delete {noun}
        </button>
      </Form>
    </details>
  );
}
