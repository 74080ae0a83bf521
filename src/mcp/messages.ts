import type { AnyTool } from '../kernel/tools/tool.ts';

type Json = Record<string, unknown>;

const BATCH_MESSAGES_MAX = 20;

export function toMessages(body: unknown): Json[] {
  return (Array.isArray(body) ? body : [body]).filter(isObject);
}

export function findCalledTools(messages: readonly Json[], tools: readonly AnyTool[]): AnyTool[] {
  return messages
    .filter(({ method, params }) => method === 'tools/call' && isObject(params))
    .flatMap(({ params }) => tools.filter(({ name }) => name === (params as Json).name));
}

export function describeBatchProblem(body: unknown): string | null {
  if (!Array.isArray(body)) return null;
  if (body.length > BATCH_MESSAGES_MAX)
    return `A batch can have up to ${BATCH_MESSAGES_MAX} messages; got ${body.length}.`;
  const ids = toMessages(body).flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) return 'The messages in a batch must have different ids.';
  // The batch would wait for the request that it cancels.
  const cancels = toMessages(body).some(({ method }) => method === 'notifications/cancelled');
  return cancels ? "A batch can't cancel its own requests." : null;
}

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
