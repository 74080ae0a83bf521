import { tokenOf, use } from '../mcp/client.ts';
import { createTask, type Person, type World } from '../support/world.ts';

/** Lets an app of the person propose one change to a new task. */
export async function proposeChange(world: World, person: Person) {
  const { id: task } = await createTask(person, world.projects.joined.id);
  const token = await tokenOf(world, person);
  const { changeSet: id } = await use(token, 'begin_changes', { title: 'Rename it' });
  await use(token, 'update_task', { updates: [{ id: task, name: 'Renamed by an app' }] });
  await use(token, 'propose_changes', { reason: 'The name is too short' });
  return { id: id as number, task, token };
}
