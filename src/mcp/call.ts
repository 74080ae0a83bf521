import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { AppError, internalError } from '../kernel/errors.ts';
import { show } from '../kernel/explain.ts';
import { describeError, log } from '../kernel/log.ts';
import { parseInput } from '../kernel/parse-input.ts';
import type { AnyTool } from '../kernel/tool.ts';
import { ownWords, say } from '../kernel/wording.ts';
import { toResult } from './result.ts';
import type { Session } from './session.ts';
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
    const input = parseInput(tool.input, args ?? {});
    words = toolWords(tools, tool);
    const output = tool.output.parse(await tool.run(session, input as never));
    return toResult(tool, output, input);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') return refusal(say(error.wording, words));
    const { id } = session.request;
    log('error', 'tool.failed', { id, tool: name, cause: describeError(error) });
    return refusal(`${internalError().message} (request id ${id})`);
  }
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
