import type { Command } from 'commander';
import { createProgram } from './program.ts';
import { CLOSED_PIPE_EXIT_CODE, describeError, exitCodes, getExitCode } from './terminal/errors.ts';

/** The build replaces this with the version in package.json. */
declare const EW_VERSION: string;

const NODE_MAJOR_MIN = 20;

// By default, Commander exits with 1 after a usage error, so scripts couldn't tell it from a failed request.
function setUsageExitCode(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.usage));
  for (const each of command.commands) setUsageExitCode(each);
}

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(`ew needs Node ${NODE_MAJOR_MIN} or newer; this is Node ${process.versions.node}.\n`);
  process.exit(exitCodes.failed);
}

// A closed pipe must not interrupt a change, for example in `ew task done 74 75 | head -1`.
let isOutputClosed = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    isOutputClosed = code === 'EPIPE';
    process.exitCode = isOutputClosed ? CLOSED_PIPE_EXIT_CODE : exitCodes.failed;
  });
}

const program = createProgram(EW_VERSION);
setUsageExitCode(program);
program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = isOutputClosed ? CLOSED_PIPE_EXIT_CODE : getExitCode(error);
});
