import type { PropsWithChildren } from 'hono/jsx';
import { FormProvider, useVisit } from './context.ts';
import { Alert } from './field.tsx';
import { buildSnapshotField } from './snapshot-field.ts';

interface FormProps {
  action: string;
  id?: string;
  class?: string;
  label?: string;
  auto?: boolean;
  back?: string;
  /** Hidden fields, which also distinguish forms with the same action. */
  of?: Readonly<Record<string, string | number>>;
  /** The values that the form was rendered with, by input name. The server uses them to detect concurrent changes. */
  snapshot?: Readonly<Record<string, unknown>>;
}

/** A form inside a workspace. Its form key prevents duplicate submissions, and errors don't clear its fields. */
export function Form({
  action,
  id,
  class: className,
  label,
  auto,
  back,
  of = {},
  snapshot,
  children,
}: PropsWithChildren<FormProps>) {
  const { browser, address, rejected } = useVisit();
  const hidden = Object.entries(of);
  const isMine =
    rejected?.action === action &&
    hidden.every(([name, value]) => rejected.values.get(name) === String(value));
  const mine = isMine ? rejected : null;
  return (
    <form method="post" action={action} id={id} class={className} aria-label={label} data-auto={auto}>
      <input type="hidden" name="csrf" value={browser.csrf} />
      <input type="hidden" name="once" value="0" />
      <input type="hidden" name="back" value={back ?? address} />
      {hidden.map(([name, value]) => (
        <input type="hidden" name={name} value={String(value)} />
      ))}
      {snapshot ? <input type="hidden" name="shown" value={buildSnapshotField(snapshot)} /> : null}
      <FormProvider value={mine}>
        {mine?.message ? <Alert message={mine.message} /> : null}
        {children}
      </FormProvider>
    </form>
  );
}
