import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { narrowingNote } from '../kernel/access/narrowing.ts';
import { AppError, internalError, invalidRequest } from '../kernel/errors/errors.ts';
import { show } from '../kernel/errors/explain.ts';
import { parseInput } from '../kernel/execute/parse-input.ts';
import { describeError, log } from '../kernel/operation/log.ts';
import { openSeal, seal } from '../kernel/secrets/seal.ts';
import { ownWords, say } from '../kernel/text/wording.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';
import { type Output, toResult } from './result.ts';
import type { CallContext, Session } from './session.ts';
import { toolWords } from './tool-words.ts';

/** Runs a tool. A failure is part of the result, in words for the model; only an unknown tool is a protocol error. */
export async function callTool(
  tools: readonly AnyTool[],
  session: Session,
  name: string,
  args: unknown,
): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${show(name)}. There are: ${tools.map((each) => each.name).join(', ')}.`,
    );
  }
  // What came is called as it came; what an operation says of its fields, as the tool calls them.
  let words = ownWords;
  try {
    const input: Output = parseInput(tool.input, args ?? {});
    words = toolWords(tools, tool);
    const list = listOf(tool, input);
    const opened = { ...input, ...openedCursor(session, list, input.cursor) };
    const ctx = session.open({ text: list, words });
    const run = async (limit: object) =>
      sealed(session, list, await answer(tool, ctx, { ...opened, ...limit }));
    return await toResult(tool, await run({}), input, (limit) => run({ limit }));
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') return refusal(say(error.wording, words));
    const { id } = session.request;
    log('error', 'tool.failed', { id, tool: name, cause: describeError(error) });
    return refusal(`${internalError().message} (request id ${id})`);
  }
}

async function answer(tool: AnyTool, ctx: CallContext, input: Output): Promise<Output> {
  const output = await tool.run(ctx, input as never);
  const note = narrowingNote(ctx.caller.role, ctx.narrowed);
  return tool.output.parse(
    note === null || !('note' in tool.output.shape) ? output : { ...(output as object), note },
  );
}

/** What a cursor and an idempotency key belong to: the call without what only says which part of it to show. */
function listOf({ name }: AnyTool, { cursor: _, limit: __, textOffset: ___, ...input }: Output): string {
  return `${name} ${JSON.stringify(Object.entries(input).toSorted(([one], [other]) => (one < other ? -1 : 1)))}`;
}

function openedCursor({ request: { config } }: Session, list: string, sealedCursor: unknown) {
  if (typeof sealedCursor !== 'string') return {};
  const cursor = openSeal([config.sessionSecret, config.sessionSecretPrevious], list, sealedCursor);
  if (cursor !== null) return { cursor };
  throw invalidRequest(
    'cursor belongs to another call. Pass nextCursor as it came, beside the same arguments, or begin without it.',
  );
}

function sealed({ request: { config } }: Session, list: string, output: Output): Output {
  const { nextCursor } = output;
  if (typeof nextCursor !== 'string') return output;
  return { ...output, nextCursor: seal(config.sessionSecret, list, nextCursor) };
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
