// Processes of this machine and their memory, as Linux tells them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export interface MemoryWatch {
  /** How much the processes grew at the most; null where there were none. */
  end(): Promise<{ growthMib: number | null; text: string }>;
}

/** Watches the resident memory of processes. */
export function watchMemory(pids: readonly number[]): MemoryWatch {
  const read = () => pids.reduce((sum, pid) => sum + residentMib(pid), 0);
  const before = read();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, read());
  }, 50);
  return {
    async end() {
      clearInterval(timer);
      await wait(1000);
      const after = read();
      if (before === 0) return { growthMib: null, text: 'not measured' };
      return {
        growthMib: Math.round(peak - before),
        text: `${Math.round(before)} MiB before, ${Math.round(after)} after, ${Math.round(peak)} at its peak`,
      };
    },
  };
}

function residentMib(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0; // ended, or no Linux
  }
}

/** Every workerd that belongs to whatever listens on the port; `wrangler dev` runs two. */
export function runtimesOf(port: string): number[] {
  const [listener] = listenersOf(port);
  if (listener === undefined) return [];
  const family = new Set([listener, ...descendantsOf(listener), ...siblingsOf(listener)]);
  return [...family].filter((pid) => commandOf(pid).includes('workerd'));
}

function listenersOf(port: string): number[] {
  try {
    const text = execFileSync('ss', ['-ltnpH', `sport = :${port}`], { encoding: 'utf8' });
    return [...new Set([...text.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid)))];
  } catch {
    return [];
  }
}

interface Process {
  readonly pid: number;
  readonly parent: number;
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return []; // ended meanwhile
      }
    });
}

export function descendantsOf(pid: number, all = processes()): number[] {
  const children = all.filter((each) => each.parent === pid).map((each) => each.pid);
  return children.flatMap((child) => [child, ...descendantsOf(child, all)]);
}

function siblingsOf(pid: number): number[] {
  const all = processes();
  const parent = all.find((each) => each.pid === pid)?.parent;
  return parent === undefined || parent === 1 ? [] : descendantsOf(parent, all);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
