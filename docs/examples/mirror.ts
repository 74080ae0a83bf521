/**
 * Keeps a copy of the tasks of a workspace by its events alone: `node mirror.ts https://api.example.com ew_key_…`.
 *
 * Store `after` together with the copy, in one transaction, and a restart goes on where the last run ended.
 */
export interface Task {
  id: number;
  name: string;
  status: string;
  priority: string;
  isArchived: boolean;
  tags: string[];
  deadline: string | null;
  project: { id: number };
  assignee: { id: string; name: string } | null;
}

interface Event {
  seq: number;
  type: string;
  project: { id: number } | null;
  task: { id: number } | null;
  changes: Record<string, { from: unknown; to: unknown } | null>;
}

type Fetch = (url: string, init: { headers: Record<string, string> }) => Promise<Response>;

const shown = ['name', 'status', 'priority', 'isArchived', 'tags', 'deadline', 'assignee'];
const atFirst = {
  name: '',
  status: 'todo',
  priority: 'medium',
  isArchived: false,
  deadline: null,
  assignee: null,
};

export class Mirror {
  readonly tasks = new Map<number, Task>();
  after = 0;
  readonly #ask: (path: string) => Promise<{ data: never[]; meta: Record<string, never> }>;

  constructor(origin: string, key: string, send: Fetch = fetch) {
    this.#ask = async (path) => {
      const answer = await send(`${origin}/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });
      if (answer.ok) return answer.json() as never;
      throw Object.assign(new Error(await answer.text()), { status: answer.status });
    };
  }

  /** Reads the lists. What happens meanwhile is read again by `follow`: an event says what holds after it. */
  async start(): Promise<void> {
    const { meta } = await this.#ask('/events');
    this.after = meta.nextAfter ?? 0;
    this.tasks.clear();
    for (const isArchived of [false, true]) {
      for (let offset = 0, more = true; more; offset += 100) {
        const page = await this.#ask(`/tasks?scope=all&isArchived=${isArchived}&limit=100&offset=${offset}`);
        for (const task of page.data as Task[]) this.tasks.set(task.id, task);
        more = page.meta.hasMore ?? false;
      }
    }
  }

  /** Waits for the next events and applies them; answers whether there are more already. */
  async follow(waitSeconds = 25): Promise<boolean> {
    const { data, meta } = await this.#ask(`/events?after=${this.after}&limit=300&wait=${waitSeconds}`);
    for (const event of data as Event[]) this.#apply(event);
    this.after = meta.nextAfter ?? this.after;
    return meta.hasMore ?? false;
  }

  #apply({ type, task, project, changes }: Event): void {
    if (type === 'project.deleted') {
      for (const each of this.tasks.values()) if (each.project.id === project?.id) this.tasks.delete(each.id);
    }
    if (!task || !project || !type.startsWith('task.')) return;
    const copy: Task = this.tasks.get(task.id) ?? { ...atFirst, id: task.id, tags: [], project };
    const values = shown.flatMap((field) => (changes[field] ? [[field, changes[field].to]] : []));
    this.tasks.set(task.id, Object.assign(copy, Object.fromEntries(values)));
  }
}

const [, script = '', origin, key] = globalThis.process?.argv ?? [];
if (script.endsWith('mirror.ts') && origin && key) {
  const mirror = new Mirror(origin, key);
  await mirror.start();
  for (;;) {
    await mirror.follow();
    console.log(`${mirror.tasks.size} tasks after event ${mirror.after}`);
  }
}
