// Lets a model do a job through Anthropic's Messages API.
import type { Agent, Server } from './score-card.ts';
import { FAILURE_PREFIX } from './score-card.ts';

export interface ModelOptions {
  readonly model: string;
  readonly apiKey: string;
  readonly apiUrl: string;
}

const TURNS_MAX = 20;
const OUTPUT_TOKENS_MAX = 8_192;
const ATTEMPTS_MAX = 5;
const RETRY_MS = 2_000;

type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

interface ModelReply {
  readonly content: ContentBlock[];
  readonly stop_reason: string;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_creation_input_tokens?: number | null;
    readonly cache_read_input_tokens?: number | null;
  };
}

export function createModelAgent(options: ModelOptions): Agent {
  const system = `You do jobs in a project management tool for the person you act for. Today is ${new Date().toISOString().slice(0, 10)}. No one can answer questions, so decide yourself. When the job is done, answer in plain text, without another tool call. If you can't do it, start the answer with ${FAILURE_PREFIX}:`;
  return async (job, server) => {
    const messages: object[] = [{ role: 'user', content: job.prompt }];
    const tokens = { sent: 0, received: 0 };
    for (let turn = 0; turn < TURNS_MAX; turn += 1) {
      const reply = await requestReply(options, { system, messages, tools: server.tools.map(toModelTool) });
      const { usage } = reply;
      tokens.sent +=
        usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
      tokens.received += usage.output_tokens;
      if (reply.stop_reason !== 'tool_use') return { answer: joinReplyText(reply), tokens };
      messages.push({ role: 'assistant', content: reply.content });
      messages.push({ role: 'user', content: await runTools(reply, server) });
    }
    return { answer: `${FAILURE_PREFIX}: the job took more than ${TURNS_MAX} turns`, tokens };
  };
}

function toModelTool({ name, description, inputSchema }: Server['tools'][number]) {
  return { name, description, input_schema: inputSchema };
}

function joinReplyText({ content }: ModelReply): string {
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}

/** Like most clients, shows the model the text of a result, or its structured content if there is no text. */
async function runTools({ content }: ModelReply, server: Server): Promise<object[]> {
  const results: object[] = [];
  for (const block of content) {
    if (block.type !== 'tool_use') continue;
    const result = await server.call(block.name, block.input).catch((error: Error) => ({
      content: [{ type: 'text', text: error.message }],
      structuredContent: undefined,
      isError: true,
    }));
    const text = result.content.map((part) => part.text ?? '').join('\n');
    results.push({
      type: 'tool_result',
      tool_use_id: block.id,
      content: text || JSON.stringify(result.structuredContent ?? null),
      ...(result.isError && { is_error: true }),
    });
  }
  return results;
}

async function requestReply({ model, apiKey, apiUrl }: ModelOptions, request: object): Promise<ModelReply> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(new URL('/v1/messages', apiUrl), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'anthropic-version': '2023-06-01',
        'x-api-key': apiKey,
      },
      body: JSON.stringify({ model, max_tokens: OUTPUT_TOKENS_MAX, ...request }),
    });
    if (response.ok) return (await response.json()) as ModelReply;
    const isBusy = response.status === 429 || response.status >= 500;
    if (!isBusy || attempt === ATTEMPTS_MAX)
      throw new Error(`The model's API returned ${response.status}: ${await response.text()}`);
    const seconds = Number(response.headers.get('retry-after'));
    await new Promise((resolve) => setTimeout(resolve, seconds > 0 ? seconds * 1_000 : RETRY_MS * attempt));
  }
}
