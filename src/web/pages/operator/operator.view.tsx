import { DAY_MS } from '../../../kernel/dates/durations.ts';
import type { RecordedError } from '../../../kernel/telemetry/recent-errors.ts';
import { toSafeMessage } from '../../../kernel/telemetry/safe-message.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import {
  type DatabaseState,
  EMAILS_COUNTED_MAX,
  type ServiceReport,
} from '../../../upkeep/incidents/service-report.ts';
import type { EmailBacklog } from '../../../upkeep/incidents/unsent-emails.queries.ts';
import { Alert, Field } from '../../components/field.tsx';
import { SiteLayout } from '../../server/layout.tsx';
import { formatBytes } from '../files/format-bytes.ts';
import { CsrfField, OperatorSection, OperatorTable, UtcTime } from './operator-elements.view.tsx';
import { ErrorsSection, FailingWebhooksSection } from './webhooks-and-errors.view.tsx';

export function OperatorSignInPage({ problem }: { problem?: string }) {
  return (
    <SiteLayout title="Operator" width="narrow">
      <h1>Operator</h1>
      <Alert message={problem} />
      <div class="card">
        <form method="post" action="/operator">
          <Field
            name="key"
            label="Operator key"
            type="password"
            autocomplete="current-password"
            maxlength={1024}
            isFocused
          />
          <button type="submit" class="full">
            Sign in
          </button>
        </form>
      </div>
    </SiteLayout>
  );
}

interface OperatorPageProps {
  csrf: string;
  report: ServiceReport;
  now: number;
  resent: number | null;
}

export function OperatorPage({ csrf, report, now, resent }: OperatorPageProps) {
  const isFailedJob = ({ event, lastAt }: RecordedError) =>
    event.startsWith('cron.') && lastAt > now - DAY_MS;
  return (
    <SiteLayout title="Operator" width="full">
      <div class="operator">
        <h1>Operator</h1>
        <p class="note">All times are UTC.</p>
        {resent === null ? null : (
          <p role="status">{formatCount(resent, 'email')} will be sent within a minute.</p>
        )}
        <DatabasesSection report={report} />
        <EmailSection report={report} csrf={csrf} />
        <FailingWebhooksSection cells={report.cells} />
        <ErrorsSection
          title="Failing jobs"
          place="Job"
          errors={report.errors?.filter(isFailedJob) ?? null}
          empty="No job failed in the last 24 hours."
        />
        <ErrorsSection
          title="Recent errors"
          place="Where"
          errors={report.errors?.filter((error) => !isFailedJob(error)) ?? null}
          empty="No errors yet."
        />
        <form method="post" action="/operator/sign-out">
          <CsrfField token={csrf} />
          <button type="submit" class="plain">
            Sign out
          </button>
        </form>
      </div>
    </SiteLayout>
  );
}

function DatabasesSection({ report: { directory, cells, cellsInTotal } }: { report: ServiceReport }) {
  return (
    <OperatorSection title="Databases">
      <OperatorTable columns={['Database', 'State', 'Workspaces', 'Size', 'Usage', 'Response']}>
        <DatabaseRow
          name="Directory"
          state={directory}
          normal="Running"
          workspaces={null}
          percentUsed={null}
        />
        {cells.map(({ no, state, isClosed, workspaces, percentUsed }) => (
          <DatabaseRow
            name={`Cell ${no}`}
            state={state}
            normal={isClosed ? 'Closed to new workspaces' : 'Running'}
            workspaces={workspaces}
            percentUsed={percentUsed}
          />
        ))}
      </OperatorTable>
      {cells.length < cellsInTotal ? (
        <p class="note">
          Showing the first {cells.length} of {cellsInTotal} cells.
        </p>
      ) : null}
    </OperatorSection>
  );
}

interface DatabaseRowProps {
  name: string;
  state: DatabaseState | null;
  normal: string;
  workspaces: number | null;
  percentUsed: number | null;
}

function DatabaseRow({ name, state, normal, workspaces, percentUsed }: DatabaseRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{state ? normal : 'Not responding'}</td>
      <td>{workspaces ?? '–'}</td>
      <td class="number">{state ? formatBytes(state.bytes) : '–'}</td>
      <td>{percentUsed === null ? '–' : `${percentUsed}%`}</td>
      <td class="number">{state ? `${state.ms} ms` : '–'}</td>
    </tr>
  );
}

function EmailSection({ report: { emails }, csrf }: { report: ServiceReport; csrf: string }) {
  if (!emails) return <OperatorSection title="Email">The directory isn't responding.</OperatorSection>;
  const { abandoned, overdue, newest } = emails;
  return (
    <OperatorSection title="Email">
      <OperatorTable columns={['State', 'Number', 'Oldest']}>
        <EmailBacklogRow name="Abandoned" backlog={abandoned} />
        <EmailBacklogRow name="Overdue by more than 5 minutes" backlog={overdue} />
      </OperatorTable>
      {newest.length === 0 ? null : (
        <>
          <h3>Newest abandoned emails</h3>
          <OperatorTable columns={['Email', 'Kind', 'Created', 'Attempts', 'Error', 'Action']}>
            {newest.map(({ id, is_notification, created_at, attempts, last_error }) => (
              <tr>
                <th scope="row">{id}</th>
                <td>{is_notification ? 'Notification' : 'Transactional'}</td>
                <td>
                  <UtcTime at={created_at} />
                </td>
                <td>{attempts}</td>
                <td>{toSafeMessage(last_error ?? '')}</td>
                <td>
                  <form method="post" action="/operator/emails">
                    <CsrfField token={csrf} />
                    <input type="hidden" name="id" value={String(id)} />
                    <button type="submit" class="plain" aria-label={`Resend email ${id}`}>
                      Resend
                    </button>
                  </form>
                </td>
              </tr>
            ))}
          </OperatorTable>
          <form method="post" action="/operator/emails">
            <CsrfField token={csrf} />
            <button type="submit">
              {abandoned.emails === EMAILS_COUNTED_MAX
                ? `Resend the oldest ${EMAILS_COUNTED_MAX}`
                : 'Resend all'}
            </button>
          </form>
        </>
      )}
    </OperatorSection>
  );
}

function EmailBacklogRow({ name, backlog: { emails, oldest } }: { name: string; backlog: EmailBacklog }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{emails === EMAILS_COUNTED_MAX ? `${emails} or more` : emails}</td>
      <td>{oldest === null ? '–' : <UtcTime at={oldest} />}</td>
    </tr>
  );
}
