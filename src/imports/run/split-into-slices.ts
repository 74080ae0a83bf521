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
  const formatted = renderDescription(task, formattedText);
  return (formatted.length > HTML_CHARACTERS_MAX ? renderDescription(task, plainText) : formatted) || null;
}

interface HtmlRenderer {
  readonly renderMarkdown: (text: string) => string;
  readonly renderText: (text: string) => string;
}

const plainText: HtmlRenderer = { renderMarkdown: (text) => `<p>${toHtml(text)}</p>`, renderText: toHtml };
const formattedText: HtmlRenderer = { renderMarkdown: convertMarkdownToHtml, renderText: toLinkedHtml };

function renderDescription({ description, texts }: PlannedTask, renderer: HtmlRenderer): string {
  const written = description === '' ? '' : renderer.renderMarkdown(description);
  const items = texts.map(
    (text) => `<li><strong>${toHtml(text.label)}</strong>${renderValue(text, renderer)}</li>`,
  );
  return items.length === 0
    ? written
    : `${written}<p><strong>Imported fields</strong></p><ul>${items.join('')}</ul>`;
}

function renderValue(
  { text, items, hasMarkdown }: PlannedTask['texts'][number],
  renderer: HtmlRenderer,
): string {
  const isList = items && (items.length > 1 || hasMarkdown);
  if (!isList) return `: ${renderer.renderText(text)}`;
  const written = items.map((item) =>
    hasMarkdown ? renderComment(item, renderer) : renderer.renderText(item),
  );
  return `<ul>${written.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

/** The first line contains the author, whose name isn't Markdown. */
function renderComment(item: string, { renderMarkdown }: HtmlRenderer): string {
  const [author = '', ...lines] = item.split('\n');
  const text = lines.join('\n').trim();
  return `<p>${toHtml(author)}</p>${text === '' ? '' : renderMarkdown(text)}`;
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
