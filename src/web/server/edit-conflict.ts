import { findLastAuthor } from '../../events/log/last-change.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { ChangedMeanwhile } from '../../kernel/operation/as-shown.ts';
import { CATEGORY_FIELD } from '../components/category-select.tsx';

/** A longer text is looked at on its page. */
const TOLD_CHARACTERS_MAX = 120;

const YOU = 'You, in another window,';

/** Who changed a field since the page was opened, to what, and how to go on. */
export async function describeConflict(c: HttpContext, error: ChangedMeanwhile): Promise<string> {
  const who = await authorOf(c, error);
  const value = tellValue(error);
  return value === null
    ? `${who} changed this meanwhile. What you wrote is still here: open the page again beside it to see theirs, or send yours again to replace it.`
    : `${who} changed this meanwhile: ${value}. Send yours again to replace that.`;
}

async function authorOf(c: HttpContext, { madeBy, field }: ChangedMeanwhile): Promise<string> {
  const caller: Caller | undefined = c.get('caller');
  // An account is of one person, and is in no workspace.
  if (!caller || madeBy === 'own') return YOU;
  if (!madeBy) return 'Somebody';
  const cell = c.get('scope').cell(caller.cell);
  const [author] = await cell.batch([findLastAuthor(caller, madeBy, field)]);
  if (!author) return 'Somebody';
  return author.user_id === caller.userId ? YOU : author.name;
}

function tellValue({ field, current }: ChangedMeanwhile): string | null {
  if (current === null || current === '') return 'it is empty now';
  // An id says nothing to a person.
  if (field.endsWith('Id') || field === CATEGORY_FIELD) return null;
  const text = Array.isArray(current) ? current.join(', ') : String(current);
  if (text.includes('<') || text.length > TOLD_CHARACTERS_MAX) return null;
  return text === '' ? 'it is empty now' : `it is “${text}” now`;
}
