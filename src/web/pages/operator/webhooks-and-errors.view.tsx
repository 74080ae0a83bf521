import type { RecordedError } from '../../../kernel/telemetry/recent-errors.ts';
import { toSafeMessage } from '../../../kernel/telemetry/safe-message.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { type CellReport, WEBHOOKS_PER_CELL_MAX } from '../../../upkeep/incidents/service-report.ts';
import { OperatorSection, OperatorTable, UtcTime } from './operator-elements.view.tsx';

export function FailingWebhooksSection({ cells }: { cells: readonly CellReport[] }) {
  const stuck = cells.flatMap(({ no, webhooks }) => webhooks.map((webhook) => ({ cell: no, ...webhook })));
  const isCut = cells.some(({ webhooks }) => webhooks.length === WEBHOOKS_PER_CELL_MAX);
  return (
    <OperatorSection title="Webhooks">
      {stuck.length === 0 ? (
        <p>No failing or stopped webhooks.</p>
      ) : (
        <OperatorTable columns={['Webhook', 'Cell', 'State', 'Failing since', 'Events behind', 'Last error']}>
          {stuck.map(({ workspace, id, cell, url, status, stop_reason, failures, ...webhook }) => (
            <tr>
              <th scope="row">
                {workspace} {id}
                <br />
                <small>{getHost(url)}</small>
              </th>
              <td>{cell}</td>
              <td>
                {stop_reason
                  ? `${status}: ${stop_reason}`
                  : `${status}, ${formatCount(failures, 'failed attempt')}`}
              </td>
              <td>{webhook.failing_since === null ? '–' : <UtcTime at={webhook.failing_since} />}</td>
              <td>{webhook.behind}</td>
              <td>{toSafeMessage(webhook.last_error ?? '')}</td>
            </tr>
          ))}
        </OperatorTable>
      )}
      {isCut ? (
        <p class="note">Showing up to {WEBHOOKS_PER_CELL_MAX} webhooks per cell, longest failing first.</p>
      ) : null}
    </OperatorSection>
  );
}

/** The path and query of a webhook URL may contain secrets. */
function getHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}

interface ErrorsSectionProps {
  title: string;
  place: string;
  errors: readonly RecordedError[] | null;
  empty: string;
}

export function ErrorsSection({ title, place: placeTitle, errors, empty }: ErrorsSectionProps) {
  if (!errors) return <OperatorSection title={title}>The error log isn't responding.</OperatorSection>;
  if (errors.length === 0) return <OperatorSection title={title}>{empty}</OperatorSection>;
  return (
    <OperatorSection title={title}>
      <OperatorTable columns={[placeTitle, 'Message', 'Count', 'First', 'Last', 'Last request']}>
        {errors.map(({ event, place, message, count, firstAt, lastAt, requestId }) => (
          <tr>
            <th scope="row">
              {place || '–'}
              <br />
              <small>{event}</small>
            </th>
            <td>{message}</td>
            <td>{count}</td>
            <td>
              <UtcTime at={firstAt} />
            </td>
            <td>
              <UtcTime at={lastAt} />
            </td>
            <td>{requestId ? <code>{requestId}</code> : '–'}</td>
          </tr>
        ))}
      </OperatorTable>
    </OperatorSection>
  );
}
