import { toTimestamp } from '../../kernel/operation/schema.ts';
import { listExportTables } from '../tables/export-tables.ts';
import type { ExporterRow, RunningExport } from './slices.queries.ts';

/** The README of an archive, for people who no longer have Edgework. */
export function buildReadme(
  { person, created_at, has_files }: Pick<RunningExport, 'person' | 'created_at' | 'has_files'>,
  { workspace_name, workspace_id }: Pick<ExporterRow, 'workspace_name' | 'workspace_id'>,
): string {
  const isOwn = person !== 0;
  const tables = listExportTables(person).map(
    ({ name, description }) => `| \`${name}.jsonl\` | ${description} |`,
  );
  const files =
    has_files === 1
      ? 'The folder `files` contains the attached files. `attachments.jsonl` lists where each one belongs.'
      : 'This export was made without the attached files. `attachments.jsonl` lists their names and sizes.';
  const contents = isOwn
    ? `The data of the person in \`people.jsonl\`, from the Edgework workspace`
    : 'Everything in the Edgework workspace';
  return `# Export of ${toLine(workspace_name)}

${contents} ${toLine(workspace_name)} (\`${workspace_id}\`). The export started on
${toTimestamp(created_at)}.

| File | Contents |
| --- | --- |
${tables.join('\n')}
| \`manifest.json\` | The number of lines of each table, and the size and SHA-256 hash of each file |

${files}

## How to read it

- Each \`.jsonl\` file is in UTF-8 and has one JSON object per line. A table with more than 1 GB continues in files such as
  \`history-2.jsonl\`.
- Items refer to each other by id: \`projectId\` is the \`id\` of a line in \`projects.jsonl\`. A person's id is null if the
  person is unknown.
- Times are in UTC (ISO 8601). Deadlines are dates, and their times are in the time zone in \`workspace.jsonl\`.
- Descriptions of tasks and meetings are HTML, and comments are Markdown. In tasks and comments, \`attachment:82\` is the
  image whose \`id\` is 82 in \`attachments.jsonl\`.
- A file that was deleted while the export ran has the status \`missing\` or \`partial\` in \`manifest.json\`.

## How current it is

People could work while the export ran. Each line shows its item as it was when the line was written, so two files can
differ by a change in between. Everything that existed when the export started and wasn't deleted while it ran is
included. Items that were added later may be missing.

## What isn't included

- Items in the trash, except for what the history says about them
- Keys, tokens, passwords, sessions, webhooks, invitations and calendar links
- The audit log, notifications, and other people's reminders and private filters
${isOwn ? OTHER_PEOPLES_DATA : ''}`;
}

const OTHER_PEOPLES_DATA = `- What other people created, and tasks and meetings that the person created but can no longer see
`;

/** Keeps a name from breaking out of its line. */
const toLine = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&');
