import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { AppError, internalError } from '../kernel/errors.ts';
import { explain, show } from '../kernel/explain.ts';
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
const toolOfPath: Readonly<Record<string, string>> = {
  tasks: 'find_tasks',
  projects: 'find_projects',
  users: 'find_people',
  meetings: 'find_meetings',
  notifications: 'list_notifications',
  'task-categories': 'list_reference (kind task_categories)',
  'task-types': 'list_reference (kind task_types)',
  timer: 'set_timer',
};

function nameTools(message: string): string {
  return message.replace(/\b(?:GET|POST) \/v1\/([\w-]+)(?:[/?][\w/?=&-]*)?/g, (endpoint, path: string) =>
    path in toolOfPath ? (toolOfPath[path] as string) : endpoint,
  );
}
