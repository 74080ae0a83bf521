import type { RecordedError } from '../../../kernel/telemetry/recent-errors.ts';
import { toSafeMessage } from '../../../kernel/telemetry/safe-message.ts';
import { type CellReport, WEBHOOKS_PER_CELL_MAX } from '../../../upkeep/incidents/service-report.ts';
import { pluralize, Section, Table, Time } from './parts.view.tsx';

export function Webhooks({ cells }: { cells: readonly CellReport[] }) {
  const stuck = cells.flatMap(({ no, webhooks }) => webhooks.map((webhook) => ({ cell: no, ...webhook })));
  const isCut = cells.some(({ webhooks }) => webhooks.length === WEBHOOKS_PER_CELL_MAX);
  return (
    <Section title="Webhooks">
      {stuck.length === 0 ? (
        <p>No failing or stopped webhooks.</p>
      ) : (
        <Table columns={['Webhook', 'Cell', 'State', 'Failing since', 'Events behind', 'Last error']}>
          {stuck.map(({ workspace, id, cell, url, status, stop_reason, failures, ...webhook }) => (
            <tr>
              <th scope="row">
                {workspace} {id}
                <br />
                <small>{toHost(url)}</small>
              </th>
              <td>{cell}</td>
              <td>
                {stop_reason
                  ? `${status}: ${stop_reason}`
                  : `${status}, ${pluralize(failures, 'failed attempt')}`}
              </td>
              <td>{webhook.failing_since === null ? '–' : <Time at={webhook.failing_since} />}</td>
              <td>{webhook.behind}</td>
              <td>{toSafeMessage(webhook.last_error ?? '')}</td>
            </tr>
          ))}
        </Table>
      )}
      {isCut ? <p class="note">Up to {WEBHOOKS_PER_CELL_MAX} per cell, longest failing first.</p> : null}
    </Section>
  );
}

/** Paths and queries of webhooks may contain secrets. */
function toHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}

interface ErrorsProps {
  title: string;
  place: string;
  errors: readonly RecordedError[] | null;
  empty: string;
}

export function ErrorsSection({ title, place: placeTitle, errors, empty }: ErrorsProps) {
  if (!errors) return <Section title={title}>The error log isn't responding.</Section>;
  if (errors.length === 0) return <Section title={title}>{empty}</Section>;
  return (
    <Section title={title}>
      <Table columns={[placeTitle, 'Message', 'Count', 'First', 'Last', 'Last request']}>
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
              <Time at={firstAt} />
            </td>
            <td>
              <Time at={lastAt} />
            </td>
            <td>{requestId ? <code>{requestId}</code> : '–'}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
