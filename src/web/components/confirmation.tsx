import type { PropsWithChildren } from 'hono/jsx';
import { useVisit } from './context.ts';
import { Form } from './form.tsx';
import { Icon } from './icon.tsx';

interface ConfirmationProps {
  label: string;
  isInRow?: boolean;
  action: string;
  confirm: string;
  of?: Readonly<Record<string, string>>;
}

export function Confirmation({
  label,
  isInRow = false,
  action,
  confirm,
  of: hiddenFields,
  children,
}: PropsWithChildren<ConfirmationProps>) {
  const { rejected } = useVisit();
  return (
    <details class={isInRow ? 'drop-down at-end' : 'confirmation'} open={rejected?.action === action}>
      <summary aria-label={isInRow ? label : undefined}>{isInRow ? <Icon name="x" /> : label}</summary>
      <Form action={action} {...(hiddenFields && { of: hiddenFields })}>
        {children}
        <button type="submit" class="danger">
          {confirm}
        </button>
      </Form>
    </details>
  );
}
