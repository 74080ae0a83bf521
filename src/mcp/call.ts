import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { AppError, internalError } from '../kernel/errors.ts';
import { explain, show } from '../kernel/explain.ts';
import { describeLongList } from '../kernel/list-size.ts';
import { describeError, log } from '../kernel/log.ts';
import type { AnyTool } from '../kernel/tool.ts';
import { toResult } from './result.ts';
import type { Session } from './session.ts';

/** Runs a tool. What went wrong is part of the result, in words for the model; only an unknown tool is a protocol error. */
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
  const tooLong = describeLongList(args);
  if (tooLong) return refusal(tooLong);
  const parsed = tool.input.safeParse(args ?? {}, { reportInput: true });
  if (!parsed.success) return refusal(explain(parsed.error, tool.input));
  try {
    const output = tool.output.parse(await tool.run(session, parsed.data as never));
    return toResult(tool, output, parsed.data);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') return refusal(nameTools(error.message));
    const { id } = session.request;
    log('error', 'tool.failed', { id, tool: name, cause: describeError(error) });
    return refusal(`${internalError().message} (request id ${id})`);
  }
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Where a message of REST says which endpoint helps, a model is told the tool that does the same. */
const toolOfEndpoint: readonly (readonly [endpoint: RegExp, tool: string])[] = [
  [/POST \/v1\/tasks\/\w+\/unarchive/g, 'set_task_archived (isArchived false)'],
  [/POST \/v1\/timer\/start/g, 'set_timer'],
  [/GET \/v1\/task-categories/g, 'list_reference (kind task_categories)'],
  [/GET \/v1\/task-types(\?categoryId=\d+)?/g, 'list_reference (kind task_types)'],
  [/GET \/v1\/projects\/\w+\/members/g, 'find_people (with project)'],
  [/GET \/v1\/projects/g, 'find_projects'],
  [/GET \/v1\/users/g, 'find_people'],
  [/GET \/v1\/tasks/g, 'find_tasks'],
  [/GET \/v1\/meetings/g, 'find_meetings'],
  [/GET \/v1\/notifications/g, 'list_notifications'],
];

function nameTools(message: string): string {
  return toolOfEndpoint.reduce((text, [endpoint, tool]) => text.replace(endpoint, tool), message);
}
