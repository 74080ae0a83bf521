import { findLastChangeAuthor } from '../../events/log/last-change.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { isCivilDate } from '../../kernel/dates/civil-date.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { StaleSnapshotError } from '../../kernel/operation/snapshot.ts';
import { CATEGORY_FIELD } from '../components/category-select.tsx';
import { formatLongDate } from '../components/time.tsx';

const QUOTED_CHARACTERS_MAX = 120;

export async function describeConflict(c: HttpContext, error: StaleSnapshotError): Promise<string> {
  const { name, where } = await findConflictAuthor(c, error);
  const value = describeCurrentValue(error);
  if (value === null) {
    return `${name} changed this${where}. Your version is still here. Open the page in another tab to compare, or save again to replace the change.`;
  }
  return value === ''
    ? `${name} cleared this${where}. Save again to restore your version.`
    : `${name} changed this to “${value}”${where}. Save again to overwrite it.`;
}

interface ConflictAuthor {
  readonly name: string;
  readonly where: '' | ' in another tab';
}

const SELF_AUTHOR: ConflictAuthor = { name: 'You', where: ' in another tab' };
const UNKNOWN_AUTHOR: ConflictAuthor = { name: 'Someone', where: '' };

async function findConflictAuthor(
  c: HttpContext,
  { madeBy, field }: StaleSnapshotError,
): Promise<ConflictAuthor> {
  const caller: Caller | undefined = c.get('caller');
  // Only this person can change the form's values, so the change came from another tab.
  if (!caller || madeBy === 'own') return SELF_AUTHOR;
  if (!madeBy) return UNKNOWN_AUTHOR;
  const cell = c.get('scope').cell(caller.cell);
  const [author] = await cell.batch([findLastChangeAuthor(caller, madeBy, field)]);
  if (!author) return UNKNOWN_AUTHOR;
  return author.user_id === caller.userId ? SELF_AUTHOR : { name: author.name, where: '' };
}

/** Returns an empty string if the field was cleared, and null if the value can't be quoted. */
function describeCurrentValue({ field, current }: StaleSnapshotError): string | null {
  if (current === null || current === '') return '';
  if (field.endsWith('Id') || field === CATEGORY_FIELD) return null;
  const text = Array.isArray(current) ? current.join(', ') : String(current);
  if (/date$|^deadline$/i.test(field) && isCivilDate(text)) return formatLongDate(text);
  return text.includes('<') || text.length > QUOTED_CHARACTERS_MAX ? null : text;
}
