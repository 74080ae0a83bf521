import { sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';

interface SealedRow {
  id: number;
  workspace: number;
  workspaceId: string;
  secret: string;
  previousSecret: string | null;
}

/** A page of the webhooks of a cell with their secrets, for sealing them again. */
export function listSealed(after: number, limit: number): Statement<SealedRow[]> {
  return rows<SealedRow>(sql`
    SELECT h.id AS id, h.ws AS workspace, w.id AS workspaceId, h.secret AS secret, h.previous_secret AS previousSecret
    FROM webhooks h CROSS JOIN workspaces w ON w.no = h.ws WHERE h.id > ${after} ORDER BY h.id LIMIT ${limit}`);
}

/** Puts a seal in the place of another, in whichever of the two columns it stands. */
export function replaceSeal(workspace: number, id: number, before: string, after: string): Statement<void> {
  return write(sql`
    UPDATE webhooks SET secret = CASE WHEN secret = ${before} THEN ${after} ELSE secret END,
      previous_secret = CASE WHEN previous_secret = ${before} THEN ${after} ELSE previous_secret END
    WHERE ws = ${workspace} AND id = ${id} AND (secret = ${before} OR previous_secret = ${before})`);
}
