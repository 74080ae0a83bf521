import { findLastChangeAuthor } from '../../events/log/last-change.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { StaleSnapshotError } from '../../kernel/operation/snapshot.ts';
import { CATEGORY_FIELD } from '../components/category-select.tsx';

const CHARACTERS_QUOTED_MAX = 120;

/** Describes who changed the field after the page was opened, its new value, and what to do. */
export async function describeConflict(c: HttpContext, error: StaleSnapshotError): Promise<string> {
  const who = await findAuthorName(c, error);
  const value = describeValue(error);
  return value === null
    ? `${who} changed this. Your version is still here. Open the page in another tab to compare, or save again to replace the change.`
    : `${who} ${value}. Save again to replace it.`;
}

async function findAuthorName(c: HttpContext, { madeBy, field }: StaleSnapshotError): Promise<string> {
  const caller: Caller | undefined = c.get('caller');
  // Only the account's owner can change it, so the change came from another tab.
  if (!caller || madeBy === 'own') return 'You, in another tab,';
  if (!madeBy) return 'Someone';
  const cell = c.get('scope').cell(caller.cell);
  const [author] = await cell.batch([findLastChangeAuthor(caller, madeBy, field)]);
  if (!author) return 'Someone';
  return author.user_id === caller.userId ? 'You, in another tab,' : author.name;
}

function describeValue({ field, current }: StaleSnapshotError): string | null {
  if (current === null || current === '') return 'cleared this';
  if (field.endsWith('Id') || field === CATEGORY_FIELD) return null;
  const text = Array.isArray(current) ? current.join(', ') : String(current);
  if (text.includes('<') || text.length > CHARACTERS_QUOTED_MAX) return null;
  return text === '' ? 'cleared this' : `changed this to “${text}”`;
}
