import type { CallToolResult } from '@modelcontextprotocol/server';
import { boundary } from '../kernel/text/shorten.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';

/** Limits text and structured content together, so that the JSON-RPC message stays below 25 KB. */
const RESULT_BYTES_MAX = 24_000;
/** Limits for texts and for lists inside an item, tried from the widest to the narrowest. */
const CUTS = [
  { text: 20_480, list: 500 },
  { text: 4000, list: 500 },
  { text: 1000, list: 500 },
  { text: 300, list: 50 },
  { text: 100, list: 50 },
  { text: 40, list: 50 },
  { text: 12, list: 50 },
  { text: 12, list: 10 },
];
/** Fields that `textOffset` pages through. */
const LONG_TEXTS: ReadonlySet<string> = new Set(['description', 'content', 'text']);
const UNCUT: ReadonlySet<string> = new Set(['url', 'nextCursor']);
/** As long as the longest cursor. The real cursor of a shortened page is known only after it was read again. */
const PLACEHOLDER_CURSOR = 'x'.repeat(200);

export type Output = Record<string, unknown>;
interface PageOutput extends Output {
  data: unknown[];
  total: number;
  nextCursor: string | null;
}
interface Cut {
  text: number;
  list: number;
}
interface Cutting extends Cut {
  /** Characters of long texts that earlier calls returned. */
  skip: number;
  was: Record<keyof Cut, boolean>;
}

/** `again` repeats the call with a lower limit, because the cursor must match the last item that is shown. */
export async function toResult(
  tool: AnyTool,
  output: Output,
  args: Output,
  again: (limit: number) => Promise<Output>,
): Promise<CallToolResult> {
  const { result, fitting } = shorten(tool, output, args);
  if (!isPage(output) || fitting >= output.data.length) return result;
  return toResult(tool, await again(fitting), args, again);
}

function shorten(tool: AnyTool, output: Output, args: Output): { result: CallToolResult; fitting: number } {
  const isList = isPage(output) && output.data.length > 1;
  // A page prefers more items to longer texts.
  for (const cut of isList ? CUTS.slice(2) : CUTS) {
    const cutting = { ...cut, skip: Number(args.textOffset ?? 0), was: { text: false, list: false } };
    const narrowed = narrowOutput(output, cutting);
    const show = (shown: Output) => present(tool, shown, notes(tool, shown, args, cutting));
    const count = isPage(narrowed) ? countFitting(narrowed, show) : 0;
    const result = show(isPage(narrowed) ? firstOf(narrowed, count) : narrowed);
    if (bytesOf(result) <= RESULT_BYTES_MAX) return { result, fitting: count };
  }
  throw new Error(`the result of ${tool.name} cannot be shortened enough`);
}

function notes(tool: AnyTool, shown: Output, args: Output, cutting: Cutting): string[] {
  const { was, list } = cutting;
  return [
    ...(isPage(shown) ? [pageNote(shown, args)] : []),
    ...(was.text ? [textNote(tool, cutting)] : []),
    ...(was.list ? [`Lists inside an item were cut to ${list} entries; the REST API returns all.`] : []),
    ...(typeof shown.note === 'string' ? [shown.note] : []),
  ];
}

function present(tool: AnyTool, output: Output, notes: readonly string[]): CallToolResult {
  const text = [...tool.lines(output as never), ...notes].join('\n');
  const structuredContent = tool.structured?.(output as never) ?? output;
  return { content: [{ type: 'text', text }], structuredContent: structuredContent as Output };
}

function countFitting(whole: PageOutput, show: (page: PageOutput) => CallToolResult): number {
  const fits = (count: number) => bytesOf(show(firstOf(whole, count))) <= RESULT_BYTES_MAX;
  if (fits(whole.data.length)) return whole.data.length;
  let low = 1;
  let high = whole.data.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function firstOf(page: PageOutput, count: number): PageOutput {
  if (page.data.length <= count) return page;
  return { ...page, data: page.data.slice(0, count), nextCursor: PLACEHOLDER_CURSOR };
}

function pageNote({ data, total, nextCursor }: PageOutput, args: Output): string {
  if (nextCursor !== null) return `${data.length} of ${total}. More: call again with cursor=${nextCursor}`;
  if (data.length === total) return `${total} in total.`;
  return args.cursor === undefined
    ? `${data.length} of ${total}.`
    : `${data.length} of ${total}; this is the last page.`;
}

function textNote(tool: AnyTool, { text, skip }: Cutting): string {
  const what = `Texts (…) were cut to ${text} characters.`;
  if (!('textOffset' in tool.input.shape)) return `${what} get_task returns a task's full texts.`;
  return `${what} More: call again with textOffset=${skip + text}.`;
}

function narrowOutput(output: Output, cutting: Cutting): Output {
  if (!isPage(output)) return narrow(output, cutting) as Output;
  const { data, ...rest } = output;
  return { ...(narrow(rest, cutting) as Output), data: data.map((item) => narrow(item, cutting)) };
}

function narrow(value: unknown, cutting: Cutting, name = ''): unknown {
  if (typeof value === 'string') return cutText(value, cutting, name);
  if (Array.isArray(value)) {
    if (value.length > cutting.list) cutting.was.list = true;
    return value.slice(0, cutting.list).map((each) => narrow(each, cutting));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, narrow(each, cutting, key)]));
}

/** Consecutive parts of a long text have no gap, and no part ends inside a character. */
function cutText(text: string, { text: most, skip, was }: Cutting, name: string): string {
  if (UNCUT.has(name)) return text;
  const shift = LONG_TEXTS.has(name) ? skip : 0;
  const shown = text.slice(boundary(text, shift), boundary(text, shift + most));
  if (text.length <= shift + most) return shown.toWellFormed();
  was.text = true;
  return `${shown.toWellFormed()}…`;
}

function isPage(output: Output): output is PageOutput {
  return Array.isArray(output.data) && 'total' in output;
}

function bytesOf(result: CallToolResult): number {
  return new TextEncoder().encode(JSON.stringify(result)).length;
}
