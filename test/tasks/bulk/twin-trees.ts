import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, type Project, type World } from '../../support/world.ts';

/** Creates a chain of tasks, each below the one before it, and returns their ids. */
export async function createTree<const N extends 1 | 2 | 3>({ people }: World, project: Project, levels: N) {
  const ids: number[] = [];
  for (let level = 0; level < levels; level += 1) {
    const { id } = await createTask(people.lead, project.id, { parentId: ids.at(-1) ?? null });
    ids.push(id);
  }
  return ids as unknown as N extends 1 ? [number] : N extends 2 ? [number, number] : [number, number, number];
}

/** Reads everything that must be the same whether a single or a bulk request wrote it. */
export async function readTaskOutcome({ people, cell }: World, id: number) {
  const me = api(people.owner.token);
  const { body: task } = await me.get(`/tasks/${id}?expand=structure`);
  const { body: history } = await me.get(`/tasks/${id}/activities?limit=100`);
  const parts = ['comments', 'attachments', 'checklist'].map(
    async (part) => (await me.get(`/tasks/${id}/${part}`)).text,
  );
  const select = async (query: string) => (await getCell(cell).prepare(query).bind(id).all()).results;
  const notifications = await select(
    'SELECT user_id, type, actor FROM notifications WHERE task = ? ORDER BY user_id, type',
  );
  const events = await select(
    "SELECT type, project, actor, via, changes, entries FROM events WHERE task = ? AND type NOT LIKE 'time_entry.%' ORDER BY seq",
  );
  const rows = await select('SELECT followers, archived_with, bucket, version FROM tasks WHERE id = ?');
  const withoutIds = JSON.stringify([
    task,
    history.data,
    await Promise.all(parts),
    notifications,
    events,
    rows,
  ])
    .replaceAll(/"(id|at|commentId|parentId|archived_with)":\d+/g, '"$1":0')
    .replaceAll(/\\"(id|at|parentId)\\":\d+/g, '\\"$1\\":0')
    .replaceAll(/relates_to \d+/g, 'relates_to')
    .replaceAll(/\/files\/[\w/-]+/g, 'file')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  return JSON.parse(withoutIds);
}
