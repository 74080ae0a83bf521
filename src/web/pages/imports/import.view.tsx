// Long because it shows every part of an import: choices, progress, report and preview.
import { columnUses } from '../../../imports/sources/source.ts';
import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';
import { taskPriorities, taskStatuses } from '../../../tasks/fields.ts';
import { Confirmation } from '../../components/confirm.tsx';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { priorityLabels } from '../../components/status-and-priority.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { describeProgress } from './describe-import.ts';
import type { importParams, importReads } from './imports.tsx';

type Props = ViewProps<typeof importParams, typeof importReads, Record<never, never>>;
type Import = Props['answers']['import'];
type Report = NonNullable<Import['report']>;
type People = Props['answers']['people']['data'];

/** Prefixes of field names, followed by a number. A hidden field has the column and text that a choice belongs to. */
export const COLUMN_FIELD = 'column-';
export const CHOICE_FIELD = 'choice-';
export const VALUE_FIELD = 'value-';

const useLabels: Readonly<Record<(typeof columnUses)[number], string>> = {
  id: 'Id',
  name: 'Name',
  description: 'Description',
  status: 'Status',
  priority: 'Priority',
  assignee: 'Assignees',
  tags: 'Tags',
  startDate: 'Start date',
  deadline: 'Deadline',
  dueTime: 'Due time',
  estimate: 'Estimate in hours',
  parent: 'Parent task',
  createdAt: 'Creation time',
  completedAt: 'Completion time',
  text: 'Keep as text',
  skip: 'Leave out',
};

const statusLabels: Readonly<Record<(typeof taskStatuses)[number], string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  internal_review: 'Internal review',
  client_review: 'Client review',
  completed: 'Completed',
};

