import { createOAuthToken } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { createTask, type Person, type World } from '../support/world.ts';

/** An app that a person has authorized. `app` is its id in the list of connected apps. */
export interface OwnApp {
  readonly token: string;
  readonly app: number;
}

export async function connectApp(world: World, person: Person): Promise<OwnApp> {
  const token = await createOAuthToken(world, person);
  const row = await getCell(world.cell)
    .prepare('SELECT max(id) AS id FROM credentials WHERE ws = ? AND member = ?')
    .bind(world.no, person.member)
    .first<{ id: number }>();
  return { token, app: row?.id ?? 0 };
}

export async function renameAsApp(world: World, person: Person) {
  const { id: task } = await createTask(person, world.projects.joined.id);
  const { token, app } = await connectApp(world, person);
  await api(token).patch(`/tasks/${task}`, { name: 'Renamed by an app' });
  return { app, task, token };
}
