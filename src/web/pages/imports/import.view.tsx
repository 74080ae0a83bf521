import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { priorityLabels } from '../../components/status-and-priority.tsx';
import { Deadline } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import {
  columnUseLabels,
  describeColumnCounts,
  describeImportProgress,
  statusLabels,
} from './describe-import.ts';
import { ImportChoicesForm } from './import-choices.view.tsx';
import type { importParams, importReads } from './imports.tsx';

type Props = ViewProps<typeof importParams, typeof importReads, Record<never, never>>;
type ImportReport = NonNullable<Props['answers']['import']['report']>;

export function ImportView({ visit: { base }, answers }: Props) {
  const { import: found, people } = answers;
  const { id, status, fileName, projectId, problem, report } = found;
  return (
    <div class="column-page" data-project={projectId}>
      <header class="head">
        <h1>
          Import of <bdi>{fileName}</bdi>
        </h1>
        <a href={`${base}/projects/${projectId}`}>Open project</a>
      </header>
      <p aria-live="polite">{describeImportProgress(found)}</p>
      {status === 'running' ? (
        <progress max={found.total} value={found.existing + found.made} aria-label="Progress" />
      ) : null}
      {problem === null ? null : <p class="alert">{problem}</p>}
      {found.existing > 0 ? (
        <p class="hint">{formatCount(found.existing, 'task')} imported earlier won't be changed.</p>
      ) : null}
      {status === 'ready' ? (
        <div class="buttons">
          <Form action={`${base}/imports/${id}/start`}>
            <button type="submit">Import {formatCount(found.total - found.existing, 'task')}</button>
          </Form>
          <CancelImportForm id={id} />
        </div>
      ) : null}
      {status === 'running' ? <CancelImportForm id={id} /> : null}
      {report === null ? (
        <p class="hint">The report is no longer available.</p>
      ) : (
        <>
          {status === 'ready' ? (
            <ImportChoicesForm found={found} report={report} people={people.data} />
          ) : (
            <ImportColumns report={report} />
          )}
          <ImportNotes report={report} />
          {status === 'ready' ? <ImportSample report={report} total={found.total} /> : null}
        </>
      )}
    </div>
  );
}

function CancelImportForm({ id }: { id: number }) {
  const { base } = useVisit();
  return (
    <Confirmation label="Cancel import" action={`${base}/imports/${id}/cancel`} confirm="Cancel import">
      <p>Tasks that were already imported are kept.</p>
    </Confirmation>
  );
}

function ImportColumns({ report }: { report: ImportReport }) {
  return (
    <section class="group" aria-labelledby="import-columns">
      <h2 id="import-columns">Columns</h2>
      <ul class="rows panel">
        {report.columns.map((column) => (
          <li>
            <span class="row-name">
              <bdi>{column.header}</bdi>
            </span>
            {column.use === 'text' || column.use === 'skip' ? null : (
              <span class="row-detail">{columnUseLabels[column.use]}</span>
            )}
            <span class="row-detail">{describeColumnCounts(column)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ImportNotes({ report: { notes, moreNotes, missing } }: { report: ImportReport }) {
  return (
    <section class="group" aria-labelledby="import-notes">
      <h2 id="import-notes">Report</h2>
      {missing.length > 0 ? (
        <p class="hint">
          The file has no column for:{' '}
          {missing.map((field) => columnUseLabels[field].toLowerCase()).join(', ')}.
        </p>
      ) : null}
      {notes.length > 0 ? (
        <ul class="rows panel">
          {notes.map(({ row, text }) => (
            <li>
              {row === null ? null : <span class="row-detail number">Row {formatNumber(row)}</span>}
              <span class="row-name wraps">
                <bdi>{text}</bdi>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {moreNotes > 0 ? <p class="hint">{formatCount(moreNotes, 'more note')} not shown.</p> : null}
    </section>
  );
}

function ImportSample({ report: { sample }, total }: { report: ImportReport; total: number }) {
  return (
    <section class="group" aria-labelledby="import-sample">
      <h2 id="import-sample">
        First tasks{' '}
        <span class="number">
          {formatNumber(sample.length)} of {formatNumber(total)}
        </span>
      </h2>
      <ul class="rows panel">
        {sample.map(({ name, status, priority, deadline, assignees }) => (
          <li>
            <span class="row-name">
              <bdi>{name}</bdi>
            </span>
            <span class="row-detail">{statusLabels[status]}</span>
            <span class="row-detail wide-only">{priorityLabels[priority]}</span>
            <span class="row-detail wide-only">
              {deadline === null ? null : <Deadline date={deadline} isDone={status === 'completed'} />}
            </span>
            <span class="row-detail wide-only clip">
              <bdi>{assignees.join(', ')}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