const outcomeLabels = {
  made: 'imported',
  mapped: 'converted',
  keptAsText: 'kept as text',
  leftOut: 'left out',
  notRecognized: 'not recognized',
} as const;

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
      <p aria-live="polite">{describeProgress(found)}</p>
      {status === 'running' ? (
        <progress max={found.total} value={found.existing + found.made} aria-label="Progress" />
      ) : null}
      {problem === null ? null : <p class="alert">{problem}</p>}
      {found.existing > 0 ? (
        <p class="hint">{formatCount(found.existing, 'task')} imported before and left unchanged.</p>
      ) : null}
      {status === 'ready' ? (
        <div class="buttons">
          <Form action={`${base}/imports/${id}/start`}>
            <button type="submit">Import {formatCount(found.total - found.existing, 'task')}</button>
          </Form>
          <CancelForm id={id} />
        </div>
      ) : null}
      {status === 'running' ? <CancelForm id={id} /> : null}
      {report === null ? (
        <p class="hint">The report is no longer available.</p>
      ) : (
        <>
          {status === 'ready' ? (
            <ImportChoices found={found} report={report} people={people.data} />
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

function CancelForm({ id }: { id: number }) {
  const { base } = useVisit();
  return (
    <Confirmation label="Cancel import" action={`${base}/imports/${id}/cancel`} confirm="Cancel import">
      <p>Tasks that were already imported are kept.</p>
    </Confirmation>
  );
}

function describeCounts({ filled, counts }: Report['columns'][number]): string {
  const parts = Object.entries(outcomeLabels).flatMap(([word, label]) => {
    const count = counts[word as keyof typeof outcomeLabels];
    return count === 0 ? [] : [`${formatNumber(count)} ${label}`];
  });
  return filled === 0 ? 'Empty' : parts.join(', ');
}

/** Everyone who imports decides what each column contains, and what unknown values stand for. */
function ImportChoices({ found, report, people }: { found: Import; report: Report; people: People }) {
  const { base } = useVisit();
  const { columns, values, moreValues } = report;
  return (
    <Form action={`${base}/imports/${found.id}`} class="panel padded" label="How to read the file">
      {columns.map((column, index) => (
        <Select
          name={`${COLUMN_FIELD}${index}`}
          label={column.header}
          value={column.use}
          options={columnUses.map((use) => [use, useLabels[use]])}
          hint={[describeCounts(column), column.examples.join(' · ')]
            .filter((text) => text !== '')
            .join('. ')}
        />
      ))}
      {values.map(({ column, text, count, means, personName }, index) => {
        const use = columns[column]?.use;
        const options = listMeanings(use, people, { id: means, name: personName });
        return options.length === 0 ? null : (
          <>
            <input type="hidden" name={`${VALUE_FIELD}${index}`} value={`${column} ${use} ${text}`} />
            <Select
              name={`${CHOICE_FIELD}${index}`}
              label={`${columns[column]?.header ?? ''}: ${text}`}
              value={means ?? 'text'}
              options={[['text', 'Keep as text'], ...options]}
              hint={formatCount(count, 'task')}
            />
          </>
        );
      })}
      {moreValues > 0 ? <p class="hint">{formatCount(moreValues, 'more value')}.</p> : null}
      <Field
        name="source"
        label="Source of the ids"
        value={found.source}
        maxlength={50}
        autocomplete="off"
        hint="Enter the source of an earlier import to add only tasks that it didn't have."
      />
      <Select
        name="dateOrder"
        label="Dates such as 3/4/2026"
        value={found.dateOrder ?? ''}
        options={[
          ['', 'Detect'],
          ['dmy', 'Start with the day'],
          ['mdy', 'Start with the month'],
        ]}
      />
      <button type="submit" class="plain">
        Update preview
      </button>
    </Form>
  );
}

/** @param current what the value means now. The person may not be among the people offered. */
function listMeanings(
  use: string | undefined,
  people: People,
  current: { id: string | null; name: string | null },
): readonly (readonly [string, string])[] {
  if (use === 'status') return taskStatuses.map((status) => [status, statusLabels[status]] as const);
  if (use === 'priority')
    return taskPriorities.map((priority) => [priority, priorityLabels[priority]] as const);
  if (use !== 'assignee') return [];
  const others = people.map(({ id, name }) => [id, name] as const);
  if (current.id === null || current.name === null || people.some(({ id }) => id === current.id))
    return others;
  return [[current.id, current.name], ...others];
}

function ImportColumns({ report }: { report: Report }) {
  return (
    <section class="group" aria-labelledby="import-columns">
      <h2 id="import-columns">Columns</h2>
      <ul class="rows panel">
        {report.columns.map((column) => (
          <li>
            <span class="row-name">
              <bdi>{column.header}</bdi>
            </span>
            <span class="row-fact">{useLabels[column.use]}</span>
            <span class="row-fact">{describeCounts(column)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ImportNotes({ report: { notes, moreNotes, missing } }: { report: Report }) {
  return (
    <section class="group" aria-labelledby="import-notes">
      <h2 id="import-notes">Report</h2>
      {missing.length > 0 ? (
        <p class="hint">
          Not in the file: {missing.map((field) => useLabels[field].toLowerCase()).join(', ')}.
        </p>
      ) : null}
      {notes.length > 0 ? (
        <ul class="rows panel">
          {notes.map(({ row, text }) => (
            <li>
              {row === null ? null : <span class="row-fact number">Row {formatNumber(row)}</span>}
              <span class="row-name wraps">
                <bdi>{text}</bdi>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {moreNotes > 0 ? <p class="hint">{formatCount(moreNotes, 'more note')}.</p> : null}
    </section>
  );
}

function ImportSample({ report: { sample }, total }: { report: Report; total: number }) {
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
            <span class="row-fact">{statusLabels[status]}</span>
            <span class="row-fact wide-only">{priorityLabels[priority]}</span>
            <span class="row-fact wide-only">{deadline}</span>
            <span class="row-fact wide-only clip">
              <bdi>{assignees.join(', ')}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
