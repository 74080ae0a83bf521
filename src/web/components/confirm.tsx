import type { PropsWithChildren } from 'hono/jsx';
import { useVisit } from './context.ts';
import { Form } from './form.tsx';
import { Icon } from './icon.tsx';

interface ConfirmProps {
  /** What opens the question. */
  label: string;
  /** In a row: a cross stands for the label. */
  isInRow?: boolean;
  /** The address of the form. */
  action: string;
  /** The button that does it. */
  confirm: string;
  /** Hidden fields. */
  of?: Readonly<Record<string, string>>;
}

/** Asks before something that no undo brings back; the children say what follows from it. */
export function Confirm({
  label,
  isInRow = false,
  action,
  confirm,
  of,
  children,
}: PropsWithChildren<ConfirmProps>) {
  const { refused } = useVisit();
  return (
    <details class={isInRow ? 'drop-down at-end' : 'asks'} open={refused?.action === action}>
      <summary aria-label={isInRow ? label : undefined}>{isInRow ? <Icon name="x" /> : label}</summary>
      <Form action={action} {...(of && { of })}>
        {children}
        <button type="submit" class="danger">
          {confirm}
        </button>
      </Form>
    </details>
  );
}
