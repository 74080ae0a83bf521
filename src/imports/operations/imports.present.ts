import { toTimestamp } from '../../kernel/operation/schema.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import type { ImportMember, ImportRow, ListedImport } from '../model/imports.queries.ts';
import {
  type ImportOptions,
  type ImportReport,
  NOTES_MAX,
  SAMPLE_TASKS,
  TEXT_CHARACTERS_MAX,
  VALUES_MAX,
} from '../model/imports.schema.ts';
import type { ImportPlan } from '../plan/plan-import.ts';
import { type ImportField, importFields } from '../sources/source.ts';

const shortenText = (text: string, max = TEXT_CHARACTERS_MAX) => shorten(text, max - 1);

export function toImportReport(plan: ImportPlan, people: readonly ImportMember[]): ImportReport {
  const { columns, values, notes, tasks } = plan;
  const byNo = new Map(people.map((person) => [person.no, person]));
  const used = new Set<string>(columns.flatMap(({ use, filled }) => (filled > 0 ? [use] : [])));
  // Unknown values come first, because people have to choose their meaning.
  const sorted = values.toSorted(
    (one, other) =>
      Number(one.means !== null) - Number(other.means !== null) ||
      one.column - other.column ||
      other.count - one.count,
  );
  const sample = tasks.toSorted((one, other) => one.row - other.row).slice(0, SAMPLE_TASKS);
  return {
    columns: columns.map(({ header, use, filled, counts, examples }) => ({
      header: shortenText(header),
      use,
      filled,
      counts,
      examples: examples.map((text) => shortenText(text)),
    })),
    values: sorted.slice(0, VALUES_MAX).map(({ column, text, count, means }) => ({
      column,
      text: shortenText(text),
      count,
      ...describeMeaning(means, byNo),
    })),
    moreValues: Math.max(0, values.length - VALUES_MAX),
    notes: notes
      .slice(0, NOTES_MAX)
      .map(({ row, text }) => ({ row, text: shortenText(text, 2 * TEXT_CHARACTERS_MAX) })),
    moreNotes: Math.max(0, notes.length - NOTES_MAX),
    missing: importFields.filter((field) => !used.has(field) && !hasValueWithoutColumn(field, tasks)),
    sample: sample.map(({ row, name, status, priority, deadline, assignees, parent }) => ({
      row,
      name,
      status,
      priority,
      deadline,
      assignees: assignees.map((no) => shortenText(byNo.get(no)?.name ?? '')),
      parent: parent === null ? null : (tasks[parent]?.name ?? null),
    })),
  };
}

function hasValueWithoutColumn(field: ImportField, tasks: ImportPlan['tasks']): boolean {
  if (field === 'dueTime') return tasks.some(({ dueTime }) => dueTime !== null);
  return field === 'isCompleted' || field === 'isArchived';
}

function describeMeaning(means: string | number | null, byNo: ReadonlyMap<number, ImportMember>) {
  const person = typeof means === 'number' ? byNo.get(means) : undefined;
  return typeof means === 'number'
    ? { means: person?.user_id ?? null, personName: person ? shortenText(person.name) : null }
    : { means, personName: null };
}

export function toListedImport(row: ListedImport) {
  const { id, status, source, total, existing, made, problem } = row;
  return {
    ...{ id, status, source, total, existing, made, problem },
    projectId: row.project,
    fileName: row.file_name,
    createdBy: { id: row.author_id, name: row.author_name, email: row.author_email },
    createdAt: toTimestamp(row.created_at),
    finishedAt: row.finished_at === null ? null : toTimestamp(row.finished_at),
  };
}

export function toImport(row: ImportRow) {
  const { dateOrder }: ImportOptions = JSON.parse(row.options);
  return {
    ...toListedImport(row),
    dateOrder: dateOrder ?? null,
    report: row.report === null ? null : (JSON.parse(row.report) as ImportReport),
  };
}
