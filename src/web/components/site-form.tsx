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
  /** The rejected form on the page. Its errors are displayed only if it is this form. */
  rejected?: RejectedForm | null | undefined;
  of?: Readonly<Record<string, string>>;
  snapshot?: Readonly<Record<string, unknown>>;
  enctype?: 'multipart/form-data';
}

/** Like `Form`, but for pages outside a workspace. */
export function SiteForm({
  action,
  browser,
  class: className,
  rejected,
  of = {},
  snapshot,
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
      {snapshot ? <input type="hidden" name="shown" value={buildSnapshotField(snapshot)} /> : null}
      <FormProvider value={mine}>
        {mine?.message ? <Alert message={mine.message} /> : null}
        {children}
      </FormProvider>
    </form>
  );
}
