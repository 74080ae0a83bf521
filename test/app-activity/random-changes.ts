import { api } from '../support/api.ts';
import type { createRandom } from '../support/random.ts';
import type { World } from '../support/world.ts';

export type Random = ReturnType<typeof createRandom>;

const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const days = ['2026-01-05', '2026-12-01', '2027-03-01'];
export const words = ['alpha', 'beta', 'gamma'];

export function buildFields(random: Random, world: World): Record<string, unknown> {
  const people = Object.values(world.people);
  const fields: Record<string, () => unknown> = {
    name: () => random.pick(words),
    status: () => random.pick(statuses),
    priority: () => random.pick(['low', 'medium', 'high']),
    assigneeId: () => (random.chance(0.3) ? null : random.pick(people).userId),
    deadline: () => (random.chance(0.3) ? null : random.pick(days)),
    startDate: () => (random.chance(0.3) ? null : random.pick(days)),
    tags: () => (random.chance(0.3) ? [] : [random.pick(words)]),
    customEstimatedHours: () => (random.chance(0.3) ? null : random.pick(['0.5', '3'])),
    description: () =>
      random.chance(0.2) ? null : `<p>${random.pick(words)}</p>`.repeat(random.chance(0.1) ? 900 : 1),
  };
  const chosen = Object.keys(fields).filter(() => random.chance(0.3));
  return Object.fromEntries(chosen.map((name) => [name, fields[name]?.()]));
}

const rules = ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO'];

export async function changeTaskPart(random: Random, token: string, ids: readonly number[]) {
  const [id, other] = [random.pick(ids), random.pick(ids)];
  const path = `/tasks/${id}`;
  const { body: checklist } = await api(token).get(`${path}/checklist`);
  const lines = (checklist.items ?? []) as { id: number; isDone: boolean }[];
  switch (random.integer(0, 5)) {
    case 0:
      return api(token).post(`${path}/checklist/items`, { text: random.pick(words), position: 0 });
    case 1:
      return api(token).put(`${path}/checklist`, { items: random.chance(0.5) ? [] : lines.toReversed() });
    case 2: {
      const line = lines.length > 0 ? random.pick(lines) : null;
      return line && api(token).patch(`${path}/checklist/items/${line.id}`, { isDone: !line.isDone });
    }
    case 3:
      return random.chance(0.6)
        ? api(token).put(`${path}/recurrence`, { rule: random.pick(rules), mode: 'schedule' })
        : api(token).delete(`${path}/recurrence`);
    case 4:
      return api(token).post(`${path}/relations`, { type: 'relates_to', taskId: other });
    default: {
      const { body } = await api(token).get(`${path}/relations`);
      const relation = body.data?.[0];
      return relation && api(token).delete(`${path}/relations/${relation.id}`);
    }
  }
}

export async function changeTask(random: Random, world: World, token: string, ids: readonly number[]) {
  const id = random.pick(ids);
  const kind = random.integer(0, 13);
  if (kind < 6) return api(token).patch(`/tasks/${id}`, buildFields(random, world));
  if (kind === 6) return api(token).post(`/tasks/${id}/archive`);
  if (kind === 7) return api(token).post(`/tasks/${id}/unarchive`);
  if (kind === 8)
    return api(token).patch('/tasks/bulk?mode=each', { ids: [...ids], set: { priority: 'high' } });
  if (kind > 9) return changeTaskPart(random, token, ids);
  return api(token).patch(`/tasks/${id}`, { parentId: random.chance(0.4) ? null : random.pick(ids) });
}

let slotsTaken = 0;

/** Returns a different half hour each time, so that time entries don't overlap. */
export function takeTimeSlot() {
  slotsTaken += 1;
  const start = Date.UTC(2020, 0, 1) + slotsTaken * 3_600_000;
  return { startTime: new Date(start).toISOString(), endTime: new Date(start + 1_800_000).toISOString() };
}

/** Edits or deletes a comment, or creates, edits or deletes a time entry of the person who uses the app. */
export async function changeOwnData(random: Random, token: string, ids: readonly number[]) {
  const path = `/tasks/${random.pick(ids)}/comments`;
  const { body: comments } = await api(token).get(path);
  const { body: entries } = await api(token).get('/timer/entries?limit=3');
  const comment = comments.data?.[0]?.id;
  const entry = entries.data?.[0]?.id;
  switch (random.integer(0, 4)) {
    case 0:
      return comment && api(token).patch(`${path}/${comment}`, { content: random.pick(words) });
    case 1:
      return comment && api(token).delete(`${path}/${comment}`);
    case 2:
      return api(token).post('/timer/entries', { taskId: random.pick(ids), ...takeTimeSlot() });
    case 3:
      return entry && api(token).patch(`/timer/entries/${entry}`, takeTimeSlot());
    default:
      return entry && api(token).delete(`/timer/entries/${entry}`);
  }
}
