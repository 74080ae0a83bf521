import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import { composeMail, readItems } from './compose.ts';
import { listReaders, mailedUpto, moveMailedUpto, type Reader, tellAtOnce } from './directory.queries.ts';
import { kindsOf, readModes } from './modes.ts';
import { listUndecided, newestNotification } from './unmailed.queries.ts';

/** Notifications within this time of the first one share its email. */
export const COLLECTED_MS = 5 * 60_000;
/** After an outage of days, older notifications are only in the inbox. */
const OLDEST_MS = 3 * 24 * 60 * 60_000;
const ROWS_A_RUN = 200;
const PEOPLE_A_RUN = 20;
/** Statements for finding people and moving the cursor, and for mailing one person. */
const FIND_COST = 4;
const TELL_COST = 6;
export const COLLECT_COST = FIND_COST + TELL_COST;

/** Writes email and cursor in one transaction, so parallel or crashed runs neither repeat nor lose an email. */
export async function collectMails(
  scope: RequestScope,
  cell: number,
  allowance: Allowance,
): Promise<boolean> {
  const peopleMax = unitsOf({ left: allowance.left - FIND_COST }, TELL_COST, PEOPLE_A_RUN);
  const { directory, now } = scope;
  const [from] = await directory.batch([mailedUpto(cell)]);
  const [undecided] = await scope.cell(cell).batch([listUndecided(from, now - COLLECTED_MS, ROWS_A_RUN)]);
  const { ids, upto } = firstPeople(undecided, peopleMax);
  if (upto === null) return false;
  const [readers] = await directory.batch([listReaders(cell, ids)]);
  for (const reader of readers) if (!(await tell(scope, cell, from, reader))) return true;
  await directory.batch([moveMailedUpto(cell, from, upto)]);
  return undecided.length === ROWS_A_RUN || upto < (undecided.at(-1)?.id ?? 0);
}

/** Returns as many people as the budget allows, and the last notification that their emails cover. */
function firstPeople(undecided: readonly { id: number; user_id: string }[], peopleMax: number) {
  const ids = new Set<string>();
  let upto: number | null = null;
  for (const { id, user_id: userId } of undecided) {
    // A deleted notification has no user.
    if (userId !== '') ids.add(userId);
    if (ids.size > peopleMax) {
      ids.delete(userId);
      break;
    }
    upto = id;
  }
  return { ids: [...ids], upto };
}

/** Returns false if another run was faster. */
async function tell(scope: RequestScope, cell: number, decided: number, reader: Reader): Promise<boolean> {
  const kinds = kindsOf(readModes(reader.modes), 'at_once');
  if (kinds.length === 0) return true;
  const [to] = await scope.cell(cell).batch([newestNotification]);
  const items = await readItems(scope, cell, reader.id, {
    kinds,
    ids: [Math.max(reader.upto, decided), to],
    times: [scope.now - OLDEST_MS, Number.MAX_SAFE_INTEGER],
  });
  if (items.length === 0) return true;
  const told = { userId: reader.id, cell, from: reader.upto, to };
  const mail = composeMail(scope, reader, items, 'at_once');
  const [, , upto] = await scope.directory.batch(tellAtOnce(told, mail, scope.now));
  return upto === to;
}
