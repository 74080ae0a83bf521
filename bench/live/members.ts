import { DatabaseSync } from 'node:sqlite';
import { getDatabaseFile, readDatabases } from '../../scripts/databases.ts';
import { createId, createSecret, hashSecret } from '../../src/kernel/secrets/tokens.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Adds signed-in members to the demo workspace, and returns their session cookies. The server must not be running.
 * @param state the folder of the databases
 */
export function addSignedInMembers(state: string, count: number): { workspaceId: string; cookies: string[] } {
  const files = new Map(
    readDatabases().map(({ binding, id }) => [binding, getDatabaseFile(`${state}/v3`, id)]),
  );
  const directory = new DatabaseSync(files.get('DIRECTORY') ?? '');
  const cell = new DatabaseSync(files.get('CELL_0') ?? '');
  const workspace = cell.prepare('SELECT no, id FROM workspaces ORDER BY no LIMIT 1').get() as {
    no: number;
    id: string;
  };
  const now = Date.now();
  const cookies: string[] = [];
  for (const database of [directory, cell]) database.exec('BEGIN');
  for (let index = 0; index < count; index += 1) {
    const [userId, secret, email] = [createId('usr'), createSecret(), `page${index}@edgework.test`];
    directory
      .prepare(
        'INSERT INTO users (id, email, email_key, name, verified_at, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(userId, email, email, `Page ${index}`, now, now);
    directory
      .prepare('INSERT INTO memberships (user_id, workspace_id, joined_at) VALUES (?, ?, ?)')
      .run(userId, workspace.id, now);
    directory
      .prepare('INSERT INTO browser_sessions (id_hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)')
      .run(hashSecret(secret), userId, now, now + DAY_MS);
    cell
      .prepare(
        "INSERT INTO members (ws, user_id, role, name, email, email_key, created_at) VALUES (?, ?, 'admin', ?, ?, ?, ?)",
      )
      .run(workspace.no, userId, `Page ${index}`, email, email, now);
    cookies.push(secret);
  }
  for (const database of [directory, cell]) {
    database.exec('COMMIT');
    database.close();
  }
  return { workspaceId: workspace.id, cookies };
}
