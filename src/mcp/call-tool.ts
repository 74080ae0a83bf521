import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { buildPartialResultNote } from '../kernel/access/partial-result-note.ts';
import { toServiceError } from '../kernel/errors/database-unavailable.ts';
import { quoteValue } from '../kernel/errors/describe-parse-error.ts';
import { AppError, invalidRequestError } from '../kernel/errors/errors.ts';
import { parseInput } from '../kernel/execute/run-operation.ts';
import { describeError, log } from '../kernel/operation/log.ts';
import { appendSeal, removeSeal } from '../kernel/secrets/seal.ts';
import { defaultWords, formatWording } from '../kernel/text/wording.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';
import type { CallContext, McpSession } from './session.ts';
import { buildToolResult, type ToolOutput } from './tool-result.ts';
import { buildToolWords } from './tool-words.ts';

/** Returns errors in the result, where the model reads them. Throws only if the tool doesn't exist. */
export async function callTool(
  tools: readonly AnyTool[],
  session: McpSession,
  name: string,
  args: unknown,
): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool ${quoteValue(name)}. The tools are: ${tools.map((each) => each.name).join(', ')}.`,
    );
  }
  // Parsing errors already use the tool's field names. In the operation's errors, `words` replaces the API's names.
  let words = defaultWords;
  try {
    const input: ToolOutput = parseInput(tool.input, args ?? {});
    words = buildToolWords(tools, tool);
    const list = toCallKey(tool, input);
    const opened = { ...input, ...unsealCursor(session, list, input.cursor) };
    const ctx = session.open({ text: list, words });
    const run = async (limit: object) =>
      sealCursor(session, list, await runTool(tool, ctx, { ...opened, ...limit }));
    const output = await run({});
    const openingLines = describeChangeSet(tool, ctx.getChangeSet());
    return await buildToolResult({ tool, args: input, openingLines }, output, (limit) => run({ limit }));
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal')
      return toErrorResult(formatWording(error.wording, words));
    const { id } = session.request;
    log('error', 'tool.failed', { id, tool: name, cause: describeError(error) });
    return toErrorResult(`${toServiceError(error).message} (request id ${id})`);
  }
}

async function runTool(tool: AnyTool, ctx: CallContext, input: ToolOutput): Promise<ToolOutput> {
  const output = await tool.run(ctx, input as never);
  const note = buildPartialResultNote(ctx.caller.role, ctx.narrowed);
  const parsed = tool.output.parse(
    note === null || !('note' in tool.output.shape) ? output : { ...(output as object), note },
  );
  return ctx.isReplayed() ? { ...parsed, replayed: true } : parsed;
}

function describeChangeSet({ name, hints }: AnyTool, changeSet: number | null): string[] {
  if (changeSet === null || name.endsWith('_changes')) return [];
  return [
    hints.readOnlyHint
      ? `Change set ${changeSet} is open: its staged changes are included.`
      : `Staged in change set ${changeSet}. Nothing changes until a person approves it.`,
  ];
}

/**
 * Identifies the call that a cursor or idempotency key belongs to, regardless of which part of the result is requested.
 */
function toCallKey(
  { name }: AnyTool,
  { cursor: _, limit: __, textOffset: ___, ...input }: ToolOutput,
): string {
  return `${name} ${JSON.stringify(Object.entries(input).toSorted(([one], [other]) => (one < other ? -1 : 1)))}`;
}

function unsealCursor({ request: { config } }: McpSession, list: string, sealedCursor: unknown) {
  if (typeof sealedCursor !== 'string') return {};
  const cursor = removeSeal([config.sessionSecret, config.sessionSecretPrevious], list, sealedCursor);
  if (cursor !== null) return { cursor };
  throw invalidRequestError(
    'cursor must be the unchanged nextCursor of a call with the same arguments. Pass that cursor, or leave it out.',
  );
}

function sealCursor({ request: { config } }: McpSession, list: string, output: ToolOutput): ToolOutput {
  const { nextCursor } = output;
  if (typeof nextCursor !== 'string') return output;
  return { ...output, nextCursor: appendSeal(config.sessionSecret, list, nextCursor) };
}

function toErrorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
