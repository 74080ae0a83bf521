import { findOpenSessionHashes } from '../../accounts/browser-sessions/workspace-session.queries.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { OFFENDERS_MAX } from './invariant.queries.ts';
import { listOriginals, listUsableSessionCopies, type SessionCopy } from './session-copies.queries.ts';

const COPIES_PER_PAGE = 200;

export async function findOrphanedSessionCopies(
  directory: Database,
  cell: Database,
  now: number,
): Promise<string[]> {
  const offenders: string[] = [];
  for (let after = { ws: 0, id_hash: '' }; ; ) {
    const [page] = await cell.batch([listUsableSessionCopies(after, now, COPIES_PER_PAGE)]);
    for (const copy of await listOrphanedCopies(directory, page)) {
      // The session and its copy may have ended since the page was read.
      const [isOpen] = await cell.batch([findOpenSessionHashes(copy.ws, [copy.id_hash], now)]);
      if (isOpen.size > 0)
        offenders.push(
          `a session of ${copy.user_id} is open in workspace ${copy.ws} but not in the directory`,
        );
    }
    const last = page.at(-1);
    if (!last || page.length < COPIES_PER_PAGE || offenders.length >= OFFENDERS_MAX) return offenders;
    after = last;
  }
}

async function listOrphanedCopies(
  directory: Database,
  copies: readonly SessionCopy[],
): Promise<SessionCopy[]> {
  if (copies.length === 0) return [];
  const [originals] = await directory.batch([listOriginals(copies.map(({ id_hash }) => id_hash))]);
  const owners = new Map(originals.map(({ id_hash, user_id }) => [id_hash, user_id]));
  return copies.filter(({ id_hash, user_id }) => owners.get(id_hash) !== user_id);
}
