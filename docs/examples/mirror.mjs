/**
 * Keeps a copy of the tasks that a credential can see: `node mirror.mjs https://api.example.com ew_live_… copy.json`.
 * The file holds the tasks and the cursor together, so a restart continues where the last run ended.
 *
 * @typedef {{ id: number, project: { id: number, name: string }, assignee: { id: string, name: string } | null, [field: string]: unknown }} Task
 * @typedef {{ type: string, task: { id: number } | null, project: { id: number } | null, member?: { id: string } }} Event
 */
import { readFile, rename, writeFile } from 'node:fs/promises';

const TYPES = 'task.*,project.*,member.*';
const LISTS_MS = 24 * 60 * 60 * 1000;

export class Mirror {
  tasks = /** @type {Map<number, Task>} */ (new Map());
  after = 0;
  me = '';

  /** @param {string} origin @param {string} key @param {(url: string, init: object) => Promise<Response>} send */
  constructor(origin, key, send = fetch) {
    this.get = async (url) => {
      const response = await send(new URL(url, origin).href, { headers: { Authorization: `Bearer ${key}` } });
      const body = await response.json();
      if (!response.ok) throw new Error(body.error.message);
      return { ...body, next: /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] };
    };
  }

  /** Gets the cursor before reading the lists, so that `follow` sees everything that changes in the meantime. */
  async start() {
    this.me = (await this.get('/v1/me')).id;
    const { meta } = await this.get('/v1/events');
    this.tasks = await this.readLists();
    this.after = meta.nextAfter;
  }

  /**
   * Follows the Link header. With an offset, each task that leaves the list between two requests would make us skip
   * another task.
   */
  async readLists() {
    const tasks = new Map();
    for (const isArchived of [false, true]) {
      let url = `/v1/tasks?scope=all&limit=100&isArchived=${isArchived}`;
      while (url) {
        const { data, next } = await this.get(url);
        for (const task of data) tasks.set(task.id, task);
        url = next;
      }
    }
    return tasks;
  }

  /**
   * Waits for events, and reads the tasks that they may have changed. Returns whether there are more events.
   * @param {number} wait
   */
  async follow(wait = 25) {
    const { data, meta } = await this.get(
      `/v1/events?after=${this.after}&types=${TYPES}&limit=100&wait=${wait}`,
    );
    // If you join or leave a project or get another role, the tasks that you can see change.
    if (data.some(({ member }) => member?.id === this.me)) this.tasks = await this.readLists();
    else await this.refreshTasks(new Set(data.flatMap((event) => this.findAffectedTasks(event))));
    this.after = meta.nextAfter;
    return meta.hasMore;
  }

  /** Returns the ids of the tasks that an event may have changed. @param {Event} event @returns {number[]} */
  findAffectedTasks({ type, task, project, member }) {
    if (type.startsWith('task.')) return task ? [task.id] : [];
    const isOf = (each) => (member ? each.assignee?.id === member.id : each.project.id === project?.id);
    return [...this.tasks.values()].filter(isOf).map(({ id }) => id);
  }

  /** A task that isn't returned is gone, or you can no longer see it. @param {Set<number>} ids */
  async refreshTasks(ids) {
    for (let first = 0; first < ids.size; first += 100) {
      const some = [...ids].slice(first, first + 100);
      const { data } = await this.get(`/v1/tasks?limit=100&ids=${some}`);
      for (const id of some) this.tasks.delete(id);
      for (const task of data) this.tasks.set(task.id, task);
    }
  }
}

const [, script = '', origin, key, file = 'copy.json'] = globalThis.process?.argv ?? [];
if (script.endsWith('mirror.mjs') && origin && key) {
  const mirror = new Mirror(origin, key);
  Object.assign(mirror, JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  mirror.tasks = new Map(mirror.tasks);
  for (let listAt = mirror.me ? Date.now() + LISTS_MS : 0; ; ) {
    try {
      if (Date.now() > listAt) await mirror.start();
      if (Date.now() > listAt) listAt = Date.now() + LISTS_MS;
      await mirror.follow();
      await writeFile(`${file}.new`, JSON.stringify({ ...mirror, tasks: [...mirror.tasks] }));
      await rename(`${file}.new`, file);
    } catch (error) {
      console.error(error);
      // Events are deleted after 30 days, so the ones after the cursor may be gone.
      if (/read the lists again/i.test(String(error))) listAt = 0;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}
