import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { parseColumns } from '../../projects/operations/project-columns.schema.ts';
import { taskStatuses } from '../../tasks/fields.ts';
import { indexPeople } from '../plan/index-people.ts';
import { type ImportPlan, planImport } from '../plan/plan-import.ts';
import { toHeaderKey } from '../sources/headers.ts';
import type { Source } from '../sources/source.ts';
import type { ImportMember } from './imports.queries.ts';
import type { ImportOptions } from './imports.schema.ts';

/**
 * `frozen` contains values from the time of the report. The import uses these values, so that its result matches the
 * report.
 */
export interface StoredImportOptions extends ImportOptions {
  readonly frozen?: {
    readonly members: readonly number[];
    readonly columns: string | null;
    readonly timezone: string;
    readonly now: number;
  };
}

interface ImportPlanInput {
  readonly bytes: Uint8Array;
  readonly source: Source;
  readonly options: ImportOptions;
  readonly people: readonly ImportMember[];
  /** The value of `projects.task_columns`. */
  readonly columns: string | null;
  readonly timezone: string;
  readonly now: number;
}

export async function readImportFile(
  env: Pick<Env, 'FILES'>,
  { object_key, etag }: { object_key: string; etag: string },
): Promise<Uint8Array | null> {
  const object = await env.FILES.get(object_key, { onlyIf: { etagMatches: etag } });
  return object && 'body' in object ? object.bytes() : null;
}

/** Throws 400 if the columns don't fit the file, or if the plan would be too large. */
export async function buildImportPlan({
  bytes,
  source,
  options,
  people,
  columns,
  timezone,
  now,
}: ImportPlanInput): Promise<ImportPlan> {
  if (options.columns && options.columns.length > source.columns.length) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('columns')} must have at most one entry for each of the file's ${source.columns.length} columns; got ${options.columns?.length}.`,
    );
  }
  if (!source.columns.some(({ use }) => use === 'name')) {
    throw invalidRequestError(
      ({ field }) => `${field('columns')} must use 'name' for the column that contains the task names.`,
    );
  }
  const choices = new Map(options.choices?.map(({ column, text, means }) => [`${column} ${text}`, means]));
  const labels = Object.entries(parseColumns(columns)).flatMap(([status, { label }]) =>
    label === null ? [] : [[toHeaderKey(label), status] as const],
  );
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return planImport(source, {
    ...indexPeople(people),
    fileKey: `file:${Buffer.from(hash).toString('hex').slice(0, 32)}`,
    dateOrder: options.dateOrder,
    timezone,
    today: toWallClock(now, timezone).date,
    labels: new Map(
      labels.flatMap(([key, name]) =>
        taskStatuses.filter((status) => status === name).map((status) => [key, status]),
      ),
    ),
    findChoice: (column, text) => choices.get(`${column} ${text.trim()}`) ?? null,
  });
}

export function freezeOptions({
  options,
  people,
  columns,
  timezone,
  now,
}: Omit<ImportPlanInput, 'bytes' | 'source'>): StoredImportOptions {
  return { ...options, frozen: { members: people.map(({ no }) => no), columns, timezone, now } };
}

/** Ignores people who have joined since the report. People who have left aren't in `people`. */
export function applyFrozenOptions(
  stored: StoredImportOptions,
  current: Omit<ImportPlanInput, 'options'>,
): ImportPlanInput {
  const { frozen, ...options } = stored;
  if (!frozen) return { ...current, options };
  const { members, ...others } = frozen;
  const known = new Set(members);
  return { ...current, ...others, options, people: current.people.filter(({ no }) => known.has(no)) };
}
