import { parseArgs } from 'node:util';

const SIZES = [10_000, 100_000, 1_000_000];

export const usage = `npm run bench -- [options]

  --size N         tasks in the cell: ${SIZES.join(', ')}; may be repeated (default: all three)
  --seconds N      seconds of load per request, worker and number of connections (default: 2)
  --memory MINUTES measure only the runtime's memory, under mixed load for this many minutes
  --json           print the results as JSON
  --fresh          seed again instead of using the seeds in .wrangler/bench`;

export interface Options {
  readonly sizes: readonly number[];
  readonly seconds: number;
  /** Null if the bench measures time instead of memory. */
  readonly memoryMinutes: number | null;
  readonly json: boolean;
  readonly fresh: boolean;
  readonly help: boolean;
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', multiple: true },
      seconds: { type: 'string', default: '2' },
      memory: { type: 'string' },
      json: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const sizes = (values.size ?? SIZES.map(String)).map((size) => parseNumberAtLeast('--size', size, 1_000));
  return {
    sizes: [...new Set(sizes)].sort((a, b) => a - b),
    seconds: parseNumberAtLeast('--seconds', values.seconds, 0.2),
    memoryMinutes: values.memory === undefined ? null : parseNumberAtLeast('--memory', values.memory, 2),
    json: values.json,
    fresh: values.fresh,
    help: values.help,
  };
}

function parseNumberAtLeast(name: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < min)
    throw new Error(`${name} must be a number from ${min}; got '${text}'`);
  return value;
}
