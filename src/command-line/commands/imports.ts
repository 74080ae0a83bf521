import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { EdgeworkClient, Import } from '../../../.wrangler/assets/client.js';
import { findProjectId } from '../connection/find-by-name.ts';
import { getGlobalOptions, openSession } from '../connection/session.ts';
import { CommandError, exitCodes, isConnectionError } from '../terminal/errors.ts';
import { formatCount, print, printTable, toPlainLine } from '../terminal/output.ts';
import { ask } from '../terminal/standard-input.ts';

interface ImportOptions {
  readonly project: string;
  readonly source?: string;
  readonly dateOrder?: 'dmy' | 'mdy';
  readonly preview?: true;
  readonly yes?: true;
}

const POLL_MS = 1_000;

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('Import tasks from a CSV file or a Trello board')
    .argument('<file>')
    .requiredOption('-p, --project <project>', 'id or name of the project to import into')
    .option(
      '--source <name>',
      "system that the file's ids come from, such as jira; each of its ids is imported only once",
    )
    .addOption(
      new Option('--date-order <order>', 'order of day and month in dates such as 3/4/2026').choices([
        'dmy',
        'mdy',
      ]),
    )
    .option('--preview', 'show what would be imported, and stop')
    .option('-y, --yes', 'start without asking')
    .action(importFile);
}

async function importFile(
  file: string,
  { project, source, dateOrder, preview, yes }: ImportOptions,
  command: Command,
): Promise<void> {
  const { client, isJson } = openSession(getGlobalOptions(command));
  const isInteractive = Boolean(process.stdin.isTTY && process.stdout.isTTY) && !isJson;
  if (!preview && !yes && !isInteractive)
    throw new CommandError('Pass --preview to see what would be imported, or --yes to import it.');
  const projectId = await findProjectId(client, project);
  const content = await openFile(file);
  const attachment = await client.uploadFile({ file: content, projectId, fileName: basename(file) });
  let prepared: Import | null = null;
  let hasStarted = false;
  try {
    prepared = await client.createImport({ projectId, attachmentId: attachment.id, source, dateOrder });
    if (!isJson) printReport(prepared);
    if (preview) {
      if (isJson) print({ json: prepared, lines: [] }, true);
      return;
    }
    if (
      !yes &&
      !/^y(es)?$/i.test(
        (await ask(`Import ${formatCount(prepared.total - prepared.existing, 'task')}? [y/N] `)).trim(),
      )
    ) {
      print({ json: null, lines: ['Nothing was imported.'] }, isJson);
      return;
    }
    const started = await client.startImport({ id: prepared.id }).catch((error: unknown) => {
      // If no response arrived, the import may have started anyway.
      hasStarted = isConnectionError(error);
      throw error;
    });
    hasStarted = true;
    reportResult(await waitForImport(client, started, isInteractive), isJson);
  } finally {
    // Once an import has started, its file stays in the project, as it does in the app.
    if (!hasStarted) {
      if (prepared) await client.cancelImport({ id: prepared.id }).catch(() => undefined);
      await client
        .deleteProjectAttachment({ id: projectId, attachmentId: attachment.id })
        .catch(() => undefined);
    }
  }
}

function reportResult(finished: Import, isJson: boolean): void {
  const { status, made, total, existing, problem } = finished;
  const skipped = existing > 0 ? ` ${formatCount(existing, 'task')} had been imported earlier.` : '';
  print(
    { json: finished, lines: [`Imported ${made} of ${formatCount(total - existing, 'task')}.${skipped}`] },
    isJson,
  );
  if (status === 'completed') return;
  const verb = status === 'canceled' ? 'The import was canceled' : 'The import failed';
  throw new CommandError(problem ? `${verb}: ${problem}` : `${verb}.`, exitCodes.failed);
}

async function openFile(path: string): Promise<Blob> {
  try {
    return new Blob([await readFile(path)]);
  } catch (error) {
    throw new CommandError(`${path} can't be read: ${(error as Error).message}`, exitCodes.failed);
  }
}

async function waitForImport(
  client: EdgeworkClient,
  started: Import,
  showsProgress: boolean,
): Promise<Import> {
  let current = started;
  while (current.status === 'running') {
    if (showsProgress) process.stdout.write(`\r${current.made} of ${current.total - current.existing}`);
    await sleep(POLL_MS);
    current = await client.getImport({ id: started.id }).catch((error: unknown) => {
      if (!isConnectionError(error)) throw error;
      throw new CommandError(
        `The connection was lost, but the import continues. Check it with \`ew api GET imports/${started.id}\`.`,
        exitCodes.unreachable,
      );
    });
  }
  if (showsProgress) process.stdout.write('\r');
  return current;
}

/** Prints how each column would be imported, values that weren't recognized, and notes. */
function printReport({ total, existing, report }: Import): void {
  const { columns = [], values = [], notes = [], moreNotes = 0 } = report ?? {};
  printTable(
    ['COLUMN', 'USED AS', 'FILLED', 'IMPORTED', 'KEPT AS TEXT', 'LEFT OUT'],
    columns.map(({ header, use, filled, counts }) => [
      header,
      use,
      String(filled),
      String(counts.made + counts.mapped),
      String(counts.keptAsText),
      String(counts.leftOut + counts.notRecognized),
    ]),
    'The file has no columns.',
  );
  const unknown = values.filter(({ means }) => means === null);
  print(
    {
      json: null,
      lines: [
        ...unknown.map(
          ({ text, count }) => `Not recognized: "${toPlainLine(text)}" (${formatCount(count, 'time')})`,
        ),
        ...notes.map(({ row, text }) => `${row === null ? '' : `Row ${row}: `}${toPlainLine(text)}`),
        ...(moreNotes > 0 ? [formatCount(moreNotes, 'more note')] : []),
        `${formatCount(total, 'task')}${existing > 0 ? ` (${existing} already imported)` : ''}`,
      ],
    },
    false,
  );
}
