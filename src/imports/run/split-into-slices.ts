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

function buildDescription({ description, texts }: PlannedTask): string | null {
  const written = description === '' ? '' : convertMarkdownToHtml(description);
  const items = texts.map(({ label, text, items: parts }) => {
    const value = parts
      ? `<ul>${parts.map((part) => `<li>${toHtml(part)}</li>`).join('')}</ul>`
      : `: ${toHtml(text)}`;
    return `<li><strong>${toHtml(label)}</strong>${value}</li>`;
  });
  const list = items.length === 0 ? '' : `<p><strong>Imported fields</strong></p><ul>${items.join('')}</ul>`;
  const html = written.length + list.length > HTML_CHARACTERS_MAX ? `<p>${toHtml(description)}</p>` : written;
  return html + list || null;
}

function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r\n|\r|\n/g, '<br>');
}
