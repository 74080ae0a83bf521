import { removeControlCharacters } from '../../kernel/text/storable-text.ts';
import { type TaskPriority, type TaskStatus, taskPriorities, taskStatuses } from '../../tasks/fields.ts';
import { toHeaderKey } from '../sources/headers.ts';

const statusNames: Readonly<Record<TaskStatus, string>> = {
  todo: 'todo backlog open new triage planned unstarted notstarted ready reopened selectedfordevelopment offen zuerledigen neu afaire dafare aperto porhacer pendiente dozrobienia nowe otwarte tedoen',
  in_progress:
    'inprogress doing started active wip workinprogress inarbeit inbearbeitung encours incorso encurso enprogreso wtoku wtrakcie bezig',
  internal_review: 'internalreview review inreview codereview qa testing intest inuberprufung',
  client_review: 'clientreview uat',
  completed:
    'completed done complete closed resolved finished shipped fertig erledigt geschlossen termine fini fait hecho terminado fatto completato gotowe zrobione zamkniete klaar',
};
/** Other priorities, such as `Urgent`, have no safe equivalent, so the person importing the tasks chooses one. */
const priorityNames: Readonly<Record<TaskPriority, string>> = {
  low: 'low lowest niedrig faible basse baja bassa niski laag',
  medium: 'medium normal mittel moyenne media sredni gemiddeld',
  high: 'high highest hoch elevee haute alta wysoki hoog',
};

function indexByName<T extends string>(names: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  return new Map(
    (Object.entries(names) as [T, string][]).flatMap(([value, all]) =>
      all.split(' ').map((name) => [name, value] as const),
    ),
  );
}
const statusesByName = indexByName(statusNames);
const prioritiesByName = indexByName(priorityNames);

/** One of Edgework's values, and whether the source uses the same word for it. */
export interface ParsedValue<T> {
  readonly value: T;
  readonly isSame: boolean;
}

export function parseStatus(
  text: string,
  labels: ReadonlyMap<string, TaskStatus>,
): ParsedValue<TaskStatus> | null {
  const key = toHeaderKey(text);
  // Text without letters or digits has an empty key, which could match the wrong status.
  if (key === '') return null;
  const labelled = labels.get(key) ?? taskStatuses.find((status) => toHeaderKey(status) === key);
  if (labelled) return { value: labelled, isSame: true };
  const value = statusesByName.get(key);
  return value ? { value, isSame: false } : null;
}

export function parsePriority(text: string): ParsedValue<TaskPriority> | null {
  const key = toHeaderKey(text);
  const same = taskPriorities.find((priority) => priority === key);
  const value = same ?? prioritiesByName.get(key);
  return value ? { value, isSame: value === key } : null;
}

const LIST_CHARACTERS_MAX = 10_000;

/** Reads lists separated by commas or semicolons, and JSON arrays of strings. Doesn't split long text. */
export function parseList(text: string): string[] {
  if (text.length > LIST_CHARACTERS_MAX) return [text];
  return [...new Set(splitList(text).map((item) => item.trim()))].filter((item) => item !== '');
}

function splitList(text: string): string[] {
  if (/^\s*\[.*\]\s*$/s.test(text)) {
    try {
      const items: unknown = JSON.parse(text);
      if (Array.isArray(items) && items.every((item) => typeof item === 'string')) {
        return items.map((item) => removeControlCharacters(item).toWellFormed());
      }
    } catch {
      // The text only looks like JSON.
    }
  }
  return text.split(/[,;]/);
}

export function parseHours(text: string): string | null {
  const hours = /^(\d{1,4})(?:[.,](\d{1,2}))?\s*h?$/i.exec(text.trim());
  if (!hours) return null;
  return hours[2] === undefined ? (hours[1] ?? null) : `${hours[1]}.${hours[2]}`;
}

export function parseClockTime(text: string): string | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text.trim()) ?? [];
  return hours !== '' && Number(hours) < 24 && Number(minutes) < 60
    ? `${hours.padStart(2, '0')}:${minutes}`
    : null;
}

const YES_WORDS = new Set([
  'true',
  'yes',
  'y',
  '1',
  'x',
  'done',
  'completed',
  'ja',
  'oui',
  'si',
  'tak',
  'checked',
]);
const NO_WORDS = new Set(['false', 'no', 'n', '0', 'open', 'nein', 'non', 'nie', 'unchecked']);

export function parseYesOrNo(text: string): boolean | null {
  const key = toHeaderKey(text);
  if (YES_WORDS.has(key)) return true;
  return NO_WORDS.has(key) ? false : null;
}
