import { HTML_CHARACTERS_MAX } from '../../kernel/rich-text/description-format.ts';
import { convertMarkdownToHtml } from '../../kernel/rich-text/markdown.ts';
import type { PlannedTask } from '../plan/plan-import.ts';

const TASKS_PER_SLICE_MAX = 50;
const SLICE_CHARACTERS_MAX = 500_000;

export interface SliceTask {
  readonly task: PlannedTask;
  /** The description as HTML, followed by the imported columns that match no field. */
  readonly html: string | null;
}

/** Builds one slice at a time, because labels and escaping can make descriptions much longer than the file. */
export function* splitIntoSlices(tasks: Iterable<PlannedTask>): Generator<SliceTask[]> {
  let slice: SliceTask[] = [];
  let size = 0;
  for (const task of tasks) {
    const html = buildDescription(task);
    const more = task.checklist.reduce((sum, { text }) => sum + text.length, html?.length ?? 0);
    if (slice.length === TASKS_PER_SLICE_MAX || (slice.length > 0 && size + more > SLICE_CHARACTERS_MAX)) {
      yield slice;
      slice = [];
      size = 0;
    }
    slice.push({ task, html });
    size += more;
  }
  if (slice.length > 0) yield slice;
}

/** Formatting can make text several times longer. A description that would get too long isn't formatted. */
function buildDescription(task: PlannedTask): string | null {
  const formatted = writeDescription(task, formattedText);
  return (formatted.length > HTML_CHARACTERS_MAX ? writeDescription(task, plainText) : formatted) || null;
}

interface TextWriter {
  readonly writeMarkdown: (text: string) => string;
  readonly writeText: (text: string) => string;
}

const plainText: TextWriter = { writeMarkdown: (text) => `<p>${toHtml(text)}</p>`, writeText: toHtml };
const formattedText: TextWriter = { writeMarkdown: convertMarkdownToHtml, writeText: toLinkedHtml };

function writeDescription({ description, texts }: PlannedTask, writer: TextWriter): string {
  const written = description === '' ? '' : writer.writeMarkdown(description);
  const items = texts.map(
    (text) => `<li><strong>${toHtml(text.label)}</strong>${writeValue(text, writer)}</li>`,
  );
  return items.length === 0
    ? written
    : `${written}<p><strong>Imported fields</strong></p><ul>${items.join('')}</ul>`;
}

function writeValue({ text, items, hasMarkdown }: PlannedTask['texts'][number], writer: TextWriter): string {
  const isList = items && (items.length > 1 || hasMarkdown);
  if (!isList) return `: ${writer.writeText(text)}`;
  const written = items.map((item) => (hasMarkdown ? writeComment(item, writer) : writer.writeText(item)));
  return `<ul>${written.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

/** The first line contains the author, whose name isn't Markdown. */
function writeComment(item: string, { writeMarkdown }: TextWriter): string {
  const [author = '', ...lines] = item.split('\n');
  const text = lines.join('\n').trim();
  return `<p>${toHtml(author)}</p>${text === '' ? '' : writeMarkdown(text)}`;
}

const URL_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]])/;

function toLinkedHtml(text: string): string {
  // Splitting by a capturing group keeps the URLs, at odd positions.
  return text
    .split(URL_PATTERN)
    .map((part, index) => (index % 2 === 1 ? `<a href="${toHtml(part)}">${toHtml(part)}</a>` : toHtml(part)))
    .join('');
}

function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r\n|\r|\n/g, '<br>');
}
