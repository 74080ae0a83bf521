import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { ImportRow } from '../model/imports.queries.ts';
import { type ImportOptions, type ImportReport, KEPT_CHOICES_MAX } from '../model/imports.schema.ts';

/**
 * The report shows only some of the values at a time, so new choices are added to the earlier ones. Earlier choices for
 * a column no longer apply if the column's use has changed. If `choices` is left out, all earlier choices are removed.
 */
export function mergeChoices(
  found: Pick<ImportRow, 'options' | 'report'>,
  { columns, choices }: ImportOptions,
): ImportOptions['choices'] {
  if (choices === undefined) return undefined;
  const earlier: ImportOptions = JSON.parse(found.options);
  const report: ImportReport | null = found.report === null ? null : JSON.parse(found.report);
  const hasSameUse = (column: number) =>
    columns === undefined || columns[column] === report?.columns[column]?.use;
  const kept = (earlier.choices ?? []).filter(({ column }) => hasSameUse(column));
  const merged = new Map([...kept, ...choices].map((choice) => [`${choice.column} ${choice.text}`, choice]));
  if (merged.size <= KEPT_CHOICES_MAX) return [...merged.values()];
  throw invalidRequestError(
    ({ field }) =>
      `${field('choices')} must have at most ${KEPT_CHOICES_MAX} values, including earlier choices; got ${merged.size}. To remove the earlier choices, leave ${field('choices')} out.`,
  );
}
