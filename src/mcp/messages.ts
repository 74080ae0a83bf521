import type { AnyTool } from '../kernel/tools/tool.ts';

type JsonObject = Record<string, unknown>;

const BATCH_MESSAGES_MAX = 20;

export function toMessageList(body: unknown): JsonObject[] {
  return (Array.isArray(body) ? body : [body]).filter(isJsonObject);
}

export function findCalledTools(messages: readonly JsonObject[], tools: readonly AnyTool[]): AnyTool[] {
  return messages
    .filter(({ method, params }) => method === 'tools/call' && isJsonObject(params))
    .flatMap(({ params }) => tools.filter(({ name }) => name === (params as JsonObject).name));
}

export function describeBatchProblem(body: unknown): string | null {
  if (!Array.isArray(body)) return null;
  if (body.length > BATCH_MESSAGES_MAX)
    return `A batch can have up to ${BATCH_MESSAGES_MAX} messages; got ${body.length}.`;
  const ids = toMessageList(body).flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) return 'The messages in a batch must have different ids.';
  // The batch would wait for the request that it cancels.
  const cancels = toMessageList(body).some(({ method }) => method === 'notifications/cancelled');
  return cancels ? "A batch can't cancel its own requests." : null;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
