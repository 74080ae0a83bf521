import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { EdgeworkClient, Export } from '../../../.wrangler/assets/client.js';
import { getGlobalOptions, openSession } from '../connection/session.ts';
import { CommandError, exitCodes, isConnectionError } from '../terminal/errors.ts';
import { formatCount, print } from '../terminal/output.ts';

interface ExportOptions {
  readonly own?: true;
  readonly wait?: true;
  readonly output?: string;
  readonly files: boolean;
}

const POLL_MS = 1_000;

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('Export the whole workspace, or only your own data, as a zip file')
    .option('--own', 'export only what you created, wrote, tracked and uploaded')
    .option('--wait', 'wait until the export has finished, and print its download link')
    .option('-o, --output <file>', 'wait, and download the zip file to this path')
    .option('--no-files', 'leave out the attached files')
    .action(exportWorkspace);
}

async function exportWorkspace({ own, wait, output, files }: ExportOptions, command: Command): Promise<void> {
  const { client, isJson } = openSession(getGlobalOptions(command));
  const isInteractive = Boolean(process.stdin.isTTY && process.stdout.isTTY) && !isJson;
  const started = await client.createExport({ contents: own ? 'own' : 'workspace', includeFiles: files });
  if (!wait && output === undefined) {
    const lines = [
      `Export ${started.id} started. Check it with \`ew api GET exports/${started.id}\`, or run \`ew export --wait\` next time.`,
    ];
    print({ json: started, lines }, isJson);
    return;
  }
  const finished = await waitForExport(client, started, isInteractive);
  const url = finished.downloadUrl;
  if (finished.status !== 'completed' || url === null) {
    throw new CommandError(
      finished.problem ? `The export failed: ${finished.problem}` : 'The export failed.',
      exitCodes.failed,
    );
  }
  if (output !== undefined) await download(url, output, finished.id);
  const { records } = finished.progress;
  print(
    {
      json: finished,
      lines: [
        `Exported ${formatCount(records, 'record')} and ${formatCount(finished.progress.files, 'file')}.`,
        output === undefined ? url : `Saved to ${output}.`,
      ],
    },
    isJson,
  );
}

async function waitForExport(
  client: EdgeworkClient,
  started: Export,
  showsProgress: boolean,
): Promise<Export> {
  let current = started;
  while (current.status === 'running') {
    const { stepsDone, stepsTotal, records } = current.progress;
    if (showsProgress)
      process.stdout.write(`\rStep ${stepsDone} of ${stepsTotal}, ${formatCount(records, 'record')}`);
    await sleep(POLL_MS);
    current = await client.getExport({ id: started.id }).catch((error: unknown) => {
      if (!isConnectionError(error)) throw error;
      throw new CommandError(
        `The connection was lost, but the export continues. Check it with \`ew api GET exports/${started.id}\`.`,
        exitCodes.unreachable,
      );
    });
  }
  if (showsProgress) process.stdout.write('\n');
  return current;
}

/** Writes to a temporary file first, so that a failed download never looks like a complete archive. */
async function download(url: string, path: string, id: number): Promise<void> {
  const partial = `${path}.part`;
  try {
    const response = await fetch(url);
    if (!response.ok || !response.body) throw new Error(`the server returned ${response.status}`);
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw new CommandError(
      `The export is complete, but ${path} couldn't be saved: ${(error as Error).message}. Get a new link with \`ew api GET exports/${id}\`.`,
      exitCodes.failed,
    );
  }
}
