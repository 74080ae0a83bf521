import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AnyTool } from '../kernel/tool.ts';

/** The limit of text and structured content together, which keeps the whole JSON-RPC message below 25 KB. */
const RESULT_BYTES_MAX = 24_000;
/** Limits of texts and of lists inside an item, tried from the widest to the narrowest. */
const CUTS = [
  { text: 4000, list: 200 },
  { text: 1000, list: 100 },
  { text: 300, list: 50 },
  { text: 100, list: 20 },
  { text: 40, list: 10 },
];

type Output = Record<string, unknown>;
interface PageOutput extends Output {
  data: unknown[];
  total: number;
  nextOffset: number | null;
}
interface Cut {
  text: number;
  list: number;
}
type WasCut = Record<keyof Cut, boolean>;

/** The answer of a tool, shortened if it is too large. A shortened answer says so, and says how to continue. */
export function toResult(tool: AnyTool, output: Output, args: Output): CallToolResult {
  // A page prefers more items to longer texts.
  const cuts = isPage(output) && output.data.length > 1 ? CUTS.slice(1) : CUTS;
  for (const cut of cuts) {
    const was = { text: false, list: false };
    const narrowed = narrowOutput(output, cut, was);
    const show = (shown: Output) => present(tool, shown, notes(tool, shown, args, cut, was));
    const result = isPage(narrowed) ? fitPage(narrowed, show) : show(narrowed);
    if (bytesOf(result) <= RESULT_BYTES_MAX) return result;
  }
  throw new Error(`${tool.name} answered more than can be cut down`);
}

function notes(tool: AnyTool, shown: Output, args: Output, cut: Cut, was: WasCut): string[] {
  return [
    ...(isPage(shown) ? [pageNote(shown, args)] : []),
    ...(was.text ? [textNote(tool, cut, args)] : []),
    ...(was.list
      ? [`Lists inside an item were cut to ${cut.list} entries; the REST API has them whole.`]
      : []),
  ];
}

function present(tool: AnyTool, output: Output, notes: readonly string[]): CallToolResult {
  const text = [...tool.lines(output as never), ...notes].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: output };
}

/** As many items as fit, at least one. */
function fitPage(whole: PageOutput, present: (page: PageOutput) => CallToolResult): CallToolResult {
  let best = present(whole);
  if (bytesOf(best) <= RESULT_BYTES_MAX) return best;
  let low = 1;
  let high = whole.data.length - 1;
  best = present(firstOf(whole, 1));
  while (low <= high) {
    const middle = Math.ceil((low + high) / 2);
    const result = present(firstOf(whole, middle));
    if (bytesOf(result) <= RESULT_BYTES_MAX) {
      best = result;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

function firstOf(page: PageOutput, count: number): PageOutput {
  const left = page.data.length - count;
  if (left <= 0) return page;
  return {
    ...page,
    data: page.data.slice(0, count),
    nextOffset: (page.nextOffset ?? page.total) - left,
  };
}

function pageNote({ data, total, nextOffset }: PageOutput, args: Output): string {
  if (nextOffset !== null) return `${data.length} of ${total}. More: call again with offset=${nextOffset}.`;
  if (data.length === 0 && total > 0) return `Nothing from offset ${args.offset}; there are ${total} in all.`;
  return data.length === total ? `${total} in all.` : `${data.length} of ${total}; these are the last.`;
}

function textNote(tool: AnyTool, cut: Cut, args: Output): string {
  const what = `Texts (…) were cut to ${cut.text} characters.`;
  if (!('textOffset' in tool.input.shape)) return `${what} get_task shows a task's texts further.`;
  return `${what} More: call again with textOffset=${Number(args.textOffset ?? 0) + cut.text}.`;
}

/** Shortens long texts everywhere and long lists inside items; `fitPage` decides how many items a page has. */
function narrowOutput(output: Output, cut: Cut, was: WasCut): Output {
  if (!isPage(output)) return narrow(output, cut, was) as Output;
  const { data, ...rest } = output;
  return { ...(narrow(rest, cut, was) as Output), data: data.map((item) => narrow(item, cut, was)) };
}

function narrow(value: unknown, cut: Cut, was: WasCut): unknown {
  if (typeof value === 'string') {
    if (value.length <= cut.text) return value;
    was.text = true;
    return `${value.slice(0, cut.text).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > cut.list) was.list = true;
    return value.slice(0, cut.list).map((each) => narrow(each, cut, was));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, narrow(each, cut, was)]));
}

function isPage(output: Output): output is PageOutput {
  return Array.isArray(output.data) && 'total' in output;
}

function bytesOf(result: CallToolResult): number {
  return new TextEncoder().encode(JSON.stringify(result)).length;
}
