import type { CallToolResult } from '@modelcontextprotocol/server';
import { findCharacterBoundary } from '../kernel/text/shorten.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';

/** Limits the text and the structured content together, which keeps the JSON-RPC message below 25 KB. */
const RESULT_BYTES_MAX = 24_000;
/**
 * `text` limits the characters of a string, and `list` the length of a list inside an item. The limits are tried in
 * order until the result fits.
 */
const SHORTENING_LIMITS = [
  { text: 20_480, list: 500 },
  { text: 4000, list: 500 },
  { text: 1000, list: 500 },
  { text: 300, list: 50 },
  { text: 100, list: 50 },
  { text: 40, list: 50 },
  { text: 12, list: 50 },
  { text: 12, list: 10 },
];
/** `textOffset` skips the start of these fields. */
const LONG_TEXT_FIELDS: ReadonlySet<string> = new Set(['description', 'content', 'text']);
const NEVER_SHORTENED_FIELDS: ReadonlySet<string> = new Set(['url', 'nextCursor']);
/** As long as the longest cursor. The real cursor is known only after the call runs again with a lower limit. */
const PLACEHOLDER_CURSOR = 'x'.repeat(200);

export type ToolOutput = Record<string, unknown>;

interface ToolCall {
  readonly tool: AnyTool;
  readonly args: ToolOutput;
  readonly openingLines: readonly string[];
}

interface PageOutput extends ToolOutput {
  data: unknown[];
  total: number;
  nextCursor: string | null;
}
interface ShorteningLimits {
  text: number;
  list: number;
}
interface Shortening extends ShorteningLimits {
  skip: number;
  wasShortened: Record<keyof ShorteningLimits, boolean>;
}

/** `rerun` repeats the call with a lower limit, so that the cursor continues after the result's last item. */
export async function buildToolResult(
  call: ToolCall,
  output: ToolOutput,
  rerun: (limit: number) => Promise<ToolOutput>,
): Promise<CallToolResult> {
  const { result, fitting } = shortenResult(call, output);
  if (!isPage(output) || fitting >= output.data.length) return result;
  return buildToolResult(call, await rerun(fitting), rerun);
}

function shortenResult(
  { tool, args, openingLines }: ToolCall,
  output: ToolOutput,
): { result: CallToolResult; fitting: number } {
  const isList = isPage(output) && output.data.length > 1;
  // In a list, showing more items is more useful than showing longer text.
  for (const cut of isList ? SHORTENING_LIMITS.slice(2) : SHORTENING_LIMITS) {
    const shortening = {
      ...cut,
      skip: Number(args.textOffset ?? 0),
      wasShortened: { text: false, list: false },
    };
    const narrowed = shortenOutput(output, shortening);
    const show = (shown: ToolOutput) =>
      renderResult(tool, shown, openingLines, buildNotes(tool, shown, args, shortening));
    const count = isPage(narrowed) ? countFittingItems(narrowed, show) : 0;
    const result = show(isPage(narrowed) ? truncatePage(narrowed, count) : narrowed);
    if (countBytes(result) <= RESULT_BYTES_MAX) return { result, fitting: count };
  }
  throw new Error(`the result of ${tool.name} can't be shortened enough`);
}

function buildNotes(tool: AnyTool, shown: ToolOutput, args: ToolOutput, shortening: Shortening): string[] {
  const { wasShortened, list } = shortening;
  return [
    ...(isPage(shown) ? [buildPageNote(shown, args)] : []),
    ...(wasShortened.text ? [buildShortenedTextNote(tool, shortening)] : []),
    ...(wasShortened.list
      ? [`Lists inside an item were shortened to ${list} entries; the REST API returns all entries.`]
      : []),
    ...(typeof shown.note === 'string' ? [shown.note] : []),
    ...(shown.replayed
      ? ["This is the result of an earlier call with this idempotencyKey. The call wasn't repeated."]
      : []),
  ];
}

function renderResult(
  tool: AnyTool,
  output: ToolOutput,
  openingLines: readonly string[],
  notes: readonly string[],
): CallToolResult {
  const text = [...openingLines, ...tool.lines(output as never), ...notes].join('\n');
  const structuredContent = tool.structured?.(output as never) ?? output;
  return { content: [{ type: 'text', text }], structuredContent: structuredContent as ToolOutput };
}

function countFittingItems(whole: PageOutput, show: (page: PageOutput) => CallToolResult): number {
  const fits = (count: number) => countBytes(show(truncatePage(whole, count))) <= RESULT_BYTES_MAX;
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

function truncatePage(page: PageOutput, count: number): PageOutput {
  if (page.data.length <= count) return page;
  return { ...page, data: page.data.slice(0, count), nextCursor: PLACEHOLDER_CURSOR };
}

function buildPageNote({ data, total, nextCursor }: PageOutput, args: ToolOutput): string {
  if (nextCursor !== null) return `${data.length} of ${total}. More: call again with cursor=${nextCursor}`;
  if (data.length === total) return `${total} in total.`;
  return args.cursor === undefined
    ? `${data.length} of ${total}.`
    : `${data.length} of ${total}; this is the last page.`;
}

function buildShortenedTextNote(tool: AnyTool, { text, skip }: Shortening): string {
  const what = `Text ending in … was shortened to ${text} characters.`;
  if (!('textOffset' in tool.input.shape)) return `${what} get_task returns a task's full text.`;
  return `${what} To read more, call again with textOffset=${skip + text}.`;
}

function shortenOutput(output: ToolOutput, shortening: Shortening): ToolOutput {
  if (!isPage(output)) return shortenValue(output, shortening) as ToolOutput;
  const { data, ...rest } = output;
  return {
    ...(shortenValue(rest, shortening) as ToolOutput),
    data: data.map((item) => shortenValue(item, shortening)),
  };
}

function shortenValue(value: unknown, shortening: Shortening, name = ''): unknown {
  if (typeof value === 'string') return shortenText(value, shortening, name);
  if (Array.isArray(value)) {
    if (value.length > shortening.list) shortening.wasShortened.list = true;
    return value.slice(0, shortening.list).map((each) => shortenValue(each, shortening));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shortenValue(each, shortening, key)]),
  );
}

/** Cuts only between characters, so that consecutive parts leave no gap. */
function shortenText(text: string, { text: most, skip, wasShortened }: Shortening, name: string): string {
  if (NEVER_SHORTENED_FIELDS.has(name)) return text;
  const shift = LONG_TEXT_FIELDS.has(name) ? skip : 0;
  const shown = text.slice(findCharacterBoundary(text, shift), findCharacterBoundary(text, shift + most));
  if (text.length <= shift + most) return shown.toWellFormed();
  wasShortened.text = true;
  return `${shown.toWellFormed()}…`;
}

function isPage(output: ToolOutput): output is PageOutput {
  return Array.isArray(output.data) && 'total' in output;
}

function countBytes(result: CallToolResult): number {
  return new TextEncoder().encode(JSON.stringify(result)).length;
}
