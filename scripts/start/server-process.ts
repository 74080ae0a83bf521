// Runs the server in a separate process that exits when this one does.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../databases.ts';

const READY_MS_MAX = 90_000;
const OUTPUT_PIECES_MAX = 500;

export interface ServerProcess {
  untilReady(): Promise<void>;
}

/** Passes every line of the server's output to `show`, and prints the last lines after a failure. */
export function startServer(
  args: readonly string[],
  { origin, show }: { origin: string; show: (line: string) => void },
): ServerProcess {
  // Starts a separate process group, so that a signal to the group also stops the runtime.
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const output: string[] = [];
  let isStopping = false;
  const stop = (code: number) => {
    if (isStopping) return;
    isStopping = true;
    signalGroup(child, 'SIGTERM');
    setTimeout(() => {
      signalGroup(child, 'SIGKILL');
      process.exit(code);
    }, 2000);
    child.once('exit', () => process.exit(code));
    if (child.exitCode !== null) process.exit(code);
  };
  const keep = (chunk: Buffer) => {
    output.push(chunk.toString());
    if (output.length > OUTPUT_PIECES_MAX) output.shift();
    for (const line of chunk.toString().split('\n')) if (line !== '') show(line);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.once('exit', () => {
    if (isStopping) return;
    console.error(`${output.join('')}\nThe server exited.`);
    process.exit(1);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
  // Also stops if the parent, such as npm, is killed without passing on a signal.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(0), 1000).unref();

  return {
    async untilReady() {
      const deadline = Date.now() + READY_MS_MAX;
      while (Date.now() < deadline) {
        const answer = await fetch(`${origin}/health`).catch(() => null);
        if (answer?.ok) return;
        await sleep(200);
      }
      console.error(`${output.join('')}\nThe server did not respond at ${origin}/health.`);
      stop(1);
      await new Promise(() => {});
    },
  };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    else process.kill(-pid, signal);
  } catch {} // The process has already ended.
}
