// Maintains a copy of a workspace's tasks during the soak, using only events, even though the server is killed again
// and again.
import { isDeepStrictEqual } from 'node:util';
import { Mirror, type Task } from '../../docs/examples/mirror.mjs';
import type { Client } from './client.ts';

const RETRY_MS = 250;
const TASKS_PER_PAGE = 100;

export interface TaskCopy {
  compare(client: Client): Promise<{ readonly tasks: number; readonly problems: readonly string[] }>;
}

/** `credential` must belong to a person who can see the whole workspace. */
export async function startTaskCopy(origin: string, credential: string): Promise<TaskCopy> {
  const mirror = new Mirror(origin, credential);
  let isFollowing = true;
  await mirror.start();
  const following = (async () => {
    while (isFollowing)
      await mirror.follow(1).catch(() => new Promise((again) => setTimeout(again, RETRY_MS)));
  })();

  return {
    async compare(client) {
      isFollowing = false;
      await following;
      while (await mirror.follow(0));
      const listed = new Map<number, unknown>();
      for (const isArchived of [false, true]) {
        for (let offset = 0, more = true; more; offset += TASKS_PER_PAGE) {
          const { data, meta } = await client.read<{ data: Task[]; meta: { hasMore: boolean } }>(
            `/tasks?scope=all&isArchived=${isArchived}&limit=${TASKS_PER_PAGE}&offset=${offset}`,
          );
          for (const task of data) listed.set(task.id, getComparedFields(task));
          more = meta.hasMore;
        }
      }
      const problems: string[] = [];
      for (const id of new Set([...listed.keys(), ...mirror.tasks.keys()])) {
        const task = mirror.tasks.get(id);
        const [copied, truth] = [task && getComparedFields(task), listed.get(id)];
        if (isDeepStrictEqual(copied, truth)) continue;
        problems.push(`the copy of task ${id} is ${JSON.stringify(copied)}, not ${JSON.stringify(truth)}`);
      }
      return { tasks: listed.size, problems };
    },
  };
}

/**
 * Compares only the id of a project, and only the id and name of an assignee, because a copy of the
 * tasks takes their other details from the lists of projects and people.
 */
function getComparedFields(task: Task) {
  const { project, assignee, ...fields } = task;
  return { ...fields, project: project.id, assignee: assignee && { id: assignee.id, name: assignee.name } };
}
