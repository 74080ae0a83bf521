import { callTool, createOAuthToken } from '../mcp/client.ts';
import { createTask, type Person, type World } from '../support/world.ts';

export async function proposeChange(world: World, person: Person) {
  const { id: task } = await createTask(person, world.projects.joined.id);
  const token = await createOAuthToken(world, person);
  const { changeSet: id } = await callTool(token, 'begin_changes', { title: 'Rename it' });
  await callTool(token, 'update_task', { updates: [{ id: task, name: 'Renamed by an app' }] });
  await callTool(token, 'propose_changes', { reason: 'The name is too short' });
  return { id: id as number, task, token };
}
