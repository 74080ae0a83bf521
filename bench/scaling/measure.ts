import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getDatabaseFile, readDatabases } from '../../scripts/databases.ts';
import { type PreparedServer, withServer } from '../../scripts/own-server.ts';
import type { ActionUsage, MeasuredUsage, WorkspaceAction } from './model.ts';

/** A SQLite file grows in pages of 4 KB, so the bytes per action are the average of this many repetitions. */
const REPEATS = 200;
const DESCRIPTION = 'Collect the feedback of the last round and write down what changes. '.repeat(6);
const COMMENT = 'Looks good to me, except for the second paragraph. Can we move it to the end? '.repeat(3);

export async function measureUsage(): Promise<MeasuredUsage> {
  return withServer('scaling', async (server) => {
    const { grantToken, visitPage } = await import('../../test/clients/consent.ts');
    const token = await grantToken(server.origin);
    const home = await visitPage({ url: new URL('/app', server.origin) });
    const base = new URL(home.headers.get('Location') ?? '', server.origin).pathname;
    const call = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${server.origin}/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok)
        throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
      // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations, of which only ids are read.
      const json: any = await response.json();
      return { cost: parseCost(response), body: json };
    };
    const page = async (path: string) => {
      const response = await visitPage({ url: new URL(base + path, server.origin) });
      if (response.status !== 200) throw new Error(`${base}${path} returned ${response.status}`);
      await response.text();
      return { cost: parseCost(response) };
    };
    const tasks: number[] = [];
    const { body: projects } = await call('GET', '/projects?limit=1');
    const projectId = projects.data[0].id;
    const uses: Record<WorkspaceAction, (index: number) => Promise<{ cost: Cost }>> = {
      createTask: async (index) => {
        const name = `Prepare the launch of chapter ${index}`;
        const created = await call('POST', '/tasks', { projectId, name, description: DESCRIPTION });
        tasks.push(created.body.id);
        return created;
      },
      comment: (index) => call('POST', `/tasks/${tasks[index]}/comments`, { content: COMMENT }),
      change: (index) => call('PATCH', `/tasks/${tasks[index]}`, { status: 'in_progress' }),
      list: () => call('GET', '/tasks'),
      task: (index) => call('GET', `/tasks/${tasks[index]}`),
      boardPage: () => page(`/projects/${projectId}`),
      taskPage: (index) => page(`/tasks/${tasks[index]}`),
    };
    const measured: [WorkspaceAction, ActionUsage][] = [];
    for (const [use, run] of Object.entries(uses) as [
      WorkspaceAction,
      (index: number) => Promise<{ cost: Cost }>,
    ][]) {
      const before = countUsedBytes(server);
      const costs: Cost[] = [];
      for (let index = 0; index < REPEATS; index += 1) costs.push((await run(index)).cost);
      const average = (of: (cost: Cost) => number) =>
        Math.round(costs.reduce((sum, each) => sum + of(each), 0) / REPEATS);
      measured.push([
        use,
        {
          bytes: Math.max(0, Math.round((countUsedBytes(server) - before) / REPEATS)),
          rowsRead: average(({ rowsRead }) => rowsRead),
          rowsWritten: average(({ rowsWritten }) => rowsWritten),
        },
      ]);
    }
    return Object.fromEntries(measured) as MeasuredUsage;
  });
}

interface Cost {
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

function parseCost(response: Response): Cost {
  const header = response.headers.get('X-Cost') ?? '';
  const read = (name: string) => {
    const value = new RegExp(`${name}=(\\d+)`).exec(header)?.[1];
    if (value === undefined) throw new Error(`${response.url} has no ${name} in X-Cost: ${header}`);
    return Number(value);
  };
  return { rowsRead: read('rows_read'), rowsWritten: read('rows_written') };
}

function countUsedBytes({ state }: PreparedServer): number {
  const id = readDatabases().find(({ binding }) => binding === 'CELL_0')?.id ?? '';
  const database = new DatabaseSync(getDatabaseFile(join(state, 'v3'), id), { readOnly: true });
  try {
    const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  } finally {
    database.close();
  }
}
