import { type Statement, write } from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { longTexts, tasks } from '../../schema/cell/tasks.ts';
import { toDescriptionKey } from '../../search/index/search-key.ts';

const t = aliasTable(tasks, 't');
const x = aliasTable(longTexts, 'x');

/** Longer descriptions are stored in the `long_texts` table. */
const INLINE_BYTES_MAX = 8_192;
const UTF8_BYTES_PER_UTF16_UNIT_MAX = 3;
/** Together with 32 low bits, an id has 52 bits. JavaScript represents up to 53 bits exactly. */
const RANDOM_ID_HIGH_BITS = 20;

/**
 * Each description is sent with its search key, and JSON escapes can take six bytes per character. D1 accepts values
 * of up to 2 MB.
 */
const STATEMENT_CHARACTERS_MAX = 160_000;

/** If the description is long, `description` is null and `long_text` is the id of its row. */
export type StoredValues<T> = T & { long_text?: number | null };

/**
 * Replaces each long description with the id of a row in `long_texts`, which `inserts` creates. Equal descriptions
 * share a row.
 */
export function planLongTextStorage<T extends { description?: string | null }>(
  ws: number,
  given: readonly T[],
): { stored: StoredValues<T>[]; inserts: Statement<void>[] } {
  const ids = new Map<string, number>();
  const stored = given.map((values): StoredValues<T> => {
    const { description } = values;
    if (description === undefined) return values;
    if (description === null || !isLongDescription(description)) return { ...values, long_text: null };
    const id = ids.get(description) ?? createRandomId();
    ids.set(description, id);
    return { ...values, description: null, long_text: id };
  });
  const parts = splitBySize([...ids], ([description]) => description.length, STATEMENT_CHARACTERS_MAX);
  return { stored, inserts: parts.map((part) => insertLongTexts(ws, part)) };
}

function isLongDescription(description: string): boolean {
  if (description.length * UTF8_BYTES_PER_UTF16_UNIT_MAX <= INLINE_BYTES_MAX) return false;
  return new TextEncoder().encode(description).length > INLINE_BYTES_MAX;
}

/** The id is random, so that it is known before the row is inserted and isn't reused after a deletion. */
function createRandomId(): number {
  const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** RANDOM_ID_HIGH_BITS) * 2 ** 32 + low;
}

function insertLongTexts(ws: number, texts: readonly (readonly [description: string, id: number])[]) {
  const rows = texts.map(([description, id]) => [id, toDescriptionKey(description), description]);
  return write(sql`
    INSERT INTO ${nameInsertColumns(longTexts, 'ws', 'id', 'description_key', 'description')}
    SELECT ${ws}, d.value ->> 0, d.value ->> 1, d.value ->> 2 FROM json_each(${JSON.stringify(rows)}) d`);
}

/** Keeps descriptions that a task still uses. Must run after the statement that changes the tasks. */
export function deleteLongTexts(ws: number, ids: readonly (number | null)[]): Statement<void>[] {
  const had = [...new Set(ids)].filter((id) => id !== null);
  if (had.length === 0) return [];
  return [
    write(sql`
      DELETE FROM ${longTexts} AS x WHERE ${x.ws} = ${ws}
        AND ${x.id} IN (SELECT d.value FROM json_each(${JSON.stringify(had)}) d)
        AND NOT EXISTS (SELECT 1 FROM ${t} INDEXED BY tasks_by_long_text
          WHERE ${t.long_text} = ${x.id} AND abs(${t.ws}) = ${x.ws})`),
  ];
}
