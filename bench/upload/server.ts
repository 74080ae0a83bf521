// A server by `npm start`, which a measurement may kill.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf } from './processes.ts';

const READY_MS_MAX = 120_000;

export interface Server {
  readonly base: string;
  /** The API key that it printed. */
  readonly key: string;
  stop(): void;
  /** As a machine that loses its power. */
  kill(): void;
}

export async function startServer(port: string): Promise<Server> {
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('npm start could not be run');
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece;
  });
  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline) {
    const key = /export KEY=(ew_live_\w+)/.exec(output)?.[1];
    if (key) {
      const stop = () => void process.kill(-pid, 'SIGTERM');
      return { base: `http://localhost:${port}`, key, stop, kill: () => killFamily(pid) };
    }
    await wait(100);
  }
  throw new Error(`The server did not start:\n${output}`);
}

/** The server leads a group of its own and starts its runtimes again, so everything ends at once. */
function killFamily(pid: number): void {
  for (const each of [pid, ...descendantsOf(pid)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {} // ended with its parent
  }
}
