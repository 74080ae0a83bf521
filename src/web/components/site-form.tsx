import type { PropsWithChildren } from 'hono/jsx';
import type { Browser } from '../../accounts/browser-sessions/browser-session.ts';
import type { RejectedForm } from '../page-model/page.ts';
import { FormProvider } from './context.ts';
import { Alert } from './field.tsx';
import { buildSnapshotField } from './snapshot-field.ts';

interface SiteFormProps {
  action: string;
  browser: Browser;
  class?: string;
  /** The errors of a form on the page, displayed only if they belong to this form. */
  rejected?: RejectedForm | null | undefined;
  of?: Readonly<Record<string, string>>;
  /** The values that the form was rendered with, by input name. The server uses them to detect concurrent changes. */
  shown?: Readonly<Record<string, unknown>>;
  enctype?: 'multipart/form-data';
}

/** A form outside a workspace. Its form key prevents duplicate submissions, and errors don't clear its fields. */
export function SiteForm({
  action,
  browser,
  class: className,
  rejected,
  of = {},
  shown,
  enctype,
  children,
}: PropsWithChildren<SiteFormProps>) {
  const hidden = Object.entries(of);
  const isMine =
    rejected?.action === action && hidden.every(([name, value]) => rejected.values.get(name) === value);
  const mine = isMine ? rejected : null;
  return (
    <form method="post" action={action} class={className} enctype={enctype}>
      <input type="hidden" name="csrf" value={browser.csrf} />
      <input type="hidden" name="once" value="0" />
      {hidden.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {shown ? <input type="hidden" name="shown" value={buildSnapshotField(shown)} /> : null}
      <FormProvider value={mine}>
        {mine?.message ? <Alert message={mine.message} /> : null}
        {children}
      </FormProvider>
    </form>
  );
}
